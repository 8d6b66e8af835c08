//go:build wasip1 && contend

package concurrent

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"contend/checker/judge"
	"contend/model"
	"contend/model/program/overlay"
)

//go:wasmimport contend next
func next() uint32

//go:wasmimport contend started
func started(goid uint64)

//go:wasmimport contend ended
func ended(outcome uint32, text unsafe.Pointer, size uint32)

// What the overlay adds to package runtime.

//go:linkname begin runtime.contendBegin
func begin(tells bool)

//go:linkname end runtime.contendEnd
func end()

//go:linkname idle runtime.contendIdle
func idle()

//go:linkname goid runtime.contendGoid
func goid() uint64

//go:linkname asks runtime.contendPoint
func asks(kind uint32, object uintptr)

// Test runs the body as often as the host wants, if this is the test that the host runs.
func (o Options) Test(t *testing.T, body func()) {
	if os.Getenv("CONTEND_TEST") != t.Name() {
		return
	}
	debug.SetGCPercent(-1) // memory is collected between runs
	runtime.GC()
	for runs := 1; ; runs++ {
		kind := next()
		if kind == 0 {
			os.Exit(0)
		}
		outcome, text := run(t, body, kind == 2)
		ended(uint32(outcome), unsafe.Pointer(unsafe.StringData(text)), uint32(len(text)))
		if outcome != Passed {
			os.Exit(0)
		}
		if runs%collectEvery == 0 {
			runtime.GC()
		}
	}
}

// collectEvery is after how many runs memory is collected.
const collectEvery = 500

// Search is what the host does.
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
func point(h *History)    { asks(uint32(overlay.Call), uintptr(unsafe.Pointer(h))) }

// run runs the body once.
func run(t *testing.T, body func(), tells bool) (Outcome, string) {
	histories = nil
	before, returned := runtime.NumGoroutine(), false
	begin(tells)
	go func() {
		defer func() { returned = true }()
		first = goid()
		started(first)
		body()
	}()
	idle()
	end()
	switch {
	case t.Failed():
		return Failed, ""
	case runtime.NumGoroutine() > before && returned:
		return Leak, stacks()
	case runtime.NumGoroutine() > before:
		return Deadlock, stacks()
	}
	return judged()
}

// stacks are those of the goroutines that the body has begun.
func stacks() string {
	b := make([]byte, 1<<20)
	var own []string
	for _, s := range strings.Split(string(b[:runtime.Stack(b, true)]), "\n\n") {
		var id uint64
		if _, err := fmt.Sscanf(s, "goroutine %d ", &id); err == nil && id >= first {
			_, rest, _ := strings.Cut(s, " [")
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
