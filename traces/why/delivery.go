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

// explainDeliveries explains a delivery that violates a claim, by the messages that carried the values
// involved.
func (s *scene) explainDeliveries(list []observation) {
	last := list[len(list)-1]
	missing := s.missingDeliveries(list)
	for _, m := range missing {
		s.mainf("%s should have delivered %s before.", s.name(last.Node), s.value(m))
		s.explainPath(observation{Observation: model.Observation{Node: last.Node, Value: m}}, last.step)
	}
	if len(missing) > 0 {
		return
	}
	s.explainReordering(list)
	var done []string
	for _, o := range list {
		if key := value.Canonical(o.Value); o.Kind == model.Delivered && !slices.Contains(done, key) {
			done = append(done, key)
			s.explainPath(observation{Observation: model.Observation{Node: last.Node, Value: o.Value}}, last.step)
		}
	}
}

// missingDeliveries returns the values whose delivery, right before the last observation, prevents the
// violation.
func (s *scene) missingDeliveries(list []observation) (values []any) {
	last := list[len(list)-1]
	if s.claim.Causal != nil || len(s.seen) > mostSeen { // the causal past of an added observation is unknown
		return nil
	}
	before := slices.IndexFunc(s.seen, func(o observation) bool {
		return o.step == last.step && reflect.DeepEqual(o.Observation, last.Observation)
	})
	for _, c := range s.candidates() {
		if c.Kind != model.Delivered || c.Node != last.Node {
			continue
		}
		c.step, c.instant = last.step, last.instant
		out, ok := s.rerun(append(append(slices.Clone(s.seen[:before]), c), last))
		if ok && out.index < 0 {
			values = append(values, c.Value)
		}
	}
	return values
}

// explainPath adds the messages that carried a value to a node until a step. It adds nothing for values that no
// message carries.
func (s *scene) explainPath(o observation, until int) {
	var parts []string
	carries := false
	for _, a := range s.d.Arrows {
		carries = carries || mayContain(reflect.TypeOf(a.Value), reflect.TypeOf(o.Value), 0)
		if a.To == int(o.Node) && a.Sent <= until && contains(reflect.ValueOf(a.Value), o.Value) {
			parts = append(parts, fmt.Sprintf("%s sent it to %s at %s in %s, which %s", s.d.Lanes[a.From].Name, s.name(o.Node), s.step(a.Sent), short(a.Label), s.describeFate(a, until)))
		}
	}
	for _, own := range s.seen {
		if r := s.record(own.step); own.Kind == model.Delivered && own.Node == o.Node && r != nil && r.Move.Kind == model.Invoke && value.Canonical(own.Value) == value.Canonical(o.Value) {
			return // the node created the value and delivered it at once
		}
	}
	switch {
	case len(parts) > 0:
		s.sayf("of %s: %s.", s.value(o.Value), semicolons(parts))
		s.explainCreation(o)
	case carries:
		s.sayf("nobody has sent %s to %s.", s.value(o.Value), s.name(o.Node))
	}
}

// explainCreation adds the state of the first sender of a value, if the value arrived at the node of o but was
// not delivered there.
func (s *scene) explainCreation(o observation) {
	for _, a := range s.d.Arrows {
		if !contains(reflect.ValueOf(a.Value), o.Value) {
			continue
		}
		if r := s.record(a.Sent); r != nil && r.Before != nil && o.step > len(s.run.Records) && a.To == int(o.Node) && arrives(a) && !s.quiet(a.End) && len(describe.Fields(r.Before, s.name)) > 0 {
			s.sayf("before it sent that, at %s, %s had %s.", s.step(a.Sent), s.name(r.Node), s.describeFields(r.Node, r.Before, a.Sent-1))
		}
		return
	}
}

// mayContain reports whether values of type in can contain values of another type.
func mayContain(in, kind reflect.Type, deep int) bool {
	if in == nil || deep > 6 {
		return false
	}
	if in == kind {
		return true
	}
	switch in.Kind() {
	case reflect.Struct:
		for i := range in.NumField() {
			if mayContain(in.Field(i).Type, kind, deep+1) {
				return true
			}
		}
	case reflect.Slice, reflect.Array, reflect.Map:
		return mayContain(in.Elem(), kind, deep+1) || in.Kind() == reflect.Map && mayContain(in.Key(), kind, deep+1)
	}
	return false
}

// describeFate returns a clause on the fate of a message until a step.
func (s *scene) describeFate(a draw.Arrow, until int) string {
	switch {
	case a.Fate == draw.InFlight || a.End > until:
		return "is still on its way"
	case a.Fate == draw.Lost:
		return "is lost at " + s.step(a.End)
	case a.Fate == draw.Unheard:
		return "arrives at " + s.step(a.End) + ", when nobody is up"
	}
	if s.quiet(a.End) {
		s.quietSteps[a.End] = true
		return "arrives at " + s.step(a.End) + ", and nothing comes of it"
	}
	return "arrives at " + s.step(a.End)
}

// explainReordering adds which values arrived at a node only after it had delivered another, with the effect of
// the arrival.
func (s *scene) explainReordering(list []observation) {
	for _, o := range list {
		for _, other := range list {
			if o.Kind != model.Delivered || other.Kind != model.Delivered || other.Node != o.Node {
				continue
			}
			if a := s.firstCarrier(int(o.Node), other.Value); a.End > o.step && a.End < other.step && s.effect(a.End) != "" {
				s.mainf("%s had delivered %s when %s came to it, in %s of %s, at %s: %s.", s.name(o.Node), s.value(o.Value), s.value(other.Value), short(a.Label), s.d.Lanes[a.From].Name, s.step(a.End), s.effect(a.End))
			}
		}
	}
}

// firstCarrier returns the first message that arrives at a node and contains a value, or an arrow that ends at
// step 0.
func (s *scene) firstCarrier(id int, v any) draw.Arrow {
	for _, a := range s.d.Arrows {
		if a.To == id && arrives(a) && contains(reflect.ValueOf(a.Value), v) {
			return a
		}
	}
	return draw.Arrow{}
}

// contains reports whether a value contains another.
func contains(in reflect.Value, v any) bool {
	if !in.IsValid() {
		return false
	}
	if in.CanInterface() && in.Type() == reflect.TypeOf(v) && value.Canonical(in.Interface()) == value.Canonical(v) {
		return true
	}
	switch in.Kind() {
	case reflect.Struct:
		for i := range in.NumField() {
			if contains(in.Field(i), v) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range in.Len() {
			if contains(in.Index(i), v) {
				return true
			}
		}
	case reflect.Map:
		for _, k := range in.MapKeys() {
			if contains(k, v) || contains(in.MapIndex(k), v) {
				return true
			}
		}
	case reflect.Interface:
		return contains(in.Elem(), v)
	}
	return false
}
