package why

import (
	"slices"

	"contend/model"
	"contend/traces/draw"
)

// explainContradiction adds the fewest observations that violate the claim together, and their causes.
func (s *scene) explainContradiction() {
	list := s.minimalContradiction()
	if len(list) == 0 {
		s.explainStep()
		return
	}
	var parts []string
	for _, o := range list {
		parts = append(parts, s.describe(o)+" at "+s.when(o.step))
	}
	last := list[len(list)-1]
	if len(parts) == 1 {
		s.mainf("it breaks when %s.", parts[0])
	} else {
		s.mainf("these do not go together: %s.", semicolons(parts))
	}
	if last.Kind == model.Delivered {
		s.explainDeliveries(list)
		return
	}
	if other, ok := s.counterpart(list); ok {
		s.explainOverlooked(other, last)
		if len(list) == 2 && last.Kind == model.Noted && s.explainGrant(other, last) {
			return
		}
		s.explainPair(other, last)
		return
	}
	s.explainTrigger(last)
	s.explainOvertaken(last)
	s.explainInFlight(last)
}

// explainOvertaken adds the operations of other nodes that happened before the operation of o began and had not
// returned when it did. Only causal claims are about that.
func (s *scene) explainOvertaken(o observation) {
	from := s.began(o)
	if s.claim.Causal == nil || o.Kind != model.Returned {
		return
	}
	past := s.past(from)
	for id := range s.d.Lanes {
		other := observation{Observation: model.Observation{Node: model.NodeID(id)}, step: o.step}
		step := s.began(other)
		if step == 0 || !past[step] || s.ended(model.NodeID(id), step, o.step) {
			continue
		}
		r := s.record(step)
		s.mainf("%s had invoked %s at %s, which happened before %s, and its operation had not returned.", s.d.Lanes[id].Name, s.value(r.Move.Event.Value), s.step(step), s.step(from))
		s.explainKnowledge(o.Node, step)
	}
}

// explainKnowledge adds the first message that could inform a node of a step of another. There must be such a
// message.
func (s *scene) explainKnowledge(id model.NodeID, step int) {
	first := s.d.Arrows[slices.IndexFunc(s.d.Arrows, func(a draw.Arrow) bool {
		return a.To == int(id) && a.From != int(id) && arrives(a) && s.past(a.Sent)[step]
	})]
	if effect := s.effect(first.End); effect != "" {
		s.mainf("%s could know of that by %s of %s, which came at %s: %s.", s.name(id), short(first.Label), s.d.Lanes[first.From].Name, s.step(first.End), effect)
	}
}

// past returns the steps that happened before a step, with the step itself.
func (s *scene) past(step int) map[int]bool {
	before := s.d.Before()
	seen, left := map[int]bool{step: true}, []int{step}
	for len(left) > 0 {
		next := left[len(left)-1]
		left = left[:len(left)-1]
		for _, b := range before[next] {
			if !seen[b] {
				seen[b] = true
				left = append(left, b)
			}
		}
	}
	return seen
}

// ended reports whether an operation that a node invoked in a step had returned, or had been ended by a crash,
// by another step.
func (s *scene) ended(id model.NodeID, from, by int) bool {
	return slices.ContainsFunc(s.seen, func(o observation) bool {
		return o.Node == id && o.step > from && o.step <= by && (o.Kind == model.Returned || o.Kind == model.Crashed)
	})
}

// explainStep adds the step that violates the claim. It serves claims that an alarm of the monitor violates,
// and monitors that cannot be run again.
func (s *scene) explainStep() {
	if step, _ := s.violation(); step >= 0 {
		s.mainf("it breaks at %s: %s.", s.when(step), s.eventText(step))
	}
}

// minimalContradiction returns observations of the run that violate the claim as the run did, and of which none
// can be omitted. It returns nil if the monitor does not give the same result again.
//
// Omitting an observation may violate the claim too: without its release a lock seems to be held. So an
// observation stays if adding it alone would remove the violation.
func (s *scene) minimalContradiction() []observation {
	whole, ok := s.rerun(s.seen)
	if !ok || whole.index < 0 || whole.index > mostSeen {
		return nil
	}
	all := s.seen[:whole.index+1]
	breaks := func(list []observation) bool {
		out, ok := s.rerun(list)
		return ok && out.index == len(list)-1 && s.sameViolation(out, whole)
	}
	needed := make([]bool, len(all))
	needed[len(all)-1] = true
	for {
		kept := s.minimize(all, slices.Clone(needed), breaks)
		undoes := s.masking(all, kept)
		if undoes < 0 {
			return selected(all, kept, -1)
		}
		needed[undoes] = true
	}
}

// sameViolation reports whether two outcomes violate the claim alike: with the same text or, for a refinement,
// with the same last observation.
func (s *scene) sameViolation(a, b outcome) bool {
	return a.violation == b.violation || s.claim.Kind == model.Refines
}

// masking returns the index of an omitted observation that removes the violation if it is added; -1 if there is
// none.
func (s *scene) masking(all []observation, kept []bool) int {
	for i := range all {
		if kept[i] {
			continue
		}
		if out, ok := s.rerun(selected(all, kept, i)); !ok || out.index < 0 {
			return i
		}
	}
	return -1
}

// minimize omits observations, in ever smaller groups, as long as the rest violates the claim. It returns the
// remaining ones.
func (s *scene) minimize(all []observation, needed []bool, breaks func([]observation) bool) []bool {
	kept := make([]bool, len(all))
	for i := range kept {
		kept[i] = true
	}
	for size := max(len(all)/2, 1); ; size /= 2 {
		for from := 0; from < len(all); from += size {
			without := slices.Clone(kept)
			for i := from; i < min(from+size, len(all)); i++ {
				without[i] = needed[i]
			}
			if !slices.Equal(without, kept) && breaks(selected(all, without, -1)) {
				kept = without
			}
		}
		if size == 1 {
			return kept
		}
	}
}

// selected returns the observations that are kept, and the observation at index extra.
func selected(all []observation, kept []bool, extra int) (list []observation) {
	for i, o := range all {
		if kept[i] || i == extra {
			list = append(list, o)
		}
	}
	return list
}

// counterpart returns the last earlier observation with the same kind as the last one, from another node of
// its role.
func (s *scene) counterpart(list []observation) (observation, bool) {
	last := list[len(list)-1]
	nodes := s.run.World.System.Nodes
	for _, o := range slices.Backward(list) {
		if o.Node != last.Node && o.Kind == last.Kind && nodes[o.Node].Role == nodes[last.Node].Role {
			return o, true
		}
	}
	return observation{}, false
}
