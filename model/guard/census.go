package guard

import (
	"bytes"
	"runtime"
	"strings"
	"sync/atomic"
)

// A Census counts goroutines before and after calls, to find a call that leaves a goroutine behind. Counting costs some nanoseconds. Where
// there are more goroutines after a call than before, the next few calls are looked at: the stacks of all goroutines are taken down before
// and after them. A goroutine that only the second list has, and that the caller's goroutine created, is one that the call left behind.
// Goroutines of others, such as the workers of a search, never count as such. Several goroutines may use a Census.
//
// A goroutine is not seen that ends before the call does, nor that of which the creator has ended too, nor that of a timer.
type Census struct {
	due   atomic.Int32 // calls to be looked at
	spent atomic.Int32 // calls that were looked at
}

const (
	looks     = 4   // calls that are looked at in a row
	mostLooks = 400 // that a Census takes, each of which stops the process for some ten microseconds
	mostStack = 1 << 20
)

// Look makes the Census look at the next few calls.
func (c *Census) Look() { c.due.Store(looks) }

// Call makes a call. It returns the file and line of the go statement of a goroutine that the call left behind, or "".
func (c *Census) Call(do func()) (at string) {
	if c.due.Load() > 0 && c.spent.Load() < mostLooks {
		c.due.Add(-1)
		c.spent.Add(1)
		return leftBehind(do)
	}
	before := runtime.NumGoroutine()
	do()
	if runtime.NumGoroutine() > before {
		c.Look()
	}
	return ""
}

// leftBehind makes a call, and finds where a goroutine was created that the call left behind.
func leftBehind(do func()) (at string) {
	before := map[string]bool{}
	buf := make([]byte, 1<<16)
	for _, g := range goroutines(&buf) {
		before[string(g.id)] = true
	}
	do()
	for again := range mostAgain {
		g, found := leftover(goroutines(&buf), before)
		if !found || !g.runs || again == mostAgain-1 {
			return g.at
		}
		for range mostAgain - again {
			runtime.Gosched()
		}
	}
	return ""
}

// mostAgain is how often a goroutine is looked at that can run. The call may have waited for what it did, and it is about to end: then
// it is not left behind. Tens of milliseconds pass in all.
const mostAgain = 1000

// leftover returns a goroutine that was not there before and that the caller created. One that waits comes before those that can run.
func leftover(all []goroutine, before map[string]bool) (is goroutine, found bool) {
	for _, g := range all {
		if !before[string(g.id)] && bytes.Equal(g.creator, all[0].id) && (!found || is.runs) {
			is, found = g, true
		}
	}
	return is, found
}

// A goroutine is one of a list of stacks.
type goroutine struct {
	id, creator []byte
	at          string // file:line of the go statement
	runs        bool   // it can run: it waits for nothing
}

// goroutines lists the goroutines, the caller's first, from stacks that are written into a buffer, which may grow. Beyond [mostStack] bytes
// they are cut off.
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
			g.creator, g.at = word(stack[i:], " in goroutine "), line(stack[i:])
		}
		all = append(all, g)
	}
	return all
}

// word returns what follows a text, to the end of the word.
func word(in []byte, after string) []byte {
	_, rest, _ := bytes.Cut(in, []byte(after))
	end := bytes.IndexAny(rest, " \n")
	if end < 0 {
		end = len(rest)
	}
	return bytes.Clone(rest[:end])
}

// line returns the file:line of a "created by", which stands in its second line.
func line(created []byte) string {
	_, rest, _ := bytes.Cut(created, []byte("\n\t"))
	rest, _, _ = bytes.Cut(rest, []byte("\n"))
	rest, _, _ = bytes.Cut(rest, []byte(" +0x"))
	return strings.Clone(short(string(rest)))
}
