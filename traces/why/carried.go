package why

import (
	"fmt"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/value"
	"contend/traces/draw"
)

// deliveries explains a delivery that breaks a claim, by what became of the messages that it
// speaks of on their way to its node.
func (s *scene) deliveries(list []observation) {
	last := list[len(list)-1]
	missing := s.owed(list)
	for _, m := range missing {
		s.sayf("%s should have delivered %s before: %s.", s.name(last.Node), s.value(m), s.carried(m, last.Node, last.step))
	}
	if len(missing) > 0 {
		return
	}
	var told []string
	for _, o := range list {
		if is := value.Canonical(o.Value); o.Kind == model.Delivered && !slices.Contains(told, is) {
			told = append(told, is)
			s.sayf("of %s: %s.", s.value(o.Value), s.carried(o.Value, last.Node, last.step))
		}
	}
}

// owed are the values that the node of the last observation should have delivered before: with such
// a delivery right before it the monitor finds nothing wrong.
func (s *scene) owed(list []observation) (values []any) {
	last := list[len(list)-1]
	if s.claim.Causal != nil { // what lies in the past of what was not observed nobody knows
		return nil
	}
	before := slices.IndexFunc(s.seen, func(o observation) bool { return o.step == last.step && reflect.DeepEqual(o.Observation, last.Observation) })
	for _, c := range s.candidates() {
		if c.Kind != model.Delivered || c.Node != last.Node || before < 0 {
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

// carried says how a value came to a node, or did not, until a step: in which messages.
func (s *scene) carried(v any, to model.NodeID, until int) string {
	var parts []string
	for _, a := range s.d.Arrows {
		if a.To == int(to) && a.Sent <= until && holds(reflect.ValueOf(a.Value), v) {
			parts = append(parts, fmt.Sprintf("%s sent it to %s at %s in %s, which %s", s.d.Lanes[a.From].Name, s.name(to), s.step(a.Sent), short(a.Label), s.fate(a, until)))
		}
	}
	if len(parts) == 0 {
		return "nobody has sent it to " + s.name(to)
	}
	return apart(parts)
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
	return "arrives at " + s.step(a.End)
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
