package tables

import (
	"contend/impl/backoff"
	"contend/model"
	"contend/model/printed"
)

// backoffLock is the lock of Chockler, Malkhi and Reiter. The lecture has no row for it, and the paper prints no such
// numbers. The counts are of runs with at most two tries, because each further try costs more. N is the number of
// servers.
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

// tries returns the check of a number of clients with one entry each, in dense time. The lease is longer than Δ + 2δ, a
// strict bound that the grid would include.
func tries(clients int) func(n int) model.Check {
	return func(n int) model.Check {
		return model.Check{Config: model.Config{N: n}.With(model.Clients.Is(clients), backoff.Tries.Is(2)), Reading: model.Dense}
	}
}
