package sample

import (
	"bytes"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/purity"
	"contend/model/world"
)

// Handlers run twice in the first schedules, and in every sixteenth later schedule of the interpreter. Both
// calls, and earlier calls with the same input, must agree: see [world.Purity]. Consider a handler that once a schedule takes the first of two keys of its own map. It passes the first schedules with probability (7/8)¹²⁸, below 10⁻⁷.
//
// Whole programs run twice in fewer schedules, live or in the interpreter. A step of a program costs a hundred
// times as much, and its memory is compared, too. There the probability is 1.4 %, and falls by a quarter with each sixteenth
// schedule.
const (
	twiceFirst = 64
	twiceLone  = 16
	twiceEvery = 16
)

// runsTwice reports whether the handlers of a schedule run twice. Lone reports whether each schedule has
// objects of its own.
func runsTwice(schedule int, lone bool) bool {
	first := twiceFirst
	if lone {
		first = twiceLone
	}
	return schedule < first || schedule%twiceEvery == 0
}

// compareRuns returns a [purity.Impure] error with the first handler in which a schedule and its repetition
// differ, or nil. It finds differences that two immediate calls of a handler do not show.
func (sm *sampler) compareRuns(schedule int, first, again runResult) error {
	a, b := first.out.Records, again.out.Records
	for i := range min(len(a), len(b)) {
		switch differs := sm.difference(a[i], b[i]); {
		case differs == "":
		case differs == anotherMove, a[i].After == nil || b[i].After == nil:
			return divergence(schedule, i)
		default:
			return purity.Unlike(a[i].After, handler(a[i].Move.Kind), differs)
		}
	}
	if len(a) != len(b) || !slices.Equal(first.broken, again.broken) {
		return divergence(schedule, min(len(a), len(b)))
	}
	return nil
}

// divergence returns the error of a schedule that diverges although its handlers agree. Start or a monitor may be
// the reason.
func divergence(schedule, step int) error {
	return purity.Impure{Text: fmt.Sprintf("schedule %d is not deterministic: run again, it goes another way after %d steps", schedule, step)}
}

// anotherMove is the difference of steps whose handlers agree.
const anotherMove = "its move"

// difference returns the first difference of two steps, or "".
func (sm *sampler) difference(a, b world.Record) string {
	switch {
	case a.At != b.At || move(sm.system, a.Move) != move(sm.system, b.Move):
		return anotherMove
	case !slices.Equal(a.Choices, b.Choices):
		return "its choices"
	case a.After != nil && b.After != nil && !bytes.Equal(sm.codec.Node(a.After, nil), sm.codec.Node(b.After, nil)):
		return describe.Difference(a.After, b.After, sm.system.Name)
	case sm.effects(a) != sm.effects(b):
		return "its effects"
	}
	return ""
}

// effects returns the effects of a step, except the node's new state, as text.
func (sm *sampler) effects(r world.Record) string {
	var b []byte
	for _, e := range slices.Concat(r.Sent, r.Armed) {
		b = fmt.Appendf(b, "%v %d %x %v\n", e.Kind, e.Node, sm.codec.Any(e.Value, nil), e.Window)
	}
	for _, o := range r.Observations {
		b = fmt.Appendf(b, "%v %d %d %x\n", o.Kind, o.Node, o.Op, sm.codec.Any(o.Value, nil))
	}
	return string(b)
}

// handler returns the name of the handler for a kind of event.
func handler(k model.EventKind) string {
	switch k {
	case model.Timeout:
		return "Timeout"
	case model.Invoke, model.Release:
		return "Invoke"
	case model.Suspect, model.Mistake:
		return "Suspect"
	case model.Trust:
		return "Trust"
	case model.Restart:
		return "Start"
	}
	return "Receive"
}
