package tables

import (
	"contend/impl/backoff"
	"contend/model"
	"contend/model/printed"
)

// backoffLock is no row of the lecture: the lock of Chockler, Malkhi and Reiter gives no such
// numbers. Its messages and delays are those of runs of at most two tries, as each try more has
// its own. N counts the servers.
var backoffLock = &printed.Comparison{
	Name: "backoff", Title: "the backoff lock, its N servers locked for Δ + 2δ by a grant", Protocol: backoff.Protocol, Variant: "leaving",
	Source: "Chockler–Malkhi–Reiter, Figure 1; not in the lecture", Size: printed.Size{Name: "N"},
	Numbers: []printed.Number{
		number(messages, alone, "", nil, nil, tries(1), []int{1, 2, 3, 4}),
		number(messages, together, "", nil, nil, tries(2), []int{2}, 3),
		number(client, alone, "", nil, nil, tries(1), []int{1, 2, 3}),
		number(client, twoAsk, "", nil, nil, tries(2), []int{2}, 3),
		number(handover, twoAsk, "", nil, nil, tries(2), []int{2}, 3),
	},
	Properties: []printed.Property{
		{Name: safety, Claims: []string{"Lemma 1"}, Check: model.Check{Config: model.Config{N: 3}, Reading: model.Dense}},
		{Name: liveness, Claims: []string{"Corollary 2"}, Check: model.Check{Variant: "truncated", Config: model.Config{N: 2}, Reading: model.Grid}},
	},
}

// tries is the check with so many clients of one entry each, in dense time: the lease is longer
// than Δ + 2δ, and the grid would close that bound.
func tries(clients int) func(n int) model.Check {
	return func(n int) model.Check {
		return model.Check{Config: model.Config{N: n}.With(model.Clients.Is(clients), backoff.Tries.Is(2)), Reading: model.Dense}
	}
}
