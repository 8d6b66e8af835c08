package guard

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"contend/model"
)

// A Loan is the right of a handler to use its Env or Watch. It ends when the handler returns, and only the
// goroutine of the handler has it. Any goroutine may query a Loan.
//
// A check of the goroutine takes about a microsecond, as long as a handler may take. So a strict loan checks
// the first 256 uses of a search or a sample, and then one use of 16, selected by a hash. Other loans only
// detect a use after the end.
type Loan struct {
	over   atomic.Bool
	strict bool
	strays *Strays
}

// Lend begins a loan. Uses by goroutines that run no handler are reported to strays.
func Lend(strict bool, strays *Strays) *Loan {
	l := &Loan{}
	l.Begin(strict, strays)
	return l
}

// Begin begins a loan that is part of another object, like [Lend]. A loan begins once.
func (l *Loan) Begin(strict bool, strays *Strays) { l.strict, l.strays = strict, strays }

// End ends a loan.
func (l *Loan) End() { l.over.Store(true) }

// Holds reports whether the caller may use the Env, as far as the loan checks it.
func (l *Loan) Holds() bool {
	return !l.over.Load() && (!l.strict || !l.strays.due() || runsHandler())
}

// Refuse reports a use without a loan; who is a node or a claim. It panics with a [model.Refusal] if the caller
// runs a handler, a main function or a test. In any other goroutine a panic would end the process. There it
// reports the use to the strays and ends the goroutine.
func (l *Loan) Refuse(who string) {
	how := "after the handler that it was given to has returned"
	if !l.over.Load() {
		how = "in another goroutine than the handler that it was given to"
	}
	f := model.Refused{Text: fmt.Sprintf("%s uses its Env %s", who, how)}
	if place := user(); place != "" {
		f.Text += " (" + place + ")"
	}
	if runsHandler() || panicReaches() {
		panic(f)
	}
	l.strays.first.CompareAndSwap(nil, &f)
	runtime.Goexit()
}

// Strays stores the first use of an Env by a goroutine that runs no handler. Several goroutines may use it.
type Strays struct {
	first atomic.Pointer[model.Refused]
	uses  atomic.Uint64
}

// due reports whether the next use is checked.
func (s *Strays) due() bool {
	n := s.uses.Add(1)
	x := (n ^ n>>30) * 0xbf58476d1ce4e5b9 // the mixing function of SplitMix64
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return n <= allLookedAt || (x^x>>31)%16 == 0
}

// allLookedAt is the number of first uses that are all checked.
const allLookedAt = 256

// MustBeNone panics with the stored use, if there is one.
func (s *Strays) MustBeNone() {
	if f := s.first.Load(); f != nil {
		panic(*f)
	}
}

// enter makes a call. Its frame marks the stack of a goroutine that runs a handler.
//
//go:noinline
func enter(do func()) { do() }

// enterFrame has the name of enter and, unless calls are inlined into it, the return address of its call.
var enterFrame = func() (of struct {
	name string
	pc   uintptr
}) {
	enter(func() {
		var pcs [8]uintptr
		for _, pc := range pcs[:runtime.Callers(1, pcs[:])] {
			if f := runtime.FuncForPC(pc - 1); of.pc == 0 && strings.HasSuffix(f.Name(), ".enter") {
				of.name, of.pc = f.Name(), pc
			}
		}
	})
	return of
}()

// runsHandler reports whether the calling goroutine runs a handler.
func runsHandler() (does bool) {
	var pcs [16]uintptr // the frame is usually near the top, and each frame costs time
	if slices.Contains(pcs[:runtime.Callers(2, pcs[:])], enterFrame.pc) {
		return true
	}
	each(func(f runtime.Frame) bool {
		does = f.Function == enterFrame.name
		return !does
	})
	return does
}

// panicReaches reports whether a panic of the calling goroutine reaches a caller: the goroutine runs main or a
// test.
func panicReaches() (answers bool) {
	each(func(f runtime.Frame) bool {
		answers = f.Function == "runtime.main" || f.Function == "testing.tRunner"
		return !answers
	})
	return answers
}

// user returns the file:line of the innermost frame of the protocol in the calling goroutine.
func user() (place string) {
	each(func(f runtime.Frame) bool {
		if isProtocol(f) {
			place = framePlace(f)
		}
		return place == ""
	})
	return place
}

// each calls f with the frames of the calling goroutine, innermost first, until f returns false.
func each(f func(runtime.Frame) bool) {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:n])
		for n > 0 {
			frame, more := frames.Next()
			if !f(frame) {
				return
			}
			if !more {
				break
			}
		}
		if n < len(pcs) {
			return
		}
	}
}
