package tables

import (
	"slices"

	"contend/impl/bully"
	"contend/impl/changroberts"
	"contend/impl/election"
	"contend/impl/enhancedring"
	"contend/model"
	"contend/model/printed"
)

// elections are the rows of the lecture's comparison of election algorithms, "assuming N processes, no failures, and a
// sole election in progress". An election begins because a coordinator has crashed. The crashed process may be one of
// the N or not. Each number is computed both ways, and the second is compared with nothing.
var elections = &printed.Table{Name: "elections"}

// The costs and claims of elections.
const (
	perElection = "messages per election"
	sequential  = "sequential messages"
	oneLeader   = "one coordinator"
)

// The conditions.
const (
	highest   = "the highest initiates"
	lowest    = "the lowest initiates"
	successor = "the process after the highest initiates"
	counted   = "; N counts a crashed one"
)

// The conditions of properties.
const (
	noFailure = "no failure"
	aCrash    = "one process crashes"
	aRestart  = "one crashes and comes back"
	aCut      = "the network is partitioned"
	aSecond   = "one is down, and another crashes"
)

// finalSafety is the lecture's safety at the end of a run, when "an election concludes with all the processes agreeing".
// The property safety is checked each time that a process decides.
const finalSafety = "safety, in the end"

var endClaims = []string{"agreement", "largest in the end"}

// An elected is an election algorithm, and how it is tested.
type elected struct {
	protocol *model.Protocol
	reading  model.Reading
	// ringed is true if a crashed coordinator is not in the ring.
	ringed bool
	// restarting is the option with fewer runs that is tested with restarts, or "".
	restarting string
}

// up returns the check in which all n processes are up, and one process initiates. Initiator 0 is the last process.
func (e elected) up(initiator int) func(n int) model.Check {
	return func(n int) model.Check {
		first := initiator
		if first == 0 {
			first = n
		}
		return model.Check{Config: model.Config{N: n}.With(election.Initiator.Is(first), model.Ops.Is(1)), Reading: e.reading}
	}
}

// crashed returns the check of up with one more process. The last process has crashed before the run.
func (e elected) crashed(initiator int) func(n int) model.Check {
	return func(n int) model.Check {
		c := e.up(initiator)(n - 1)
		if !e.ringed {
			c.Config = c.Config.With(model.N.Is(n), election.Down.Is(1))
		}
		return c
	}
}

// pair returns a cost without the crashed coordinator and with it. The text is compared with the first, "no failures".
func (e elected) pair(cost, when, text string, formula func(int) int, initiator int, sizes []int, more ...int) []printed.Number {
	return []printed.Number{
		number(cost, when, text, formula, formula, e.up(initiator), sizes, more...),
		number(cost, when+counted, "", nil, nil, e.crashed(initiator), oneMore(sizes), oneMore(more)...),
	}
}

func oneMore(sizes []int) (all []int) {
	for _, n := range sizes {
		all = append(all, n+1)
	}
	return all
}

// property returns a property under a condition. The text is the lecture's, or "".
func (e elected) property(name, when, text string, holds bool, differs string, claims ...string) printed.Property {
	faults := map[string]model.Faults{aCrash: {Crashes: 1}, aRestart: {Restarts: 1}, aCut: {Partitions: 1}, aSecond: {Crashes: 1}}[when]
	c := e.up(1)(3)
	if when == aRestart { // many runs
		c = e.up(1)(2)
		c.Variant = e.restarting
	}
	if when == aSecond {
		c = e.crashed(1)(3)
	}
	c.Config.Faults, c.AssumeAnyway = faults, true
	if when == aCut { // on each side of the cut there are initiators
		c.Config = c.Config.With(election.Initiators.Is(3))
	}
	return printed.Property{Name: name, When: when, Text: text, Holds: holds, Claims: claims, Check: c, Differs: differs}
}

// bullyElection returns the row "Worst case: initiator has the lowest ID: Θ(N²) messages", a sum of N² − 1, and "Best
// case: initiator has the highest ID: N-1 Coordinator messages, which can be sent in parallel".
func bullyElection() *printed.Comparison {
	e := elected{protocol: bully.Protocol, reading: model.Grid}
	worst := func(n int) int { return n*n - 1 }
	return &printed.Comparison{
		Name: "bully", Title: "Bully algorithm", Protocol: e.protocol, Source: lecture, Size: printed.Size{Name: "N"},
		Numbers: slices.Concat(
			e.pair(perElection, highest, "N − 1", lessOne(1), 0, []int{2, 3, 4, 5}),
			e.pair(perElection, lowest, "Σ 2(N − i) + (N − 1)", worst, 1, []int{1, 2, 3, 4}, 5),
			e.pair(sequential, highest, "in parallel", constant(1), 0, []int{2, 3, 4, 5}),
			e.pair(sequential, lowest, "", nil, 1, []int{2, 3, 4}, 5),
		),
		Properties: []printed.Property{
			e.property(safety, noFailure, "", true, "", "safety"),
			e.property(liveness, noFailure, "", true, "", "liveness"),
			e.property(finalSafety, aCrash, "", true, "", endClaims...),
			e.property(safety, aCrash, "", true, "", "safety"),
			e.property(liveness, aCrash, "", true, "", "liveness"),
			e.property(safety, aRestart, "No", false, "", "safety"),
			e.property(liveness, aRestart, "", true, "", "liveness"),
			e.property(oneLeader, aCut, "No", false, "", oneLeader),
		},
		Problems: []printed.Problem{
			problem(e.protocol, "\"It can violate the safety property if a crashed process with the highest ID restarts with an ongoing election\"", "highest-restarts"),
			problem(e.protocol, "\"Multiple nodes (one for each network segment) may decide they are the leader\"", "partitioned"),
		},
	}
}

// changRobertsElection returns the row "Worst case: initiator succeeds the node with the highest ID: 3N-1 (2N-1
// Election + N Coordinator) sequential messages", "Best case: initiator has the highest ID: 2N (N Election + N
// Coordinator) sequential messages".
func changRobertsElection() *printed.Comparison {
	e := elected{protocol: changroberts.Protocol, ringed: true}
	worst := func(n int) int { return 3*n - 1 }
	return &printed.Comparison{
		Name: "changroberts", Title: "Chang and Roberts' ring algorithm", Protocol: e.protocol, Source: lecture, Size: printed.Size{Name: "N"},
		Numbers: slices.Concat(
			e.pair(perElection, highest, "2N", times(2), 0, []int{2, 3, 4, 5}),
			e.pair(perElection, successor, "3N − 1", worst, 1, []int{2, 3, 4, 5}),
			e.pair(sequential, highest, "2N", times(2), 0, []int{2, 3, 4, 5}),
			e.pair(sequential, successor, "3N − 1", worst, 1, []int{2, 3, 4, 5}),
		),
		Properties: []printed.Property{
			e.property(safety, noFailure, "", true, "", "safety"),
			e.property(liveness, noFailure, "", true, "", "liveness"),
			e.property(safety, aCrash, "", true, "", "safety"),
			e.property(liveness, aCrash, "No", false, "", "liveness"),
			e.property(safety, aRestart, "", true, "", "safety"),
			e.property(liveness, aRestart, "", true, "", "liveness"),
			e.property("agreement", aCut, "No", false, "", "agreement"),
			e.property(oneLeader, aCut, "", true, "", oneLeader),
		},
		Problems: []printed.Problem{
			problem(e.protocol, "\"Liveness violated when process failure occurs during the election\"", "process-fails"),
			problem(e.protocol, "\"Which node will recognize 'Election: 4'?\"", "nobody-recognises"),
			problem(e.protocol, "\"none of them can deal with network partitions\"", "network-cut"),
		},
	}
}

// enhancedRingElection returns the row "2N (N Election + N Coordinator) sequential messages always".
func enhancedRingElection() *printed.Comparison {
	e := elected{protocol: enhancedring.Protocol, reading: model.Grid, restarting: "lockstep"}
	return &printed.Comparison{
		Name: "enhancedring", Title: "Enhanced ring algorithm", Protocol: e.protocol, Source: lecture, Size: printed.Size{Name: "N"},
		Numbers: slices.Concat(
			e.pair(perElection, highest, "2N", times(2), 0, []int{2, 3, 4, 5}),
			e.pair(perElection, lowest, "2N", times(2), 1, []int{2, 3, 4, 5}),
			e.pair(sequential, highest, "2N", times(2), 0, []int{2, 3, 4, 5}),
			e.pair(sequential, lowest, "2N", times(2), 1, []int{2, 3, 4, 5}),
		),
		Properties: []printed.Property{
			e.property(safety, noFailure, "", true, "", "safety"),
			e.property(liveness, noFailure, "", true, "", "liveness"),
			e.property(finalSafety, aCrash, "can support failures", true, "", endClaims...),
			e.property(safety, aCrash, "", true, "", "safety"),
			e.property(liveness, aCrash, "can support failures", true, "", "liveness"),
			e.property(liveness, aSecond, "can support failures", true, "a process that has the message crashes while it waits for the response of the one that is down. Nobody sends the message again", "liveness"),
			e.property(safety, aRestart, "", true, "", "safety"),
			e.property(liveness, aRestart, "", true, "", "liveness"),
			e.property(oneLeader, aCut, "No", false, "", oneLeader),
		},
		Problems: []printed.Problem{
			problem(e.protocol, "\"Multiple nodes (one for each network segment) may decide they are the leader\"", "network-cut"),
		},
	}
}
