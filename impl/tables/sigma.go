package tables

import (
	"contend/impl/sigma"
	"contend/model"
)

// sigmaLock is no row of the lecture: Sigma gives its numbers in §4.2. n counts the servers.
// Messages take as long as they like there, so that delays are no times.
var sigmaLock = &model.Comparison{
	Name: "sigma", Title: "Sigma", Protocol: sigma.Protocol, Source: "Sigma, §4.2; not in the lecture", Size: model.Size{Name: "n"},
	Numbers: []model.PrintedNumber{
		number(messages, alone, "3n", times(3), times(3), coordinators(1, 1), []int{1, 2, 3, 4}),
		differing(number(messages, "two ask", "3n to 5n", times(3), times(5), coordinators(2, 1), []int{1}, 2),
			"a client that waits asks again and is answered, for as long as another is inside: §4.2 counts one such round"),
		number(client, alone, "2T", constantly(2), constantly(2), coordinators(1, 1), []int{1, 2, 3, 4}),
		differing(number(client, inTurn, "2T", constantly(2), constantly(2), coordinators(2, 1), []int{1, 2}), asksAgain),
		differing(number(handover, handing, "2T", constantly(2), constantly(2), coordinators(2, 1), []int{1, 2}), asksAgain),
	},
	Properties: []model.PrintedProperty{
		yes(safety, coordinators(2, 1)(2), "mutual exclusion"),
		yes(liveness, model.Check{Variant: "fifo", Config: model.Config{N: 2}}, "every request is granted"),
	},
}

const asksAgain = "until a slow RELEASE arrives, the client asks again and is answered: a long chain of messages that are fast; of messages that all take T, as §4.2 has them, there is time for few"
