package tables

import (
	"contend/impl/mutex"
	ra "contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/printed"
)

// ricartagrawala is the lecture's row "2(N-1) (N-1 request + N-1 OK), round-trip, 1 (OK), Yes,
// Yes, Yes".
var ricartagrawala = &printed.Comparison{
	Name: "ricartagrawala", Title: "Ricart & Agrawala's algorithm", Protocol: ra.Protocol, Source: lecture, Size: printed.Size{Name: "N"},
	Numbers: []printed.Number{
		number(messages, alone, "2(N − 1)", lessOne(2), lessOne(2), check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{2, 3, 4, 5}, 6),
		number(messages, together, "2(N − 1)", lessOne(2), lessOne(2), check(model.Ops.Is(1)), []int{2, 3}, 4),
		number(client, alone, "round-trip", constant(2), constant(2), check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{2, 3, 4}, 5),
		number(client, twoAsk, "round-trip", constant(2), constant(2), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{2, 3}, 4),
		inTime(clientTime, twoAsk, "round-trip", constant(2), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{2, 3}, 4),
		number(handover, twoAsk, "1 (OK)", constant(1), constant(1), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{2, 3}, 4),
		inTime(handoverTime+", request arrived", twoAsk, "1 (OK)", constant(1), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{2, 3}, 4),
		difference(inTime(handoverTime, twoAsk, "1 (OK)", constant(1), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{2, 3}, 4),
			"a process that asked just before the exit also waits for its request to arrive, which the rows that agree leave out"),
	},
	Properties: append(properties(check(model.Ops.Is(2))(3), true, true, true, nil)[:2], printed.Property{
		Name: order, When: "every message carries the time", Text: yesNo(true), Holds: true, Claims: []string{"happened-before order"},
		Check: model.Check{Variant: "stamped-replies", Config: model.Config{N: 3}.With(model.Ops.Is(2))},
	}, printed.Property{
		Name: order, When: "an OK carries none, as printed", Text: yesNo(true), Holds: true, Claims: []string{"happened-before order"},
		Check:   check(model.Ops.Is(2))(3),
		Differs: "a process can learn of a request through an OK and still give its own an earlier time: the finding happened-before",
	}),
	Problems: []printed.Problem{
		{Text: "\"What if any process fails?\"", Claim: "every request is granted", Check: faulty(2, model.Faults{Crashes: 1}, model.Ops.Is(1))},
	},
}
