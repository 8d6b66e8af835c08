package step

import (
	"fmt"
	"strings"

	"contend/checker/search/component"
	"contend/checker/search/memo"
)

// A reduction asks of handlers what they would do where perhaps no run ever is: in a state
// that the receiver of an absorbed message goes on to, or on a message that only a renamed
// node would send. A handler may rely on what holds in every run, and fail there. Then the
// reduction is refused and the protocol is not to blame: it is only for what it does where
// the search itself goes.

// Probe is lookup where the search need not ever go; why says how the handler failed, and
// is empty when it did not.
func (e *Engine) Probe(from, trigger uint32) (i uint32, why string) {
	return e.tried(e.failing, e.lookup, from, trigger)
}

// ProbeWatch is lookupWatch where the search need not ever go.
func (e *Engine) ProbeWatch(from, seen uint32) (i uint32, why string) {
	return e.tried(e.failingWatch, e.lookupWatch, from, seen)
}

// tried looks up what may fail, and remembers how it did.
func (e *Engine) tried(failing map[uint64]string, lookup func(from, on uint32) uint32, from, on uint32) (i uint32, why string) {
	key := memo.Pair(from, on)
	if why, failed := failing[key]; failed {
		return 0, why
	}
	if why = FailureOf(func() { i = lookup(from, on) }); why != "" {
		failing[key] = why
		return 0, why
	}
	return i, FailureIn(e.AllResults[i])
}

// FailureIn says how a handler failed on some branch of its choices; "" says that it did not.
func FailureIn(outcomes []component.Outcome) string {
	for i := range outcomes {
		if f := outcomes[i].Failed; f != nil {
			return "fails: " + f.How
		}
	}
	return ""
}

// ProbeTaken is taken where the search need not ever go.
func (e *Engine) ProbeTaken(from, trigger uint32) (why string) {
	_, why = e.tried(e.failing, e.taken, from, trigger)
	return why
}

// FailureOf calls what may fail; "" says that it did not.
func FailureOf(call func()) (why string) {
	defer func() {
		if p := recover(); p != nil {
			why, _, _ = strings.Cut(fmt.Sprint(p), "\n")
			why = "fails: " + why
		}
	}()
	call()
	return ""
}
