package guard

import (
	"slices"

	"contend/model"
	"contend/model/rules"
)

// Beyond calls the Beyond of a cut.
func Beyond(c model.Cut, n model.Node) (beyond bool) {
	Must("cut "+c.Name, func() { beyond = c.Beyond(n) })
	return beyond
}

// Reached calls the Reached of a goal; claim is its name.
func Reached(claim string, g model.Goal) (reached bool) {
	Must("Reached of claim "+claim, func() { reached = g.Reached() })
	return reached
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
func Since(c *model.Cost, o model.Observation) (begins bool) {
	Must("Since of cost "+c.Name, func() { begins = c.Since(o) })
	return begins
}

// Counts calls the Causal of a claim.
func Counts(causal func(model.Observation) bool, o model.Observation) (counts bool) {
	Must("Causal", func() { counts = causal(o) })
	return counts
}

// Invariant calls the invariant of a claim. It returns the failure of the call, or the error of the invariant.
func Invariant(c model.Claim, nodes []model.Node) (f *Failure, violation error) {
	f = Call(func() { violation = c.Invariant(nodes) })
	return f, violation
}

// Forge calls the Forge of a system. It returns the messages, or the failure of the call.
func Forge(s *model.System, receiver model.Node, to, from model.NodeID) (messages []any, f *Failure) {
	f = Call(func() { messages = s.Forge(receiver, to, from) })
	return messages, f
}
