package tables

import (
	"contend/impl/maekawa"
	"contend/impl/mutex"
	"contend/model"
	"contend/model/printed"
)

// maekawaLock is the lecture's row "3K ({K request + K OK} + K release), round-trip (K request + K OK), round-trip
// (release + OK), Yes, No, No". K is the size of a voting set. A process is a member of its own set. As in the lecture,
// its messages to itself count.
var maekawaLock = &printed.Comparison{
	Name: "maekawa", Title: "Maekawa's voting algorithm", Protocol: maekawa.Protocol, Source: lecture, Size: printed.Size{Name: "K", Of: voters},
	Numbers: []printed.Number{
		number(messages, alone, "3K", times(3), times(3), check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{3, 7}, 13),
		number(messages, twoAsk, "3K", times(3), times(3), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{3, 7}),
		number(client, alone+atOnce, "round-trip", constant(2), constant(2), ownAtOnce(1, 2), []int{3, 7}),
		number(client, twoAsk+atOnce, "round-trip", constant(2), constant(2), ownAtOnce(2, 1), []int{3, 7}),
		inTime(clientTime, twoAsk, "round-trip", constant(2), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{3, 7}),
		inTime(handoverTime, twoAsk, "round-trip", constant(2), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{3, 7}),
		difference(number(client, alone, "round-trip", constant(2), constant(2), check(mutex.Asking.Is(1), model.Ops.Is(2)), []int{3, 7}), ownVote),
		difference(number(handover, twoAsk, "round-trip", constant(2), constant(2), check(mutex.Asking.Is(2), model.Ops.Is(1)), []int{3, 7}), ownVote),
	},
	Properties: properties(check(model.Ops.Is(2))(3), true, false, false, nil, check(mutex.Asking.Is(3), model.Ops.Is(1))(7)),
	Problems: []printed.Problem{
		problem(maekawa.Protocol, "\"Liveness not guaranteed (system may deadlock)\"", "deadlock"),
		problem(maekawa.Protocol, "\"Cannot tolerate failures within the required voting set\"", "failed-member"),
	},
}

// A process is in its own voting set. It sends itself a message, or votes for itself at once.
const (
	atOnce  = ", its own vote at once"
	ownVote = "a process also asks itself by a message. If that arrives after another's OK, its own OK is the third message in the chain. As a time, or if the own vote is given at once, the delay is a round trip"
)

// ownAtOnce returns the check in which a number of processes make a number of entries each. They vote for themselves
// without messages.
func ownAtOnce(asking, ops int) func(n int) model.Check {
	return func(n int) model.Check {
		c := check(mutex.Asking.Is(asking), model.Ops.Is(ops))(n)
		c.Variant = "own-vote-at-once"
		return c
	}
}

// times returns a multiple of the size.
func times(a int) func(int) int { return func(size int) int { return a * size } }

// voters returns K for n processes with voting sets of the least size.
func voters(n int) int {
	switch {
	case n <= 1:
		return n
	case n <= 3:
		return 2
	case n <= 7:
		return 3
	}
	return 4
}
