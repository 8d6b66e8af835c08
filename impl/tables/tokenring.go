package tables

import (
	"slices"

	"contend/impl/mutex"
	"contend/impl/tokenring"
	"contend/model"
	"contend/model/printed"
)

// tokenRing is the lecture's row "1 (all enter) to ∞ (none enter), 0 (token just received) to N-1
// (token just departed), 1 (successor will access) to N-1 (predecessor will access), Yes, Yes, No".
// No message serves a single entry. So messages are counted from one entry to the next.
var tokenRing = &printed.Comparison{
	Name: "tokenring", Title: "Token ring algorithm", Protocol: tokenring.Protocol, Source: lecture, Size: printed.Size{Name: "N"},
	Numbers: []printed.Number{
		number("messages between entries", alone, "", nil, nil, check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{2, 3, 4}),
		number("messages between entries", together, "1 (all enter) to ∞ (none enter)", constant(1), unbounded, check(model.Ops.Is(2)), []int{2, 3}),
		number(client, alone, "0 to N − 1", constant(0), lessOne(1), check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{2, 3, 4, 5}, 6, 7),
		number(client, twoAsk, "0 to N − 1", constant(0), lessOne(1), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{2, 3, 4}, 5),
		difference(inTime(clientTime, alone, "0 to N − 1", lessOne(1), check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{2, 3, 4}, 5),
			"a token that has just left is back after N messages. The first was sent before the request, so the delay in messages does not count it, but it takes time"),
		number(handover, twoAsk, "1 to N − 1", constant(1), lessOne(1), check(mutex.Asking.Is(2), model.Ops.Is(2)), []int{2, 3, 4}, 5),
		number(handover, together, "1 to N − 1", constant(1), lessOne(1), check(model.Ops.Is(1)), []int{2, 3, 4}),
		inTime(handoverTime, together, "1 to N − 1", lessOne(1), check(model.Ops.Is(1)), []int{2, 3}, 4),
	},
	Properties: slices.Concat(
		properties(check(model.Ops.Is(2))(3), true, true, false, nil)[:2],
		messageOrder(model.Check{Variant: "applications-talk", Config: check(model.Ops.Is(1))(2).Config}, check(model.Ops.Is(2))(3)),
	),
	Problems: []printed.Problem{
		problem(tokenring.Protocol, "\"What if token is lost?\"", "token-lost"),
		problem(tokenring.Protocol, "\"Detecting token loss is difficult, requires coordination\"", "regenerates-everywhere"),
		problem(tokenring.Protocol, "\"What if a process crashes?\"", "process-crashes"),
		problem(tokenring.Protocol, "\"Send the token to the next member down the line\"", "token-dies"),
	},
}

// unbounded returns a number without a largest value.
func unbounded(int) int { return printed.Unbounded }
