package step

import (
	"fmt"
	"strings"

	"contend/checker/search/component"
	"contend/checker/search/memo"
)

// A reduction calls handlers in situations that may be unreachable: in a later state of the receiver of an
// absorbed message, or on a message that only a renamed node would send. A handler may rely on an invariant of
// reachable states, and fail in such a situation. The failure is then a reason to refuse the reduction, and not
// a fault of the protocol.

// Probe returns the result of lookup for a situation that may be unreachable. If the handler fails, why is the
// failure, else "".
func (e *Engine) Probe(from, trigger uint32) (i uint32, why string) {
	return e.tryLookup(e.failing, e.lookup, from, trigger)
}

// ProbeWatch returns the result of lookupWatch for a situation that may be unreachable.
func (e *Engine) ProbeWatch(from, seen uint32) (i uint32, why string) {
	return e.tryLookup(e.failingWatch, e.lookupWatch, from, seen)
}

// tryLookup calls lookup, and memoizes a panic in failing as a failure.
func (e *Engine) tryLookup(failing map[uint64]string, lookup func(from, on uint32) uint32, from, on uint32) (i uint32, why string) {
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

// FailureIn returns the failure of a handler on some branch of its choices, or "".
func FailureIn(outcomes []component.Outcome) string {
	for i := range outcomes {
		if f := outcomes[i].Failed; f != nil {
			return "fails: " + f.How
		}
	}
	return ""
}

// ProbeTaken runs a handler twice, as for a step, in a situation that may be unreachable. If the handler fails,
// why is the failure, else "".
func (e *Engine) ProbeTaken(from, trigger uint32) (why string) {
	_, why = e.tryLookup(e.failing, e.lookupTwice, from, trigger)
	return why
}

// FailureOf calls a function and returns the first line of its panic as a failure, or "".
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
