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

// In the first schedules, and, where the interpreter runs them, in every sixteenth after them, each handler runs twice, and must agree
// with itself and with what it came to on the same before: see [world.Purity]. A handler that runs once
// in a schedule, and takes the first of two keys of a map that it makes itself, passes the first
// schedules with probability (7/8)¹²⁸, below 10⁻⁷. Of systems whose nodes are whole programs fewer schedules are the first, since a
// step of a program costs a hundred times as much as a handler of a page, and its memory is compared besides: that probability is 1.4 % then, and
// falls by a quarter with each sixteenth schedule.
const (
	twiceFirst = 64
	twiceLone  = 16
	twiceEvery = 16
)

// runsTwice reports whether the handlers of a schedule run twice; lone says whether the schedules of its system have objects of their own.
func runsTwice(schedule int, lone bool) bool {
	first := twiceFirst
	if lone {
		first = twiceLone
	}
	return schedule < first || schedule%twiceEvery == 0
}

// unlike returns a [purity.Impure] error that names the first handler in which a schedule and its
// repetition differ, or nil when they are the same. It finds what running a handler twice at
// once does not show.
func (sm *sampler) unlike(schedule int, first, again ran) error {
	a, b := first.out.Records, again.out.Records
	for i := range min(len(a), len(b)) {
		switch differs := sm.differs(a[i], b[i]); {
		case differs == "":
		case differs == anotherMove, a[i].After == nil || b[i].After == nil:
			return strays(schedule, i)
		default:
			return purity.Unlike(a[i].After, handler(a[i].Move.Kind), differs)
		}
	}
	if len(a) != len(b) || !slices.Equal(first.broken, again.broken) {
		return strays(schedule, min(len(a), len(b)))
	}
	return nil
}

// strays is the error of a schedule that goes another way although no handler is seen to: it may
// be Start, or a monitor, that is to blame.
func strays(schedule, step int) error {
	return purity.Impure{Text: fmt.Sprintf("schedule %d is not deterministic: run again, it goes another way after %d steps", schedule, step)}
}

// anotherMove is what differs where no handler of the step is to blame.
const anotherMove = "its move"

// differs says in which respect two steps differ; "" if in none.
func (sm *sampler) differs(a, b world.Record) string {
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

// effects describes what a step did besides changing a node.
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

// handler is the handler that an event is for.
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
