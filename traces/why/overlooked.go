package why

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"contend/model"
	"contend/traces/draw"
)

// explainOverlooked adds a message that carried the value of other to a node without effect: neither the node's
// state after the step nor its messages contain the value.
func (s *scene) explainOverlooked(other, last observation) {
	v := other.Value
	if !distinctive(v) || reflect.DeepEqual(v, last.Value) {
		return
	}
	for _, a := range s.d.Arrows {
		if a.To != int(last.Node) || !arrives(a) || a.End > s.caused(last) || !contains(reflect.ValueOf(a.Value), v) {
			continue
		}
		r := s.record(a.End)
		if r.After == nil || contains(reflect.ValueOf(r.After).Elem(), v) || slices.ContainsFunc(s.d.Arrows, func(b draw.Arrow) bool {
			return b.From == a.To && b.Sent == a.End && contains(reflect.ValueOf(b.Value), v)
		}) {
			continue
		}
		name, detail := s.name(last.Node), ""
		if what := s.value(v); what != short(a.Label) {
			detail = fmt.Sprintf(", with the %s of %s", what, s.name(other.Node))
		}
		s.mainf("at %s %s of %s came to %s%s, and %s passed over it%s.", s.when(a.End), short(a.Label), s.d.Lanes[a.From].Name, name, detail, name, s.describeInstead(a))
		return
	}
}

// describeInstead returns a clause on the messages that the receiver of a message sent in the step of its
// arrival, or "".
func (s *scene) describeInstead(a draw.Arrow) string {
	if sent := s.describeSends(a.To, a.End); sent != "" {
		return ": it sent " + sent
	}
	return ""
}

// distinctive reports whether a value can identify something: it is neither zero nor a bool.
func distinctive(v any) bool {
	value := reflect.ValueOf(v)
	return value.IsValid() && !value.IsZero() && value.Kind() != reflect.Bool
}

// explainUnaware adds nodes that answered an operation before they received a message that an earlier operation
// caused. It adds nothing if some node sent the same to both operations.
func (s *scene) explainUnaware(earlier, stuck operation) {
	received := s.lastMessages(*stuck.returned)
	if earlier.returned != nil {
		first := s.lastMessages(*earlier.returned)
		if who, found := s.answeredBoth(first, received); found && (s.equalMessages(first[who], received[who]) || first[who].Sent == received[who].Sent) {
			return
		}
	}
	for _, who := range slices.Sorted(maps.Keys(received)) {
		answer := received[who]
		for _, a := range s.d.Arrows {
			late := a.End > answer.Sent || a.Fate == draw.InFlight
			if a.To != who || a.From == who || a.Sent >= answer.Sent || !late || a.From == int(stuck.call.Node) || !s.past(a.Sent)[earlier.call.step] {
				continue
			}
			s.mainf("%s sent %s to %s at %s, before it got %s, which %s had sent to it at %s (%s).", s.d.Lanes[who].Name, short(answer.Label), s.name(stuck.call.Node), s.step(answer.Sent), short(a.Label), s.d.Lanes[a.From].Name, s.step(a.Sent), s.eventText(a.Sent))
			break
		}
	}
}

// changer returns the last operation in an order that changes the object.
func (s *scene) changer(placed []operation) (op operation, found bool) {
	for i := len(placed) - 1; i >= 0; i-- {
		if !reflect.DeepEqual(s.statesAfter(placed[:i]), s.statesAfter(placed[:i+1])) {
			return placed[i], true
		}
	}
	return op, false
}

// explainReturn adds the step that returned an operation, and its effect.
func (s *scene) explainReturn(op operation) {
	step := s.caused(*op.returned)
	r := s.record(step)
	if r == nil || r.Move.Kind != model.Deliver {
		return
	}
	if effect := s.effect(step); effect != "" {
		s.sayf("the %s of %s went on to return at %s (%s): %s.", s.value(op.call.Value), s.name(op.call.Node), s.step(step), s.eventText(step), effect)
	}
}
