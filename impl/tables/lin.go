package tables

import (
	"contend/impl/lin"
	"contend/model"
)

// The lecture's row "3N + f(k), round-trip (N request + N vote), round-trip (N release + M vote), Yes,
// Yes (using Yield), Not guaranteed", for both options. N counts the coordinators.
var (
	linA = voting("lin-a", "Lin's voting algorithm, option A", "option-a-finite", retries, []int{1}, []int{1, 2},
		yes(safety, coordinators(2, 1)(2), "mutual exclusion"),
		model.PrintedProperty{
			Name: liveness, Text: "\"might cause starvation\"", Claims: []string{"every request is granted"}, Check: coordinators(2, 1)(2),
		})
	linB = withProblems(voting("lin-b", "Lin's voting algorithm, option B", "", yields, []int{1, 2}, []int{1, 2, 3},
		yes(safety, coordinators(2, 2)(2), "mutual exclusion"),
		yes(liveness, coordinators(2, 1)(2), "deadlock freedom", "every request is granted"),
		model.PrintedProperty{Name: order, Text: "Not guaranteed", Claims: []string{"happened-before order"}, Check: coordinators(2, 2)(2)}),
		problem(lin.Protocol, "\"If a coordinator crashes, forgets previous votes\", f ≥ 2M − N", "forgotten-votes"))
)

const (
	yields       = "where N is even two processes may have half of the votes each: then a process that sees no majority yields and is voted for anew, round after round, while a message is slow, which the lecture's round trip leaves out"
	retries      = "a process that sees no majority gives its votes back and retries after a random period, again and again"
	afterRelease = "; when the other has left, a coordinator that its Release has not reached yet still votes for it"
)

func voting(name, title, variant, why string, contended, sizes []int, properties ...model.PrintedProperty) *model.Comparison {
	one, two := coordinators(1, 1), coordinators(2, 1)
	return &model.Comparison{
		Name: name, Title: title, Protocol: lin.Protocol, Variant: variant, Source: lecture, Size: model.Size{Name: "N"},
		Numbers: []model.PrintedNumber{
			number(messages, alone, "3N", times(3), times(3), one, []int{1, 2, 3, 4}),
			number(messages, "two ask", "3N + f(k)", times(3), nil, two, contended, 2),
			number(client, alone, "round-trip", constantly(2), constantly(2), one, []int{1, 2, 3, 4}),
			differing(number(client, inTurn, "round-trip", constantly(2), constantly(2), two, sizes), why+afterRelease),
			differing(inTime(clientTime, inTurn, "round-trip", constantly(2), two, sizes), why+afterRelease),
			differing(number(handover, handing, "round-trip", constantly(2), constantly(2), two, sizes), why),
			differing(inTime(handoverTime, handing, "round-trip", constantly(2), two, sizes), why),
		},
		Properties: properties,
	}
}

func withProblems(c *model.Comparison, problems ...model.PrintedProblem) *model.Comparison {
	c.Problems = problems
	return c
}

// yes is a property that the text says holds.
func yes(name string, at model.Check, claims ...string) model.PrintedProperty {
	return model.PrintedProperty{Name: name, Text: "Yes", Holds: true, Claims: claims, Check: at}
}

// coordinators is the check with so many clients of so many entries each; the size is that of the
// coordinators, or servers.
func coordinators(clients, ops int) func(n int) model.Check {
	return check(model.Clients.Is(clients), model.Ops.Is(ops))
}
