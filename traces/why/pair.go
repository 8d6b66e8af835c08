package why

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
	"contend/traces/draw"
	"contend/traces/show"
)

// explainPair adds which messages two nodes received before they went on, though only one of the nodes should
// have gone on. It prefers a node that answered both, with the changes of its state between the two answers.
func (s *scene) explainPair(one, other observation) {
	first, second := s.lastMessages(one), s.lastMessages(other)
	who, found := s.answeredBoth(first, second)
	if !found || one.Kind != model.Returned {
		if _, hears := second[int(one.Node)]; !hears && len(first) > 0 && len(second) > 0 && !intersect(first, second) {
			if _, hears := first[int(other.Node)]; !hears {
				s.sayf("nobody answered both.")
			}
		}
		s.explainInputs(one, first)
		s.explainInputs(other, second)
		return
	}
	a, b := first[who], second[who]
	if a.Sent > b.Sent {
		a, b = b, a
	}
	name := s.d.Lanes[who].Name
	if a.Sent == b.Sent {
		s.mainf("%s let both go on in one step, %s: it sent %s to %s and %s to %s.", name, s.when(a.Sent), short(a.Label), s.d.Lanes[a.To].Name, short(b.Label), s.d.Lanes[b.To].Name)
		return
	}
	if s.d.Lanes[who].Byzantine {
		s.mainf("%s, which is Byzantine, told both: %s, and %s.", name, s.describeSend(a), s.describeSend(b))
		return
	}
	s.mainf("%s answered both: %s, and %s.", name, s.describeSend(a), s.describeSend(b))
	s.explainMemory(model.NodeID(who), a.Sent, b.Sent)
	s.explainReplies(a, b.Sent)
	if !s.equalMessages(a, b) { // one of the answers may have been a refusal
		s.explainInputs(one, first)
		s.explainInputs(other, second)
	}
}

// intersect reports whether some node sent messages to both.
func intersect(first, second map[int]draw.Arrow) bool {
	for who := range first {
		if _, ok := second[who]; ok {
			return true
		}
	}
	return false
}

// describeSend returns a clause on the sending of a message.
func (s *scene) describeSend(a draw.Arrow) string {
	return fmt.Sprintf("it sent %s to %s at %s", short(a.Label), s.d.Lanes[a.To].Name, s.when(a.Sent))
}

// explainInputs adds the last message that a node received from each other node during its operation.
func (s *scene) explainInputs(o observation, received map[int]draw.Arrow) {
	if o.Kind != model.Returned {
		s.explainTrigger(o)
		s.explainInFlight(o)
		return
	}
	if len(received) == 0 {
		got := "heard from nobody"
		if s.received(o) {
			got = "got requests like its own alone"
		}
		s.sayf("when %s went on, it had %s since its operation began at %s.", s.name(o.Node), got, s.step(s.began(o)))
		return
	}
	var parts []string
	for _, who := range slices.Sorted(maps.Keys(received)) {
		a := received[who]
		parts = append(parts, fmt.Sprintf("%s of %s, sent at %s%s, which arrived at %s", short(a.Label), s.d.Lanes[who].Name, s.step(a.Sent), s.describeSender(a), s.arrivals(a, o)))
	}
	s.sayf("what %s had got when it went on: %s.", s.name(o.Node), semicolons(parts))
}

// describeSender returns a clause if the sender of a message was in its critical section or in an operation, or
// "".
func (s *scene) describeSender(a draw.Arrow) string {
	if slices.ContainsFunc(s.d.Bars, func(b draw.Bar) bool {
		return b.Kind == draw.Section && b.Lane == a.From && b.From < a.Sent && (b.Open || a.Sent < b.To)
	}) {
		return ", when " + s.d.Lanes[a.From].Name + " was in the section"
	}
	id := model.NodeID(a.From)
	if step := s.began(observation{Observation: model.Observation{Node: id}, step: a.Sent - 1}); step > 0 && !s.ended(id, step, a.Sent) {
		return fmt.Sprintf(", when the %s of %s, invoked at %s, had not returned", s.value(s.record(step).Move.Event.Value), s.name(id), s.step(step))
	}
	return ""
}

// arrivals lists the steps in which a message arrived before an observation. Duplication and restarts can
// deliver it more than once.
func (s *scene) arrivals(message draw.Arrow, o observation) string {
	var all []string
	again := false
	for _, a := range s.d.Arrows {
		if arrives(a) && a.From == message.From && a.To == message.To && a.Sent == message.Sent && a.Label == message.Label && a.End <= s.caused(o) {
			all = append(all, s.step(a.End))
			again = again || a.Fate == draw.Doubled || a.Fate == draw.Repeated
		}
	}
	if again && len(all) > 1 {
		return listed(all) + ", more often than it was sent"
	}
	return listed(all)
}

// answeredBoth returns the node whose last messages to both are most alike: a node that grants twice usually
// sends the same twice.
func (s *scene) answeredBoth(first, second map[int]draw.Arrow) (who int, found bool) {
	best := -1
	for _, u := range slices.Sorted(maps.Keys(first)) {
		b, both := second[u]
		a := first[u]
		if !both || reflect.TypeOf(a.Value) != reflect.TypeOf(b.Value) {
			continue
		}
		score := alike(reflect.ValueOf(a.Value), reflect.ValueOf(b.Value))
		if s.equalMessages(a, b) {
			score += 1000
		}
		if score > best {
			best, who, found = score, u, true
		}
	}
	return who, found
}

// equalMessages reports whether two messages are equal, except that each may name its own receiver.
func (s *scene) equalMessages(a, b draw.Arrow) bool {
	text := func(a draw.Arrow) string {
		return describe.Value(a.Value, func(id model.NodeID) string {
			if int(id) == a.To {
				return "receiver"
			}
			return s.name(id)
		})
	}
	return text(a) == text(b)
}

// alike counts the fields in which two values of one type are equal.
func alike(a, b reflect.Value) int {
	if a.Kind() != reflect.Struct {
		if a.IsValid() && a.CanInterface() && value.Canonical(a.Interface()) == value.Canonical(b.Interface()) {
			return 1
		}
		return 0
	}
	n := 0
	for i := range a.NumField() {
		n += alike(a.Field(i), b.Field(i))
	}
	return n
}

// explainMemory adds how the holds and the state of a node changed between two of its steps.
func (s *scene) explainMemory(who model.NodeID, from, to int) {
	name := s.name(who)
	if struck := s.crashes(who, from, to); len(struck) > 0 {
		s.sayf("in between %s.", listed(struck))
		return
	}
	found := false
	queries, _ := show.HoldQueries(*s.record(to))
	for _, h := range queries {
		drift := ""
		if h.Free {
			drift = "; its clock drifts, so it may have found otherwise"
		}
		switch {
		case h.Watch:
			continue
		case h.Unknown:
			s.sayf("at %s %s asked about its hold of %s, which by its clock lasted or was over.", s.step(to), name, s.step(h.Since))
		case h.Lasts:
			s.sayf("at %s %s found its hold of %s still lasting%s.", s.step(to), name, s.step(h.Since), drift)
		default:
			s.sayf("at %s %s found its hold of %s over%s%s.", s.step(to), name, s.step(h.Since), s.describeAge(h.Since, to), drift)
		}
		found = true
	}
	if !found {
		s.explainChanges(who, from, to)
	}
}

// explainReplies adds the replies of a message's receiver, if the message arrived by the given step.
func (s *scene) explainReplies(a draw.Arrow, by int) {
	for _, back := range s.d.Arrows {
		if back.From == a.To && back.To == a.From && back.From != back.To && arrives(a) && arrives(back) && back.Sent >= a.End && back.End <= by {
			if effect := s.effect(back.Sent); effect != "" {
				s.sayf("in between %s had sent %s back, at %s: %s.", s.d.Lanes[a.To].Name, short(back.Label), s.step(back.Sent), effect)
			}
		}
	}
}

// describeAge returns a clause on the age of a hold, or "" if the trace is untimed.
func (s *scene) describeAge(since, now int) string {
	if !s.run.Trace.Timed() {
		return ""
	}
	age := s.d.Rows[now].At - s.d.Rows[since].At
	return fmt.Sprintf(", %s after it had begun", ticks(age))
}

func ticks(ticks float64) string {
	if ticks == 1 {
		return "1 tick"
	}
	return fmt.Sprintf("%.4g ticks", ticks)
}

// crashes lists the crashes and restarts of a node between two steps.
func (s *scene) crashes(who model.NodeID, from, to int) (all []string) {
	for step := from + 1; step <= to; step++ {
		r := s.record(step)
		if r == nil || r.Node != who {
			continue
		}
		switch r.Move.Kind {
		case model.Crash, model.Restart, model.Stop:
			row := s.d.Rows[step]
			all = append(all, fmt.Sprintf("%s %s (%s)", row.Who, row.What, s.step(step)))
			s.blamed[step] = true
		}
	}
	return all
}

// explainChanges adds how the state of a node changed between two of its steps.
func (s *scene) explainChanges(who model.NodeID, from, to int) {
	a, b := s.record(from), s.record(to)
	if a == nil || a.Before == nil { // the step created the state
		return
	}
	name := s.name(who)
	changes := describe.Diff(a.After, b.Before, s.name)
	switch same := len(describe.Diff(a.Before, b.Before, s.name)) == 0; {
	case same:
		s.sayf("before both, the state of %s was the same: nothing told it of the first.", name)
	case len(changes) == 0:
		s.sayf("in between, nothing changed in the state of %s: it had %s.", name, s.describeFields(who, b.Before, to-1))
	default:
		var parts []string
		for _, c := range changes {
			parts = append(parts, fmt.Sprintf("its %s went from %s to %s", c.Field, short(c.Before), short(c.After)))
		}
		s.sayf("in between %s; before the second, it had %s.", listed(parts), s.describeFields(who, b.Before, to-1))
	}
}
