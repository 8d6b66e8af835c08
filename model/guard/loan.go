package guard

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"contend/model"
)

// A Loan is the use of an Env or a Watch by the handler that it is given to. The use ends when the handler returns, and only the goroutine
// that runs the handler has it. Any goroutine may ask a Loan.
//
// Whether it is the goroutine of the handler that uses an Env costs about a microsecond to say, as long as a handler may take. So a strict loan
// looks at the first uses of a search or a sample, and then at one of 16, and others tell only a use after the end. Which one is decided by a
// hash of its number, so that no period of uses escapes.
type Loan struct {
	over   atomic.Bool
	strict bool
	strays *Strays
}

// Lend begins a loan. Strays are told of a use by a goroutine that runs no handler.
func Lend(strict bool, strays *Strays) *Loan { return &Loan{strict: strict, strays: strays} }

// End ends a loan.
func (l *Loan) End() { l.over.Store(true) }

// Holds reports whether the caller may use what was lent, as far as that is looked at.
func (l *Loan) Holds() bool {
	return !l.over.Load() && (!l.strict || !l.strays.due() || runsHandler())
}

// Refuse ends a use for which the loan does not hold; who is a node or a claim. It panics with a [model.Refusal] where the caller runs a
// handler, or is the goroutine of a main function or of a test. Any other goroutine could only end the process by a panic. So the strays are
// told, and the goroutine ends.
func (l *Loan) Refuse(who string) {
	how := "after the handler that it was given to has returned"
	if !l.over.Load() {
		how = "in another goroutine than the handler that it was given to"
	}
	f := model.Refused{Text: fmt.Sprintf("%s uses its Env %s", who, how)}
	if at := user(); at != "" {
		f.Text += " (" + at + ")"
	}
	if runsHandler() || answersFor() {
		panic(f)
	}
	l.strays.first.CompareAndSwap(nil, &f)
	runtime.Goexit()
}

// Strays keep the first use of an Env by a goroutine that ran no handler. Several goroutines may use them.
type Strays struct {
	first atomic.Pointer[model.Refused]
	uses  atomic.Uint64
}

// due reports whether the next use is looked at.
func (s *Strays) due() bool {
	n := s.uses.Add(1)
	x := (n ^ n>>30) * 0xbf58476d1ce4e5b9 // as in SplitMix64
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return n <= allLookedAt || (x^x>>31)%16 == 0
}

// allLookedAt is how many uses are all looked at.
const allLookedAt = 256

// MustBeNone panics with the use that is kept, if there is one.
func (s *Strays) MustBeNone() {
	if f := s.first.Load(); f != nil {
		panic(*f)
	}
}

// enter makes a call. It stands in the stack of whatever runs a handler, and nothing else does.
//
//go:noinline
func enter(do func()) { do() }

// entered are the name of enter and, unless the compiler has put calls into its body, where in it each call returns to.
var entered = func() (of struct {
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

// runsHandler reports whether the goroutine that calls it runs a handler.
func runsHandler() (does bool) {
	var pcs [16]uintptr // mostly it is near, and each frame costs
	if slices.Contains(pcs[:runtime.Callers(2, pcs[:])], entered.pc) {
		return true
	}
	each(func(f runtime.Frame) bool {
		does = f.Function == entered.name
		return !does
	})
	return does
}

// answersFor reports whether a panic of the goroutine that calls it is for somebody who waits for it: it runs main or a test.
func answersFor() (is bool) {
	each(func(f runtime.Frame) bool {
		is = f.Function == "runtime.main" || f.Function == "testing.tRunner"
		return !is
	})
	return is
}

// user names the innermost frame of the protocol in the stack of the goroutine that calls it, as file:line.
func user() (at string) {
	each(func(f runtime.Frame) bool {
		if theirs(f) {
			at = placed(f)
		}
		return at == ""
	})
	return at
}

// each calls f with the frames of the goroutine that calls it, the innermost first, while f returns true.
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
