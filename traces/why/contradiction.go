package why

import (
	"slices"

	"contend/model"
	"contend/traces/draw"
)

// contradiction says which observations break the claim between them, and how they came to be.
func (s *scene) contradiction() {
	list := s.contradicting()
	if len(list) == 0 {
		s.sudden()
		return
	}
	var parts []string
	for _, o := range list {
		parts = append(parts, s.tell(o)+" at "+s.when(o.step))
	}
	last := list[len(list)-1]
	if len(parts) == 1 {
		s.mainf("it breaks when %s.", parts[0])
	} else {
		s.mainf("these do not go together: %s.", apart(parts))
	}
	if last.Kind == model.Delivered {
		s.deliveries(list)
		return
	}
	if other, is := s.counterpart(list); is {
		s.passedOver(other, last)
		if len(list) == 2 && last.Kind == model.Noted && s.granted(other, last) {
			return
		}
		s.both(other, last)
		return
	}
	s.trigger(last)
	s.overtaken(last)
	s.unheard(last)
}

// overtaken lists the operations of others that had not returned when one did, though they were
// invoked in the causal past of its own invocation; of a claim that speaks of that.
func (s *scene) overtaken(o observation) {
	from := s.began(o)
	if s.claim.Causal == nil || o.Kind != model.Returned {
		return
	}
	past := s.past(from)
	for id := range s.d.Lanes {
		other := observation{Observation: model.Observation{Node: model.NodeID(id)}, step: o.step}
		at := s.began(other)
		if at == 0 || !past[at] || s.ended(model.NodeID(id), at, o.step) {
			continue
		}
		r := s.record(at)
		s.mainf("%s had invoked %s at %s, which happened before %s, and its operation had not returned.", s.d.Lanes[id].Name, s.value(r.Move.Event.Value), s.step(at), s.step(from))
		s.knewOf(o.Node, at)
	}
}

// knewOf says by which message a node could know first of what another had done in a step, as it could at some time.
func (s *scene) knewOf(id model.NodeID, at int) {
	first := s.d.Arrows[slices.IndexFunc(s.d.Arrows, func(a draw.Arrow) bool {
		return a.To == int(id) && a.From != int(id) && arrives(a) && s.past(a.Sent)[at]
	})]
	if came := s.came(first.End); came != "" {
		s.mainf("%s could know of that by %s of %s, which came at %s: %s.", s.name(id), short(first.Label), s.d.Lanes[first.From].Name, s.step(first.End), came)
	}
}

// past are the steps from which a step can be reached.
func (s *scene) past(step int) map[int]bool {
	before := s.d.Before()
	seen, left := map[int]bool{step: true}, []int{step}
	for len(left) > 0 {
		at := left[len(left)-1]
		left = left[:len(left)-1]
		for _, b := range before[at] {
			if !seen[b] {
				seen[b] = true
				left = append(left, b)
			}
		}
	}
	return seen
}

// ended reports whether an operation that a node invoked in a step had returned by another, or the
// node had gone down.
func (s *scene) ended(id model.NodeID, from, by int) bool {
	return slices.ContainsFunc(s.seen, func(o observation) bool {
		return o.Node == id && o.step > from && o.step <= by && (o.Kind == model.Returned || o.Kind == model.Crashed)
	})
}

// sudden explains a claim that an alarm of its monitor breaks, or a monitor that cannot be asked
// again: by the step that breaks it.
func (s *scene) sudden() {
	if step, _ := s.broke(); step >= 0 {
		s.mainf("it breaks at %s: %s.", s.when(step), s.happens(step))
	}
}

// contradicting finds observations of the run of which none can be left out: with the last of them the
// monitor finds the claim broken as it did in the run, and does not without any one of the others. None
// when the monitor does not come to the same when it is asked again.
//
// Taking an observation away may also break the claim: without its release a lock looks held. So no
// observation is left out that by itself would undo what is found.
func (s *scene) contradicting() []observation {
	whole, ok := s.again(s.seen)
	if !ok || whole.at < 0 || whole.at > mostSeen {
		return nil
	}
	all := s.seen[:whole.at+1]
	breaks := func(list []observation) bool {
		out, ok := s.again(list)
		return ok && out.at == len(list)-1 && s.alike(out, whole)
	}
	needed := make([]bool, len(all))
	needed[len(all)-1] = true
	for {
		kept := s.least(all, slices.Clone(needed), breaks)
		undoes := s.undoing(all, kept)
		if undoes < 0 {
			return chosen(all, kept, -1)
		}
		needed[undoes] = true
	}
}

// alike reports whether two lists of observations, which break the claim, do so alike: in the same words, or, of a
// refinement, by what comes last, whatever else the page would have shown.
func (s *scene) alike(a, b outcome) bool {
	return a.broken == b.broken || s.claim.Kind == model.Refines
}

// undoing is the place of an observation that is not kept, and that undoes what is found; or -1.
func (s *scene) undoing(all []observation, kept []bool) int {
	for i := range all {
		if kept[i] {
			continue
		}
		if out, ok := s.again(chosen(all, kept, i)); !ok || out.at < 0 {
			return i
		}
	}
	return -1
}

// least leaves out as much as it can, in ever smaller pieces, of what is not needed. It returns what is
// kept.
func (s *scene) least(all []observation, needed []bool, breaks func([]observation) bool) []bool {
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
			if !slices.Equal(without, kept) && breaks(chosen(all, without, -1)) {
				kept = without
			}
		}
		if size == 1 {
			return kept
		}
	}
}

// chosen are the observations that are kept, and the one at a place besides.
func chosen(all []observation, kept []bool, besides int) (list []observation) {
	for i, o := range all {
		if kept[i] || i == besides {
			list = append(list, o)
		}
	}
	return list
}

// counterpart is what another node of the same role did, of the same kind, that the last observation
// contradicts.
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
