package tables

import (
	"contend/impl/mutex"
	ra "contend/impl/ricartagrawala"
	"contend/model"
)

// ricartagrawala is the lecture's row "2(N-1) (N-1 request + N-1 OK), round-trip, 1 (OK), Yes,
// Yes, Yes".
var ricartagrawala = &model.Comparison{
	Name: "ricartagrawala", Title: "Ricart & Agrawala's algorithm", Protocol: ra.Protocol, Source: lecture, Size: model.Size{Name: "N"},
	Numbers: []model.PrintedNumber{
		{
			Cost: "messages per entry and exit", When: alone, Text: "2(N − 1)", Least: lessOne(2), Most: lessOne(2),
			At: check(mutex.Asking.Is(1), model.Ops.Is(2)), Sizes: []int{2, 3, 4, 5}, More: []int{6},
		},
		{
			Cost: "messages per entry and exit", When: together, Text: "2(N − 1)", Least: lessOne(2), Most: lessOne(2),
			At: check(model.Ops.Is(1)), Sizes: []int{2, 3}, More: []int{4},
		},
		{
			Cost: "client delay", When: alone, Text: "round-trip", Least: constantly(2), Most: constantly(2),
			At: check(mutex.Asking.Is(1), model.Ops.Is(2)), Sizes: []int{2, 3, 4}, More: []int{5},
		},
		{
			Cost: "client delay", When: inTurn, Text: "round-trip", Least: constantly(2), Most: constantly(2),
			At: check(mutex.Asking.Is(2), model.Ops.Is(1)), Sizes: []int{2, 3}, More: []int{4},
		},
		{
			Cost: "synchronization delay", When: handing, Text: "1 (OK)", Least: constantly(1), Most: constantly(1),
			At: check(mutex.Asking.Is(2), model.Ops.Is(1)), Sizes: []int{2, 3}, More: []int{4},
		},
	},
	Properties: append(properties(check(model.Ops.Is(2))(3), true, true, true, map[string]string{
		order: "a reply carries no time, so that a process may hear of a request and yet give its own an earlier time: docs/findings.md#happened-before",
	}), model.PrintedProperty{
		Name: order + ", replies carry the time", Claims: []string{"happened-before order"},
		Check: model.Check{Variant: "stamped-replies", Config: model.Config{N: 3}.With(model.Ops.Is(2))},
	}),
	Problems: []model.PrintedProblem{
		{Text: "What if any process fails?", Claim: "every request is granted", Check: failing(2, model.Faults{Crashes: 1}, model.Ops.Is(1))},
	},
}
