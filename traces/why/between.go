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

// both says on what each of two nodes relied that should not both have gone on: who answered
// both, and what became of him in between; else what each had heard.
func (s *scene) both(one, other observation) {
	first, second := s.heard(one), s.heard(other)
	who, found := s.answeredBoth(first, second)
	if !found || one.Kind != model.Returned {
		if _, hears := second[int(one.Node)]; !hears && len(first) > 0 && len(second) > 0 && !meet(first, second) {
			if _, hears := first[int(other.Node)]; !hears {
				s.sayf("nobody answered both.")
			}
		}
		s.relied(one, first)
		s.relied(other, second)
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
		s.mainf("%s, which is Byzantine, told both: %s, and %s.", name, s.gave(a), s.gave(b))
		return
	}
	s.mainf("%s answered both: %s, and %s.", name, s.gave(a), s.gave(b))
	s.between(model.NodeID(who), a.Sent, b.Sent)
	s.sentBack(a, b.Sent)
	if !s.same(a, b) { // it may be that one of the answers was no
		s.relied(one, first)
		s.relied(other, second)
	}
}

// meet reports whether anybody was heard by both.
func meet(first, second map[int]draw.Arrow) bool {
	for who := range first {
		if _, is := second[who]; is {
			return true
		}
	}
	return false
}

// gave says what was sent to whom, and when.
func (s *scene) gave(a draw.Arrow) string {
	return fmt.Sprintf("it sent %s to %s at %s", short(a.Label), s.d.Lanes[a.To].Name, s.when(a.Sent))
}

// relied says what a node had last heard from each other since its operation began.
func (s *scene) relied(o observation, heard map[int]draw.Arrow) {
	if o.Kind != model.Returned {
		s.trigger(o)
		s.unheard(o)
		return
	}
	if len(heard) == 0 {
		got := "heard from nobody"
		if s.requested(o) {
			got = "got requests like its own alone"
		}
		s.sayf("when %s went on, it had %s since its operation began at %s.", s.name(o.Node), got, s.step(s.began(o)))
		return
	}
	var parts []string
	for _, who := range slices.Sorted(maps.Keys(heard)) {
		a := heard[who]
		parts = append(parts, fmt.Sprintf("%s of %s, sent at %s%s, which arrived at %s", short(a.Label), s.d.Lanes[who].Name, s.step(a.Sent), s.inside(a), s.arrivals(a, o)))
	}
	s.sayf("what %s had got when it went on: %s.", s.name(o.Node), apart(parts))
}

// inside says of a message whose sender was in its critical section, or in an operation, that he was.
func (s *scene) inside(a draw.Arrow) string {
	if slices.ContainsFunc(s.d.Bars, func(b draw.Bar) bool {
		return b.Kind == draw.Section && b.Lane == a.From && b.From < a.Sent && (b.Open || a.Sent < b.To)
	}) {
		return ", when " + s.d.Lanes[a.From].Name + " was in the section"
	}
	id := model.NodeID(a.From)
	if at := s.began(observation{Observation: model.Observation{Node: id}, step: a.Sent - 1}); at > 0 && !s.ended(id, at, a.Sent) {
		return fmt.Sprintf(", when the %s of %s, invoked at %s, had not returned", s.value(s.record(at).Move.Event.Value), s.name(id), s.step(at))
	}
	return ""
}

// arrivals names each step in which a message arrived before something was observed: one that the
// network doubled, or that comes once more after a restart, arrives more often than it was sent.
func (s *scene) arrivals(of draw.Arrow, o observation) string {
	var all []string
	again := false
	for _, a := range s.d.Arrows {
		if arrives(a) && a.From == of.From && a.To == of.To && a.Sent == of.Sent && a.Label == of.Label && a.End <= s.caused(o) {
			all = append(all, s.step(a.End))
			again = again || a.Fate == draw.Doubled || a.Fate == draw.Repeated
		}
	}
	if again && len(all) > 1 {
		return listed(all) + ", more often than it was sent"
	}
	return listed(all)
}

// answeredBoth picks the node whose two last messages are most alike: who grants twice says the
// same twice.
func (s *scene) answeredBoth(first, second map[int]draw.Arrow) (who int, found bool) {
	best := -1
	for _, u := range slices.Sorted(maps.Keys(first)) {
		b, both := second[u]
		a := first[u]
		if !both || reflect.TypeOf(a.Value) != reflect.TypeOf(b.Value) {
			continue
		}
		score := alike(reflect.ValueOf(a.Value), reflect.ValueOf(b.Value))
		if s.same(a, b) {
			score += 1000
		}
		if score > best {
			best, who, found = score, u, true
		}
	}
	return who, found
}

// same reports whether two messages say the same to each of their receivers: they differ at most in
// that each names its own.
func (s *scene) same(a, b draw.Arrow) bool {
	of := func(a draw.Arrow) string {
		return describe.Value(a.Value, func(id model.NodeID) string {
			if int(id) == a.To {
				return "receiver"
			}
			return s.name(id)
		})
	}
	return of(a) == of(b)
}

// alike counts the fields in which two values of a type are the same.
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

// between says what became of a node's memory from one of its steps to a later one.
func (s *scene) between(who model.NodeID, from, to int) {
	name := s.name(who)
	if struck := s.struck(who, from, to); len(struck) > 0 {
		s.sayf("in between %s.", listed(struck))
		return
	}
	found := false
	asked, _ := show.HoldsAsked(*s.record(to))
	for _, h := range asked {
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
			s.sayf("at %s %s found its hold of %s over%s%s.", s.step(to), name, s.step(h.Since), s.lasted(h.Since, to), drift)
		}
		found = true
	}
	if !found {
		s.remembers(who, from, to)
	}
}

// sentBack says what the receiver of a message sent to its sender, behind it, that had arrived by a step.
func (s *scene) sentBack(a draw.Arrow, by int) {
	for _, back := range s.d.Arrows {
		if back.From == a.To && back.To == a.From && back.From != back.To && arrives(a) && arrives(back) && back.Sent >= a.End && back.End <= by {
			if came := s.came(back.Sent); came != "" {
				s.sayf("in between %s had sent %s back, at %s: %s.", s.d.Lanes[a.To].Name, short(back.Label), s.step(back.Sent), came)
			}
		}
	}
}

// lasted says how old a hold was, where there is time.
func (s *scene) lasted(since, now int) string {
	if !s.run.Trace.Timed() {
		return ""
	}
	age := s.d.Rows[now].At - s.d.Rows[since].At
	return fmt.Sprintf(", %s after it had begun", counted(age))
}

func counted(ticks float64) string {
	if ticks == 1 {
		return "1 tick"
	}
	return fmt.Sprintf("%.4g ticks", ticks)
}

// struck lists the crashes and returns of a node between two steps.
func (s *scene) struck(who model.NodeID, from, to int) (all []string) {
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

// remembers says how the state of a node had changed between two of its steps.
func (s *scene) remembers(who model.NodeID, from, to int) {
	a, b := s.record(from), s.record(to)
	if a == nil || a.Before == nil { // it began with that step
		return
	}
	name := s.name(who)
	changes := describe.Diff(a.After, b.Before, s.name)
	switch same := len(describe.Diff(a.Before, b.Before, s.name)) == 0; {
	case same:
		s.sayf("before both, the state of %s was the same: nothing told it of the first.", name)
	case len(changes) == 0:
		s.sayf("in between, nothing changed in the state of %s: it had %s.", name, s.dated(who, b.Before, to-1))
	default:
		var parts []string
		for _, c := range changes {
			parts = append(parts, fmt.Sprintf("its %s went from %s to %s", c.Field, short(c.Before), short(c.After)))
		}
		s.sayf("in between %s; before the second, it had %s.", listed(parts), s.dated(who, b.Before, to-1))
	}
}
