package tables

import (
	"slices"

	"contend/impl/centralized"
	"contend/model"
	"contend/model/printed"
)

// centralizedLock is the lecture's row "3 ({request + OK} + release), round-trip (request + OK),
// round-trip (release + OK), Yes, Yes, No". N is the number of processes that may ask.
var centralizedLock = &printed.Comparison{
	Name: "centralized", Title: "Centralized algorithm", Protocol: centralized.Protocol, Source: lecture, Size: printed.Size{Name: "N"},
	Numbers: []printed.Number{
		number(messages, together, "3", constant(3), constant(3), clients(1), []int{1, 2, 3}, 4),
		number(client, together, "round-trip", constant(2), constant(2), clients(1), []int{1, 2, 3}),
		inTime(clientTime, together, "round-trip", constant(2), clients(1), []int{1, 2, 3}),
		number(handover, together, "round-trip", constant(2), constant(2), clients(1), []int{2, 3}),
		inTime(handoverTime, together, "round-trip", constant(2), clients(1), []int{2, 3}),
	},
	Properties: slices.Concat(
		properties(clients(2)(2), true, true, false, nil, clients(1)(3))[:2],
		messageOrder(model.Check{Variant: "applications-talk", Config: clients(1)(2).Config}, clients(2)(2)),
	),
	Problems: []printed.Problem{
		problem(centralized.Protocol, "\"What if coordinator crashes?\"", "coordinator-crashes"),
		problem(centralized.Protocol, "\"A process cannot distinguish between 'lock in use' and 'crashed coordinator'\"", "crashed-or-in-use"),
	},
}

// clients returns the check of n clients with a number of entries each.
func clients(ops int) func(n int) model.Check {
	return func(n int) model.Check {
		return model.Check{Config: model.Config{}.With(model.Clients.Is(n), model.Ops.Is(ops))}
	}
}
