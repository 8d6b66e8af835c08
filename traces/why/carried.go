package why

import (
	"fmt"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
	"contend/traces/draw"
)

// deliveries explains a delivery that breaks a claim, by what became of the messages that it
// speaks of on their way to its node.
func (s *scene) deliveries(list []observation) {
	last := list[len(list)-1]
	missing := s.owed(list)
	for _, m := range missing {
		s.mainf("%s should have delivered %s before.", s.name(last.Node), s.value(m))
		s.traced(observation{Observation: model.Observation{Node: last.Node, Value: m}}, last.step)
	}
	if len(missing) > 0 {
		return
	}
	s.behind(list)
	var told []string
	for _, o := range list {
		if is := value.Canonical(o.Value); o.Kind == model.Delivered && !slices.Contains(told, is) {
			told = append(told, is)
			s.traced(observation{Observation: model.Observation{Node: last.Node, Value: o.Value}}, last.step)
		}
	}
}

// owed are the values that the node of the last observation should have delivered before: with such
// a delivery right before it the monitor finds nothing wrong.
func (s *scene) owed(list []observation) (values []any) {
	last := list[len(list)-1]
	if s.claim.Causal != nil || len(s.seen) > mostSeen { // what lies in the past of what was not observed nobody knows
		return nil
	}
	before := slices.IndexFunc(s.seen, func(o observation) bool {
		return o.step == last.step && reflect.DeepEqual(o.Observation, last.Observation)
	})
	for _, c := range s.candidates() {
		if c.Kind != model.Delivered || c.Node != last.Node {
			continue
		}
		c.step, c.at = last.step, last.at
		out, ok := s.again(append(append(slices.Clone(s.seen[:before]), c), last))
		if ok && out.at < 0 {
			values = append(values, c.Value)
		}
	}
	return values
}

// traced says how a value that nodes deliver came to one of them, or did not, until a step: in which
// messages. Of values that travel in no message it says nothing.
func (s *scene) traced(o observation, until int) {
	var parts []string
	carries := false
	for _, a := range s.d.Arrows {
		carries = carries || holdsKind(reflect.TypeOf(a.Value), reflect.TypeOf(o.Value), 0)
		if a.To == int(o.Node) && a.Sent <= until && holds(reflect.ValueOf(a.Value), o.Value) {
			parts = append(parts, fmt.Sprintf("%s sent it to %s at %s in %s, which %s", s.d.Lanes[a.From].Name, s.name(o.Node), s.step(a.Sent), short(a.Label), s.fate(a, until)))
		}
	}
	for _, own := range s.seen {
		if r := s.record(own.step); own.Kind == model.Delivered && own.Node == o.Node && r != nil && r.Move.Kind == model.Invoke && value.Canonical(own.Value) == value.Canonical(o.Value) {
			return // it is its own, delivered as it was made
		}
	}
	switch {
	case len(parts) > 0:
		s.sayf("of %s: %s.", s.value(o.Value), apart(parts))
		s.made(o)
	case carries:
		s.sayf("nobody has sent %s to %s.", s.value(o.Value), s.name(o.Node))
	}
}

// made says in what state its sender was, right before it first sent a value that has come to a node which has not delivered it.
func (s *scene) made(o observation) {
	for _, a := range s.d.Arrows {
		if !holds(reflect.ValueOf(a.Value), o.Value) {
			continue
		}
		if r := s.record(a.Sent); r != nil && r.Before != nil && o.step > len(s.run.Records) && a.To == int(o.Node) && arrives(a) && !s.quiet(a.End) && len(describe.Fields(r.Before, s.name)) > 0 {
			s.sayf("before it sent that, at %s, %s had %s.", s.step(a.Sent), s.name(r.Node), s.dated(r.Node, r.Before, a.Sent-1))
		}
		return
	}
}

// holdsKind reports whether values of a type may have values of another in them.
func holdsKind(in, kind reflect.Type, deep int) bool {
	if in == nil || deep > 6 {
		return false
	}
	if in == kind {
		return true
	}
	switch in.Kind() {
	case reflect.Struct:
		for i := range in.NumField() {
			if holdsKind(in.Field(i).Type, kind, deep+1) {
				return true
			}
		}
	case reflect.Slice, reflect.Array, reflect.Map:
		return holdsKind(in.Elem(), kind, deep+1) || in.Kind() == reflect.Map && holdsKind(in.Key(), kind, deep+1)
	}
	return false
}

// fate says what became of a message until a step.
func (s *scene) fate(a draw.Arrow, until int) string {
	switch {
	case a.Fate == draw.InFlight || a.End > until:
		return "is still on its way"
	case a.Fate == draw.Lost:
		return "is lost at " + s.step(a.End)
	case a.Fate == draw.Unheard:
		return "arrives at " + s.step(a.End) + ", when nobody is up"
	}
	if s.quiet(a.End) {
		s.vain[a.End] = true
		return "arrives at " + s.step(a.End) + ", and nothing comes of it"
	}
	return "arrives at " + s.step(a.End)
}

// behind says of the deliveries of some values at nodes which of the other values came to one of these nodes only later, and what
// it made of that.
func (s *scene) behind(list []observation) {
	for _, o := range list {
		for _, other := range list {
			if o.Kind != model.Delivered || other.Kind != model.Delivered || other.Node != o.Node {
				continue
			}
			if a := s.firstWith(int(o.Node), other.Value); a.End > o.step && a.End < other.step && s.came(a.End) != "" {
				s.mainf("%s had delivered %s when %s came to it, in %s of %s, at %s: %s.", s.name(o.Node), s.value(o.Value), s.value(other.Value), short(a.Label), s.d.Lanes[a.From].Name, s.step(a.End), s.came(a.End))
			}
		}
	}
}

// firstWith is the first message that arrives at a node with a value in it; one that ends at the start where there is none.
func (s *scene) firstWith(id int, v any) draw.Arrow {
	for _, a := range s.d.Arrows {
		if a.To == id && arrives(a) && holds(reflect.ValueOf(a.Value), v) {
			return a
		}
	}
	return draw.Arrow{}
}

// holds reports whether a value is part of another.
func holds(in reflect.Value, v any) bool {
	if !in.IsValid() {
		return false
	}
	if in.CanInterface() && in.Type() == reflect.TypeOf(v) && value.Canonical(in.Interface()) == value.Canonical(v) {
		return true
	}
	switch in.Kind() {
	case reflect.Struct:
		for i := range in.NumField() {
			if holds(in.Field(i), v) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range in.Len() {
			if holds(in.Index(i), v) {
				return true
			}
		}
	case reflect.Map:
		for _, k := range in.MapKeys() {
			if holds(k, v) || holds(in.MapIndex(k), v) {
				return true
			}
		}
	case reflect.Interface:
		return holds(in.Elem(), v)
	}
	return false
}
