//go:build contend && (wasip1 || contend_native)

package concurrent

import (
	"context"
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"contend/checker/judge"
	"contend/model"
	"contend/program/overlay"
)

// What the overlay adds to package runtime.

//go:linkname begin runtime.contendBegin
func begin(tells bool, seed uint64)

//go:linkname end runtime.contendEnd
func end()

//go:linkname idle runtime.contendIdle
func idle()

//go:linkname bodyBegins runtime.contendBody
func bodyBegins() uint64

//go:linkname bodyReturned runtime.contendReturned
func bodyReturned()

//go:linkname unfinished runtime.contendLeft
func unfinished(ids []uint64) (stuck, timed int, timer bool)

//go:linkname noted runtime.contendNoted
func noted() uint32

//go:linkname goid runtime.contendGoid
func goid() uint64

//go:linkname testBegins testing.contendBegins
func testBegins(t *testing.T)

//go:linkname testEnds testing.contendEnds
func testEnds(t *testing.T)

//go:linkname over runtime.contendHistory
func over(history uintptr)

//go:linkname asks runtime.contendPoint
func asks(kind uint32, object uintptr)

// Test runs the body as often as the host wants, if this is the test that the host runs.
func (o Options) Test(t *testing.T, body func()) {
	if os.Getenv("CONTEND_TEST") != t.Name() {
		return
	}
	debug.SetGCPercent(-1) // memory is collected between runs
	warm()
	grow(64)
	runtime.GC()
	runtime.Gosched() // the host restores the state of the program while next is called: see machine
	for runs := 1; ; runs++ {
		next()
		kind := kind()
		if kind == 0 {
			os.Exit(0)
		}
		r := run(t, body, kind == 2)
		ended(uint32(r.outcome), unsafe.Pointer(unsafe.StringData(r.text)), uint32(len(r.text)), number(r.left), r.notes)
		if runs%collectEvery == 0 {
			runtime.GC()
		}
	}
}

func number(is bool) uint32 {
	if is {
		return 1
	}
	return 0
}

// grow makes the stack of the test's goroutine large.
//
//go:noinline
func grow(times int) byte {
	var room [4096]byte
	if times > 0 {
		room[times] = grow(times - 1)
	}
	return room[times]
}

// warm makes package time and others do their once-only work, which is no part of a run.
func warm() {
	<-time.After(1)
	time.AfterFunc(time.Hour, func() {}).Stop()
	_, _ = rand.Int(), randv2.Int()
	ctx, cancel := context.WithTimeout(context.Background(), 1)
	<-ctx.Done()
	cancel()
	_ = fmt.Sprint(1)
}

// collectEvery is the number of runs between two garbage collections.
const collectEvery = 500

// Search runs the body as [Options.Test] does. Its report is empty: the host counts the schedules.
func (o Options) Search(t *testing.T, body func()) (*Report, error) {
	o.Test(t, body)
	return &Report{}, nil
}

var (
	histories []*History // of this run
	first     uint64     // the id of the goroutine of the body
)

func recorded(h *History) { histories = append(histories, h) }
func goroutine() uint64   { return goid() - first }
func returns(h *History)  { over(uintptr(unsafe.Pointer(h))) }
func point(h *History)    { asks(uint32(overlay.Call), uintptr(unsafe.Pointer(h))) }

// A result is the result of a run.
type result struct {
	outcome Outcome
	text    string
	left    bool // goroutines or timers are
	notes   uint32
}

// run runs the body once.
func run(t *testing.T, body func(), tells bool) (r result) {
	histories = nil
	returned := false
	testBegins(t)
	begin(tells, seed())
	go func() {
		defer func() {
			returned = true
			bodyReturned()
		}()
		defer testEnds(t)
		first = bodyBegins()
		started(first)
		body()
	}()
	idle()
	var ids [64]uint64
	stuck, timed, timer := unfinished(ids[:])
	r.left, r.notes = stuck+timed > 0 || timer, noted()
	end()
	waits := slices.Contains(ids[:min(stuck, len(ids))], first)
	switch {
	case t.Failed():
		r.outcome = Failed
	case !returned && waits:
		r.outcome, r.text = Deadlock, stacks(ids[:], stuck)
	case !returned:
		r.outcome, r.text = Endless, stacks(nil, 0)
	case stuck > 0:
		r.outcome, r.text = Leak, stacks(ids[:], stuck)
	default:
		r.outcome, r.text = judged()
	}
	if r.outcome == Passed && t.Skipped() {
		r.outcome = skips
	}
	return r
}

// stacks returns the stacks of the body's goroutines. If all stuck goroutines are known, it says of the others
// that they wait for a timer.
func stacks(ids []uint64, stuck int) string {
	b := make([]byte, 1<<20)
	var own []string
	for _, s := range strings.Split(string(b[:runtime.Stack(b, true)]), "\n\n") {
		var id uint64
		if _, err := fmt.Sscanf(s, "goroutine %d ", &id); err == nil && id >= first {
			_, rest, _ := strings.Cut(s, " [")
			if stuck > 0 && stuck <= len(ids) && !slices.Contains(ids[:stuck], id) {
				rest = strings.Replace(rest, "]", forTimer+"]", 1)
			}
			own = append(own, fmt.Sprintf("goroutine %d [%s", id-first, rest))
		}
	}
	return strings.Join(own, "\n\n")
}

// judged has porcupine decide on the histories.
func judged() (Outcome, string) {
	for _, h := range histories {
		verdict, err := judge.History(h.object, h.events, 0)
		switch {
		case err != nil:
			return Panic, err.Error()
		case verdict != judge.Linearizable:
			return NotLinearizable, h.String()
		}
	}
	return Passed, ""
}

// String lists the calls and returns in their order.
func (h *History) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no order of these operations explains their results on %s:\n", h.object.Name)
	for _, e := range h.events {
		what := "calls"
		if e.Kind == model.Returned {
			what = "returns"
		}
		fmt.Fprintf(&b, "  goroutine %d %s %+v\n", e.Node, what, e.Value)
	}
	return b.String()
}
