package guard

import (
	"slices"

	"contend/model"
	"contend/model/rules"
)

// Beyond calls the Beyond of a cut.
func Beyond(c model.Cut, n model.Node) (is bool) {
	Must("cut "+c.Name, func() { is = c.Beyond(n) })
	return is
}

// Reached calls the Reached of a goal; claim is its name.
func Reached(claim string, g model.Goal) (is bool) {
	Must("Reached of claim "+claim, func() { is = g.Reached() })
	return is
}

// Totals returns the numbers of a meter at the end of a run, sorted; cost is its name. A meter without totals
// is a misuse.
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

// Since calls the Since of a cost.
func Since(c *model.Cost, o model.Observation) (is bool) {
	Must("Since of cost "+c.Name, func() { is = c.Since(o) })
	return is
}

// Counts calls the Causal of a claim.
func Counts(causal func(model.Observation) bool, o model.Observation) (is bool) {
	Must("Causal", func() { is = causal(o) })
	return is
}

// Invariant calls the invariant of a claim. It returns the failure of the call, or the error of the invariant.
func Invariant(c model.Claim, nodes []model.Node) (f *Failure, says error) {
	f = Call(func() { says = c.Invariant(nodes) })
	return f, says
}

// Forge calls the Forge of a system. It returns the messages, or the failure of the call.
func Forge(s *model.System, receiver model.Node, to, from model.NodeID) (messages []any, f *Failure) {
	f = Call(func() { messages = s.Forge(receiver, to, from) })
	return messages, f
}
