package tables

import (
	"slices"

	"contend/impl/lin"
	"contend/model"
	"contend/model/printed"
)

// The lecture's row "3N + f(k), round-trip (N request + N vote), round-trip (N release + M vote), Yes,
// Yes (using Yield), Not guaranteed", for both options. N is the number of coordinators.
var (
	linA = voting("lin-a", "Lin's voting algorithm, option A", "option-a-finite", retries, []int{1, 3}, nil,
		yes(safety, coordinators(2, 1)(3), "mutual exclusion"),
		printed.Property{
			Name: liveness, Text: "\"might cause starvation\"", Claims: []string{"every request is granted"}, Check: coordinators(2, 1)(2),
		})
	linB = withProblems(voting("lin-b", "Lin's voting algorithm, option B", "", yields, []int{1, 2, 3}, threeAsk,
		addChecks(yes(safety, coordinators(2, 2)(2), "mutual exclusion"), coordinators(3, 1)(2), coordinators(2, 1)(4)),
		neverGranted,
		printed.Property{Name: order, Text: "Not guaranteed", Claims: []string{"happened-before order"}, Check: coordinators(2, 2)(2)}),
		problem(lin.Protocol, "\"If a coordinator crashes, forgets previous votes\", f ≥ 2M − N", "forgotten-votes"))
)

// neverGranted is the lecture's "Yes (using Yield)". It is true of two processes and false of four.
var neverGranted = printed.Property{
	Name: liveness, Text: "Yes", Holds: true, Claims: []string{"deadlock freedom", "every request is granted"},
	Check:   coordinators(2, 1)(3),
	Also:    []model.Check{{Variant: "led", Config: model.Config{N: 4}.With(model.Clients.Is(4))}},
	Differs: "it holds for two processes, and for three that ask once (proofs/lin.md), but not for four: each of two takes a process that has yielded for the winner and waits, and the oldest yields and gets its votes again for ever",
}

// threeAsk is the client delay of three processes. All their runs are too many, so only some runs are searched.
var threeAsk = []printed.Number{
	difference(number(client, "three ask", "round-trip", constant(2), constant(2),
		func(n int) model.Check {
			return model.Check{Variant: "slow-releases", Config: model.Config{N: n}.With(model.Clients.Is(n))}
		}, []int{3}),
		"if one Release of each of the two that have left is slow, three coordinators can vote for three processes, and the third yields round after round. The runs are those up to a cut"),
}

const (
	yields    = "if N is even, two processes may have half of the votes each. They yield and are voted for again, round after round, while a message is slow. Until a Release arrives, a coordinator also votes for a process that has left"
	retries   = "a process that sees no majority gives its votes back and retries after a random period, again and again. Until a Release arrives, a coordinator also votes for a process that has left"
	atRelease = "a coordinator that is released sends one more vote, to the head of its queue (step e), which the sum leaves out: 4 messages instead of 3 at N = 1"
)

// voting returns the row of an option. Argument three has the numbers of three processes, if any. Argument contended
// has the sizes at which messages are counted while two processes ask. For even N, rounds of yields have no end.
func voting(name, title, variant, why string, contended []int, three []printed.Number, properties ...printed.Property) *printed.Comparison {
	one, two := coordinators(1, 1), coordinators(2, 1)
	return &printed.Comparison{
		Name: name, Title: title, Protocol: lin.Protocol, Variant: variant, Source: lecture, Size: printed.Size{Name: "N"},
		Numbers: slices.Concat([]printed.Number{
			number(messages, alone, "3N", times(3), times(3), one, []int{1, 2, 3, 4}),
			difference(number(messages, twoAsk, "3N + f(k)", times(3), withoutYields, two, contended), atRelease),
			difference(number("messages beyond 3N + f(k)", twoAsk, "0", constant(0), constant(0), two, []int{1, 3}), atRelease),
			number(client, alone, "round-trip", constant(2), constant(2), one, []int{1, 2, 3, 4}),
		}, roundTrips("; N odd", two, []int{1, 3}, ""), roundTrips("; N even", two, []int{2}, why), three),
		Properties: properties,
	}
}

// roundTrips returns the delays of two processes at some sizes. They are known to differ from the lecture if why is not
// empty.
func roundTrips(when string, two func(n int) model.Check, sizes []int, why string) []printed.Number {
	return []printed.Number{
		difference(number(client, twoAsk+when, "round-trip", constant(2), constant(2), two, sizes), why),
		difference(inTime(clientTime, twoAsk+when, "round-trip", constant(2), two, sizes), why),
		difference(number(handover, twoAsk+when, "round-trip", constant(2), constant(2), two, sizes), why),
		difference(inTime(handoverTime, twoAsk+when, "round-trip", constant(2), two, sizes), why),
	}
}

// withoutYields returns 3N + f(k) for k = 0. For odd N, one of two processes has a majority, so k is 0. Otherwise the
// lecture gives no bound of k.
func withoutYields(n int) int {
	if n%2 == 1 {
		return 3 * n
	}
	return printed.Unbounded
}

func withProblems(c *printed.Comparison, problems ...printed.Problem) *printed.Comparison {
	c.Problems = problems
	return c
}

// yes returns a property that the text claims.
func yes(name string, at model.Check, claims ...string) printed.Property {
	return printed.Property{Name: name, Text: "Yes", Holds: true, Claims: claims, Check: at}
}

// addChecks adds checks to a property.
func addChecks(p printed.Property, checks ...model.Check) printed.Property {
	p.Also = checks
	return p
}

// coordinators returns the check of a number of clients with a number of entries each. The size is the number of
// coordinators, or servers.
func coordinators(clients, ops int) func(n int) model.Check {
	return check(model.Clients.Is(clients), model.Ops.Is(ops))
}
