package guard

import "contend/model"

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

// Total asks the meter of a cost for its number; cost names it.
func Total(cost string, t model.Total) (n int) {
	Must("Total of cost "+cost, func() { n = t.Total() })
	return n
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
