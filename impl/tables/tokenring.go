package tables

import (
	"contend/impl/mutex"
	"contend/impl/tokenring"
	"contend/model"
)

// tokenRing is the lecture's row "1 (all enter) to ∞ (none enter), 0 (token just received) to N-1
// (token just departed), 1 (successor will access) to N-1 (predecessor will access), Yes, Yes, No".
// No message is sent on behalf of an entry, so that messages are counted from one to the next.
var tokenRing = &model.Comparison{
	Name: "tokenring", Title: "Token ring algorithm", Protocol: tokenring.Protocol, Source: lecture, Size: model.Size{Name: "N"},
	Numbers: []model.PrintedNumber{
		number("messages between entries", alone, "", nil, nil, check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{2, 3, 4}),
		number("messages between entries", together, "1 (all enter) to ∞ (none enter)", constantly(1), unbounded, check(model.Ops.Is(2)), []int{2, 3}),
		number(client, alone, "0 to N − 1", constantly(0), lessOne(1), check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{2, 3, 4, 5}, 6, 7),
		number(client, inTurn, "0 to N − 1", constantly(0), lessOne(1), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{2, 3, 4}, 5),
		differing(inTime(clientTime, alone, "0 to N − 1", lessOne(1), check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{2, 3, 4}, 5),
			"a token that has just departed is back after N messages; that the first of them was sent before the request makes the chain shorter, and not the wait"),
		number(handover, handing, "1 to N − 1", constantly(1), lessOne(1), check(mutex.Asking.Is(2), model.Ops.Is(2)), []int{2, 3, 4}, 5),
		number(handover, together, "1 to N − 1", constantly(1), lessOne(1), check(model.Ops.Is(1)), []int{2, 3, 4}),
		inTime(handoverTime, together, "1 to N − 1", lessOne(1), check(model.Ops.Is(1)), []int{2, 3}, 4),
	},
	Properties: properties(check(model.Ops.Is(2))(3), true, true, false, map[string]string{
		order: "a request sends nothing, so that none happens before another until its process has entered and passed the token on; the order breaks where applications tell each other of their requests: the last problem",
	}),
	Problems: []model.PrintedProblem{
		problem(tokenring.Protocol, "\"What if token is lost?\"", "token-lost"),
		problem(tokenring.Protocol, "\"Detecting token loss is difficult, requires coordination\"", "regenerates-everywhere"),
		problem(tokenring.Protocol, "\"What if a process crashes?\"", "process-crashes"),
		problem(tokenring.Protocol, "\"Send the token to the next member down the line\"", "token-dies"),
		problem(tokenring.Protocol, "happened-before ordering \"No\"", "applications-talk"),
	},
}

// unbounded is a number without a largest.
func unbounded(int) int { return model.Unbounded }
