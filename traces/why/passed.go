package why

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"contend/model"
	"contend/traces/draw"
)

// passedOver says which message brought a node what another came to, and left nothing of it: neither the state of
// the node behind that step has it, nor what it sent then. So it went on as if it had not been told.
func (s *scene) passedOver(other, last observation) {
	v := other.Value
	if !telling(v) || reflect.DeepEqual(v, last.Value) {
		return
	}
	for _, a := range s.d.Arrows {
		if a.To != int(last.Node) || !arrives(a) || a.End > s.caused(last) || !holds(reflect.ValueOf(a.Value), v) {
			continue
		}
		r := s.record(a.End)
		if r.After == nil || holds(reflect.ValueOf(r.After).Elem(), v) || slices.ContainsFunc(s.d.Arrows, func(b draw.Arrow) bool {
			return b.From == a.To && b.Sent == a.End && holds(reflect.ValueOf(b.Value), v)
		}) {
			continue
		}
		name, told := s.name(last.Node), ""
		if what := s.value(v); what != short(a.Label) {
			told = fmt.Sprintf(", with the %s of %s", what, s.name(other.Node))
		}
		s.mainf("at %s %s of %s came to %s%s, and %s passed over it%s.", s.when(a.End), short(a.Label), s.d.Lanes[a.From].Name, name, told, name, s.instead(a))
		return
	}
}

// instead says what the receiver of a message sent in the step in which it came; "" where that is nothing.
func (s *scene) instead(a draw.Arrow) string {
	if sent := s.sentAt(a.To, a.End); sent != "" {
		return ": it sent " + sent
	}
	return ""
}

// telling reports whether a value says enough to be known again: it is not zero, and no truth value.
func telling(v any) bool {
	is := reflect.ValueOf(v)
	return is.IsValid() && !is.IsZero() && is.Kind() != reflect.Bool
}

// unaware says which of those that answered an operation did so before a message came to them that was sent because of an
// earlier operation; but where somebody told both the same, that is what matters.
func (s *scene) unaware(earlier, stuck operation) {
	heard := s.heard(*stuck.returned)
	if earlier.returned != nil {
		first := s.heard(*earlier.returned)
		if who, found := s.answeredBoth(first, heard); found && (s.same(first[who], heard[who]) || first[who].Sent == heard[who].Sent) {
			return
		}
	}
	for _, who := range slices.Sorted(maps.Keys(heard)) {
		answer := heard[who]
		for _, a := range s.d.Arrows {
			late := a.End > answer.Sent || a.Fate == draw.InFlight
			if a.To != who || a.From == who || a.Sent >= answer.Sent || !late || a.From == int(stuck.call.Node) || !s.past(a.Sent)[earlier.call.step] {
				continue
			}
			s.mainf("%s sent %s to %s at %s, before it got %s, which %s had sent to it at %s (%s).", s.d.Lanes[who].Name, short(answer.Label), s.name(stuck.call.Node), s.step(answer.Sent), short(a.Label), s.d.Lanes[a.From].Name, s.step(a.Sent), s.happens(a.Sent))
			break
		}
	}
}

// changer is the last of the operations in an order that changes the object.
func (s *scene) changer(placed []operation) (op operation, found bool) {
	for i := len(placed) - 1; i >= 0; i-- {
		if !reflect.DeepEqual(s.after(placed[:i]), s.after(placed[:i+1])) {
			return placed[i], true
		}
	}
	return op, false
}

// wentOn says in which step an operation went on to return, and what came of that step: what it has not told anybody
// by then, it tells nobody.
func (s *scene) wentOn(op operation) {
	at := s.caused(*op.returned)
	r := s.record(at)
	if r == nil || r.Move.Kind != model.Deliver {
		return
	}
	if came := s.came(at); came != "" {
		s.sayf("the %s of %s went on to return at %s (%s): %s.", s.value(op.call.Value), s.name(op.call.Node), s.step(at), s.happens(at), came)
	}
}
