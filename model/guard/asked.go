package guard

import (
	"slices"

	"contend/model"
	"contend/model/rules"
)

// Beyond asks a cut, and Reached a goal.
func Beyond(c model.Cut, n model.Node) (is bool) {
	Must("cut "+c.Name, func() { is = c.Beyond(n) })
	return is
}

// Reached asks a goal whether it is reached; claim names it.
func Reached(claim string, g model.Goal) (is bool) {
	Must("Reached of claim "+claim, func() { is = g.Reached() })
	return is
}

// Totals asks the meter of a cost for its numbers at the end of a run, in ascending order; cost
// names it. A meter that has none there is misused.
func Totals(cost string, meter model.Monitor) (all []int) {
	switch t := meter.(type) {
	case model.Total:
		Must("Total of cost "+cost, func() { all = []int{t.Total()} })
	case model.Totals:
		Must("Totals of cost "+cost, func() { all = slices.Sorted(slices.Values(t.Totals())) })
	default:
		model.Misused("the meter of %s has no total to be read at the end of a run", cost)
	}
	for _, n := range all {
		rules.MustMeasure("claim "+cost, n, false)
	}
	return all
}

// Since asks a cost whether its chains begin with an observation.
func Since(c *model.Cost, o model.Observation) (is bool) {
	Must("Since of cost "+c.Name, func() { is = c.Since(o) })
	return is
}

// Counts asks a causal claim whether an observation counts.
func Counts(causal func(model.Observation) bool, o model.Observation) (is bool) {
	Must("Causal", func() { is = causal(o) })
	return is
}

// Invariant judges the nodes of a state: it says what is wrong, or nil. A failure is none of what
// it says.
func Invariant(c model.Claim, nodes []model.Node) (f *Failure, says error) {
	f = Call(func() { says = c.Invariant(nodes) })
	return f, says
}

// Forge asks a system what a Byzantine node may say to a receiver.
func Forge(s *model.System, receiver model.Node, to, from model.NodeID) (messages []any, f *Failure) {
	f = Call(func() { messages = s.Forge(receiver, to, from) })
	return messages, f
}
