package changroberts

import (
	_ "embed" // the kept traces of findings
	"fmt"
	"slices"

	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "changroberts",
	Title:  "election on a ring by Chang and Roberts",
	Source: "SDX lecture",
	Params: []model.Parameter{
		election.Processes, Ring, election.Initiator, election.Initiators, election.Down,
		model.Ops.WithMeaning("elections of each initiator"), model.Delay,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep, Findings: findings,
}

// Ring is the order of the ring. Of n processes there are (n-1)! orders.
var Ring = model.Param[int]{
	Name: "ring", Meaning: "the order of the ring: 0 is by ID, k is the k-th after it of all orders that begin with the first process; the last is the reverse", Most: 5039,
}

func build(c model.Config) (*model.System, error) {
	if err := election.Check(c); err != nil {
		return nil, err
	}
	if d := election.Down.Of(c); d > 0 && !c.Beyond {
		return nil, fmt.Errorf("down is %d, but must be 0: a successor that is down ends every election; --beyond-bounds checks it all the same", d)
	}
	ring, ok := order(c.N, Ring.Of(c))
	if !ok {
		return nil, fmt.Errorf("ring is %d, but %d processes have fewer orders", Ring.Of(c), c.N)
	}
	return &model.System{
		Config:   c,
		Network:  model.Network{Delay: model.By(model.Delay.Of(c)), Channel: model.FIFO},
		Detector: model.Detector{Kind: model.EventuallyPerfect, Report: model.Anytime(), Mistake: model.Anytime()},
		Types:    []any{Election{}, Coordinator{}, Sent{}, election.Elect{}, election.Begun{}, election.Undecided{}, election.Decided{}, election.Over{}, model.NodeID(0)},
		Nodes: election.Specs(c, model.CrashStopRecovery, func(model.NodeID) model.Node {
			return &Process{ring: ring, Leader: model.NodeID(c.N - 1)} // before the first election the last is the coordinator
		}),
	}, nil
}

// order is the k-th order of n processes in a ring that begins with the first, from 0: the rest in
// lexicographic order.
func order(n, k int) (ring []model.NodeID, ok bool) {
	var rest []model.NodeID
	orders := 1 // of so many as rest has
	for i := 1; i < n; i++ {
		rest = append(rest, model.NodeID(i))
		orders = min(orders*i, Ring.Most+1)
	}
	if k >= orders {
		return nil, false
	}
	ring = append(ring, 0)
	for len(rest) > 0 {
		at := 0
		for left := factorial(len(rest) - 1); k >= left; at++ {
			k -= left
		}
		ring, rest = append(ring, rest[at]), slices.Delete(rest, at, at+1)
	}
	return ring, true
}

// factorial is n!, or more than any number of an order.
func factorial(n int) int {
	f := 1
	for i := 2; i <= n && f <= Ring.Most; i++ {
		f *= i
	}
	return f
}

var (
	// safe holds whatever fails.
	safe   = []string{"one coordinator", "all participate", "killed off"}
	safety = []string{"safety", "one coordinator", "all participate", "killed off"}
)

var checks = []model.Check{
	{Config: election.Of(2, 2, 4)},
	{Config: election.Of(3, 3, 2)},
	{Config: election.Of(5, 2, 1).With(Ring.Is(23))},
	{Config: election.Of(4, 1, 2).With(Ring.Is(2))},
	{Config: variant.Faulty(election.Of(3, 2, 1), model.Faults{Suspicions: 1})},
	{Config: variant.Faulty(election.Of(3, 2, 1), model.Faults{Crashes: 2}), Claims: safe},
	{Config: variant.Faulty(election.Of(3, 2, 1), model.Faults{Loss: 1, Crashes: 1}), Claims: safe},
	{Config: variant.Faulty(election.Of(3, 2, 1), model.Faults{Partitions: 1}), Claims: safe},
	{Config: variant.Faulty(election.Of(2, 1, 1), model.Faults{Restarts: 1}), Claims: safe[:1]},
	// A lone process loses nothing that it needs at a crash: it initiates an election when it recovers.
	{Config: variant.Faulty(election.Of(1, 1, 1), model.Faults{Restarts: 1}), Claims: []string{"liveness"}, AssumeAnyway: true},
	{Config: variant.Faulty(election.Of(2, 2, 1), model.Faults{Duplication: 1}), Claims: []string{"safety", "one coordinator"}},
	{Config: election.Of(5, 5, 2), Reading: model.Dense, Schedules: 100, Claims: safety},
	{Config: election.Of(2, 1, 2), Variant: "bag"},
}

// deep are checks of minutes.
var deep = []model.Check{
	{Config: election.Of(5, 5, 2).With(Ring.Is(23))},
	{Config: variant.Faulty(election.Of(4, 2, 1), model.Faults{Crashes: 1, Restarts: 1}), Claims: safe[:1]},
}

// findings are what does not hold as printed: see docs/findings.md.
var findings = []model.Finding{
	{Name: "overtaken-coordinators", Variant: "bag", Claim: "liveness", Trace: bagRefuted},
}

//go:embed findings/bag-liveness.json
var bagRefuted []byte
