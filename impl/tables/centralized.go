package tables

import (
	"contend/impl/centralized"
	"contend/model"
)

// centralizedLock is the lecture's row "3 ({request + OK} + release), round-trip (request + OK),
// round-trip (release + OK), Yes, Yes, No". N counts the processes that may ask.
var centralizedLock = &model.Comparison{
	Name: "centralized", Title: "Centralized algorithm", Protocol: centralized.Protocol, Source: lecture, Size: model.Size{Name: "N"},
	Numbers: []model.PrintedNumber{
		number(messages, alone, "3", constantly(3), constantly(3), clients(2), []int{1}),
		number(messages, together, "3", constantly(3), constantly(3), clients(1), []int{2, 3}, 4),
		number(client, alone, "round-trip", constantly(2), constantly(2), clients(2), []int{1}),
		number(client, inTurn, "round-trip", constantly(2), constantly(2), clients(1), []int{2}),
		inTime(clientTime, inTurn, "round-trip", constantly(2), clients(1), []int{2}),
		number(handover, handing, "round-trip", constantly(2), constantly(2), clients(2), []int{2}),
		inTime(handoverTime, handing, "round-trip", constantly(2), clients(2), []int{2}),
	},
	Properties: properties(clients(2)(2), true, true, false, map[string]string{
		order: "of the requests alone it is kept, as the coordinator is all that one process hears of another by; it breaks where applications tell each other of their requests: the last problem",
	}),
	Problems: []model.PrintedProblem{
		problem(centralized.Protocol, "\"What if coordinator crashes?\"", "coordinator-crashes"),
		problem(centralized.Protocol, "\"A process cannot distinguish between 'lock in use' and 'crashed coordinator'\"", "crashed-or-in-use"),
		problem(centralized.Protocol, "happened-before ordering \"No\"", "applications-talk"),
	},
}

// clients is the check with as many clients as the size says, of so many entries each.
func clients(ops int) func(n int) model.Check {
	return func(n int) model.Check {
		return model.Check{Config: model.Config{}.With(model.Clients.Is(n), model.Ops.Is(ops))}
	}
}
