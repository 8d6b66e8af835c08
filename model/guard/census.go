package guard

import (
	"bytes"
	"runtime"
	"strings"
	"sync/atomic"
)

// A Census counts goroutines before and after calls, to detect a call that leaves a goroutine running. A
// count costs some nanoseconds. If a call increases the count, the next calls are inspected: the stacks of
// all goroutines are listed before and after each call. A goroutine is a leftover if only the second list has
// it and the caller's goroutine created it. So other goroutines, such as the workers of a search, are
// ignored. Several goroutines may use a Census.
//
// A goroutine is not detected if it ends before the call, if its creator has ended, too, or if it belongs to
// a timer.
type Census struct {
	due   atomic.Int32 // the number of calls still to inspect
	spent atomic.Int32 // the number of inspected calls
}

const (
	looks     = 4   // inspected calls in a row
	mostLooks = 400 // the largest number of inspected calls; each stops the process for some 10 µs
	mostStack = 1 << 20
)

// Look makes the Census inspect the next calls.
func (c *Census) Look() { c.due.Store(looks) }

// Call makes a call. It returns the file:line of the go statement of a goroutine that the call left behind, or
// "".
func (c *Census) Call(do func()) (place string) {
	if c.due.Load() > 0 && c.spent.Load() < mostLooks {
		c.due.Add(-1)
		c.spent.Add(1)
		return inspect(do)
	}
	before := runtime.NumGoroutine()
	do()
	if runtime.NumGoroutine() > before {
		c.Look()
	}
	return ""
}

// inspect makes a call and inspects it.
func inspect(do func()) (place string) {
	before := map[string]bool{}
	buf := make([]byte, 1<<16)
	for _, g := range goroutines(&buf) {
		before[string(g.id)] = true
	}
	do()
	for again := range mostAgain {
		g, found := leftover(goroutines(&buf), before)
		if !found || !g.runs || again == mostAgain-1 {
			return g.place
		}
		for range mostAgain - again {
			runtime.Gosched()
		}
	}
	return ""
}

// mostAgain is the largest number of inspections of a goroutine that can run. Such a goroutine may be about to
// end, if the call waited for its result. All inspections take tens of milliseconds.
const mostAgain = 1000

// leftover returns a new goroutine that the caller created. It prefers a waiting goroutine to a runnable
// goroutine.
func leftover(all []goroutine, before map[string]bool) (is goroutine, found bool) {
	for _, g := range all {
		if !before[string(g.id)] && bytes.Equal(g.creator, all[0].id) && (!found || is.runs) {
			is, found = g, true
		}
	}
	return is, found
}

// A goroutine is an entry of a list of stacks.
type goroutine struct {
	id, creator []byte
	place       string // file:line of the go statement
	runs        bool   // it can run
}

// goroutines lists the goroutines, the caller's first. It writes the stacks into the buffer, and may enlarge
// it. It cuts the list after mostStack bytes.
func goroutines(buf *[]byte) (all []goroutine) {
	n := runtime.Stack(*buf, true)
	for n == len(*buf) && n < mostStack {
		*buf = make([]byte, 2*n)
		n = runtime.Stack(*buf, true)
	}
	for stack := range bytes.SplitSeq((*buf)[:n], []byte("\n\n")) {
		g := goroutine{id: word(stack, "goroutine ")}
		state := word(stack, " [")
		g.runs = bytes.HasPrefix(state, []byte("run")) // running]:, runnable]: or runnable,
		if i := bytes.LastIndex(stack, []byte("\ncreated by ")); i >= 0 {
			g.creator, g.place = word(stack[i:], " in goroutine "), line(stack[i:])
		}
		all = append(all, g)
	}
	return all
}

// word returns the word that follows a text.
func word(in []byte, after string) []byte {
	_, rest, _ := bytes.Cut(in, []byte(after))
	end := bytes.IndexAny(rest, " \n")
	if end < 0 {
		end = len(rest)
	}
	return bytes.Clone(rest[:end])
}

// line returns the file:line of a "created by", from its second line.
func line(created []byte) string {
	_, rest, _ := bytes.Cut(created, []byte("\n\t"))
	rest, _, _ = bytes.Cut(rest, []byte("\n"))
	rest, _, _ = bytes.Cut(rest, []byte(" +0x"))
	return strings.Clone(short(string(rest)))
}
