package why

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/value"
)

// An operation is a call in a history, with its return if there is one.
type operation struct {
	call     observation
	returned *observation
}

// explainOrder explains a history that is not linearizable: by the longest order of operations with these
// results, and an operation that does not fit into it.
func (s *scene) explainOrder() {
	watching, _ := s.run.World.MonitorStatus(s.claim.Name)
	orderer, ok := watching.State.(model.Orderer)
	broken, _ := s.violation()
	if !ok || broken < 0 {
		return
	}
	history, plain := s.history(broken)
	places := orderer.Order(plain)
	stuck, found := s.stuck(history, places)
	if places == nil || !found {
		s.explainStep()
		return
	}
	var placed []operation
	for _, index := range places {
		placed = append(placed, s.operationAt(history, index))
	}
	placed, states := s.needed(placed)
	s.explainPlaced(placed)
	s.explainStuck(placed, stuck, states)
	changer, found := s.changer(placed)
	if found {
		s.explainUnaware(changer, stuck)
	}
	for _, op := range slices.Backward(placed) {
		if op.returned != nil && op.call.Node != stuck.call.Node {
			if op.call.step != changer.call.step {
				s.explainReturn(op)
			}
			s.explainPair(*op.returned, *stuck.returned)
			return
		}
	}
	s.explainInputs(*stuck.returned, s.lastMessages(*stuck.returned))
}

// history returns the observations of operations until a step.
func (s *scene) history(until int) (all []observation, plain []model.Observation) {
	for _, o := range s.seen {
		if o.step <= until && (o.Kind == model.Invoked || o.Kind == model.Returned || o.Kind == model.Released) {
			all, plain = append(all, o), append(plain, o.Observation)
		}
	}
	return all, plain
}

// operationAt returns the operation whose call, or release, is at an index of the history.
func (s *scene) operationAt(history []observation, index int) operation {
	op := operation{call: history[index]}
	if op.call.Kind == model.Released {
		op.returned = &history[index]
		return op
	}
	for i, o := range history[index+1:] {
		if o.Node == op.call.Node && o.Kind == model.Returned {
			op.returned = &history[index+1+i]
			break
		}
	}
	return op
}

// stuck returns the last returned operation that is not in the order.
func (s *scene) stuck(history []observation, places []int) (last operation, found bool) {
	for index, o := range history {
		if o.Kind == model.Returned || slices.Contains(places, index) {
			continue
		}
		op := s.operationAt(history, index)
		if !s.open(op) && (!found || op.returned.step > last.returned.step) {
			last, found = op, true
		}
	}
	return last, found
}

// needed removes the operations that have not returned and need not have taken effect. It also returns the
// possible states of the object after the others.
func (s *scene) needed(placed []operation) ([]operation, []any) {
	for i := 0; i < len(placed); i++ {
		without := slices.Delete(slices.Clone(placed), i, i+1)
		if s.open(placed[i]) && len(s.statesAfter(without)) > 0 {
			placed, i = without, i-1
		}
	}
	return placed, s.statesAfter(placed)
}

// open reports whether the result of an operation is unknown.
func (s *scene) open(op operation) bool {
	return op.returned == nil || !s.claim.Object.Knows(op.returned.Value)
}

// statesAfter returns the possible states of the object after operations in order.
func (s *scene) statesAfter(placed []operation) []any {
	states := []any{s.claim.Object.Init}
	for _, op := range placed {
		next := map[string]any{}
		for _, state := range states {
			for _, e := range s.claim.Object.Step(state, op.call.Node, op.call.Value) {
				if s.open(op) || op.call.Kind == model.Released || value.Canonical(e.Result) == value.Canonical(op.returned.Value) {
					next[value.Canonical(e.State)] = e.State
				}
			}
		}
		states = nil
		for _, key := range keys(next) {
			states = append(states, next[key])
		}
	}
	return states
}

func (s *scene) explainPlaced(placed []operation) {
	if len(placed) == 0 {
		s.sayf("no operation can come first.")
		return
	}
	var parts []string
	for _, op := range placed {
		parts = append(parts, s.describeOperation(op))
	}
	s.mainf("the longest order of operations that explains what they return: %s.", semicolons(parts))
}

// describeOperation returns a phrase for an operation, with its steps.
func (s *scene) describeOperation(op operation) string {
	text := fmt.Sprintf("%s of %s", s.value(op.call.Value), s.name(op.call.Node))
	switch {
	case op.call.Kind == model.Released:
		return fmt.Sprintf("%s (%s)", text, s.step(op.call.step))
	case op.returned == nil:
		return fmt.Sprintf("%s (invoked at %s, not returned)", text, s.step(op.call.step))
	case op.returned.Value != nil:
		text += ", which returns " + s.value(op.returned.Value)
	}
	return fmt.Sprintf("%s (%s to %s)", text, s.step(op.call.step), s.step(op.returned.step))
}

// explainStuck adds the results that the object allows for the operation that does not fit.
func (s *scene) explainStuck(placed []operation, stuck operation, states []any) {
	allowed := map[string]any{}
	var stand []string
	for _, state := range states {
		stand = append(stand, s.value(state))
		for _, e := range s.claim.Object.Step(state, stuck.call.Node, stuck.call.Value) {
			allowed[value.Canonical(e.Result)] = e.Result
		}
	}
	where := "at first"
	if len(placed) > 0 {
		where = "after it"
	}
	text := fmt.Sprintf("%s has no place: %s the object, a %s, is %s", s.describeOperation(stuck), where, s.claim.Object.Name, joined(stand, ", ", " or "))
	if len(states) == 0 {
		text = fmt.Sprintf("%s has no place: %s the object, a %s, is in no state", s.describeOperation(stuck), where, s.claim.Object.Name)
	}
	if len(allowed) == 0 {
		s.mainf("%s, which does not allow it.", text)
		return
	}
	var results []string
	for _, key := range keys(allowed) {
		results = append(results, s.value(allowed[key]))
	}
	s.mainf("%s, and would let it return %s.", text, joined(results, ", ", " or "))
}
