package why

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// together explains an invariant that does not hold: by the nodes whose states break it between
// them, and by the step that did.
func (s *scene) together() {
	step := s.brokeAt()
	if step < 0 {
		return
	}
	nodes, states := s.breakers()
	var parts []string
	for _, id := range nodes {
		parts = append(parts, fmt.Sprintf("%s has %s", s.name(id), s.state(states[id])))
	}
	s.sayf("after %s %s.", s.step(step), s.trouble(step))
	if len(parts) > 0 {
		s.sayf("%s.", listed(parts))
	}
	for _, id := range nodes {
		s.changedBy(id, step)
	}
}

// trouble says what is wrong after a step, as the claim has it.
func (s *scene) trouble(step int) string {
	for _, v := range s.run.World.Violations {
		if v.Claim == s.claim.Name && v.Step == step {
			return v.Text
		}
	}
	return ""
}

// brokeAt is the step after which the claim is broken first; -1 where none is.
func (s *scene) brokeAt() int {
	for _, v := range s.run.World.Violations {
		if v.Claim == s.claim.Name {
			return v.Step
		}
	}
	return -1
}

// breakers leaves out node after node, as if it were down, while the invariant does not hold
// still. The states are those at the end of the run, which ends where the invariant breaks.
func (s *scene) breakers() (nodes []model.NodeID, states []model.Node) {
	for i := range s.d.Lanes {
		states = append(states, s.run.World.Standing(model.NodeID(i)).State)
	}
	broken := func(all []model.Node) bool {
		failed, err := guard.Invariant(s.claim, all)
		return failed == nil && err != nil
	}
	least := slices.Clone(states)
	if s.brokeAt() != len(s.run.Records) || !broken(least) {
		return nil, states
	}
	for i := range least {
		was := least[i]
		if least[i] = nil; !broken(least) {
			least[i] = was
		}
	}
	for i, n := range least {
		if n != nil {
			nodes = append(nodes, model.NodeID(i))
		}
	}
	return nodes, states
}

// state lists the fields of a state that say something.
func (s *scene) state(n model.Node) string {
	var parts []string
	for _, f := range value.Fields(n, s.name) {
		parts = append(parts, f.Name+" "+f.Is)
	}
	if len(parts) == 0 {
		return "nothing set"
	}
	return listed(parts)
}

// changedBy says when a node came to its state.
func (s *scene) changedBy(id model.NodeID, until int) {
	for step := until; step > 0; step-- {
		r := s.record(step)
		if r.Node == id && r.After != nil && len(value.Diff(r.Before, r.After, s.name)) > 0 {
			s.sayf("%s came to that at %s (%s).", s.name(id), s.step(step), s.happens(step))
			return
		}
	}
}
