package tables

import (
	"contend/impl/sigma"
	"contend/model"
	"contend/model/printed"
)

// sigmaLock has the numbers of Sigma, §4.2. The lecture has no row for it. n is the number of servers.
// Messages of Sigma have no bound on time, so its delays are not times.
var sigmaLock = &printed.Comparison{
	Name: "sigma", Title: "Sigma", Protocol: sigma.Protocol, Source: "Sigma, §4.2; not in the lecture", Size: printed.Size{Name: "n"},
	Numbers: []printed.Number{
		number(messages, alone, "3n", times(3), times(3), coordinators(1, 1), []int{1, 2, 3, 4}),
		difference(number(messages, twoAsk, "3n to 5n", times(3), times(5), coordinators(2, 1), []int{1}, 2),
			"5n, in §4.2, is an entry with one more round. But a client that waits asks again and is answered for as long as another is inside"),
		number(client, alone, "2T", constant(2), constant(2), coordinators(1, 1), []int{1, 2, 3, 4}),
		difference(number(client, twoAsk, "2T", constant(2), constant(2), coordinators(2, 1), []int{1, 2}), asksAgain),
		difference(number(handover, twoAsk, "2T", constant(2), constant(2), coordinators(2, 1), []int{1, 2}), asksAgain),
	},
	Properties: []printed.Property{
		yes(safety, coordinators(2, 1)(3), "mutual exclusion"),
		yes(liveness, model.Check{Variant: "fifo", Config: model.Config{N: 3}}, "every request is granted"),
	},
}

const asksAgain = "2T is the least. Until a slow RELEASE arrives, the client asks again and is answered by fast messages"
