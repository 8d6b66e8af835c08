package lin

import (
	_ "embed" // the traces
	"fmt"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/claims"
)

// Protocol is the suite's entry: option B.
var Protocol = &model.Protocol{
	Name:   "lin",
	Title:  "mutual exclusion by the votes of N coordinators",
	Source: "SDX lecture, Lin's voting algorithm",
	Params: []model.Parameter{
		model.N.WithMeaning("coordinators").WithDefault(3), Majority, model.Clients,
		model.Ops, Clock, model.Delay, mutex.Section,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: variants, Checks: checks, Deep: deep, Findings: findings,
}

// Majority is M, the number of votes for an entry. By default it is the smallest majority of N.
var Majority = model.Param[int]{Name: "majority", Meaning: "M, the number of votes with which a process enters", Symbol: "M", Least: 1, Most: 32}

// Clock is the largest time of a search of option A. Retries have no bound of their own.
var Clock = model.Param[int]{
	Name: "clock", Meaning: "option A: the latest time of a request; 0 means the number of operations plus two", Most: 100,
}

func build(c model.Config) (*model.System, error) {
	if Majority.Of(c) == 0 {
		c = c.With(Majority.Is(c.N/2 + 1))
	}
	if err := validate(c); err != nil {
		return nil, err
	}
	cfg := &Config{Majority: Majority.Of(c)}
	s := &model.System{
		Config:  c,
		Network: model.Network{Channel: model.FIFO, Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, Yield{}, Release{}, Response{}, retry{}, mutex.Acquire{}, mutex.Release{}},
		Setup:   cfg,
	}
	for i := range c.N {
		cfg.Coordinators = append(cfg.Coordinators, model.NodeID(i))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("k%d", i+1), Role: model.Server, Crash: model.CrashStopRecovery,
			New: func() model.Node { return &Coordinator{cfg: cfg} },
		})
	}
	for i := range model.Clients.Of(c) {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Client, Script: mutex.Passages(c),
			New: func() model.Node { return &Client{cfg: cfg} },
		})
	}
	return s, nil
}

// validate returns an error if a configuration violates the lecture's bounds on M and on crashes of coordinators.
func validate(c model.Config) error {
	m := Majority.Of(c)
	switch {
	case m > c.N:
		return fmt.Errorf("majority is %d, but there are only n = %d coordinators", m, c.N)
	case 2*m <= c.N && !c.Beyond:
		return fmt.Errorf("majority is %d of n = %d coordinators, but must be more than n/2 (SDX lecture, step c); --beyond-bounds checks it all the same", m, c.N)
	case c.Faults.Restarts > 0 && c.Faults.Restarts >= 2*m-c.N && !c.Beyond:
		return fmt.Errorf("faults: restarts is %d, but mutual exclusion needs fewer than 2M − N = %d coordinators that forget their votes (SDX lecture, problems); --beyond-bounds checks it all the same",
			c.Faults.Restarts, 2*m-c.N)
	}
	return nil
}

var checks = []model.Check{
	{Config: model.Config{N: 1}.With(model.Ops.Is(3))},
	{Config: model.Config{N: 2}.With(model.Ops.Is(2))},
	{Config: model.Config{N: 3}},
	{Config: model.Config{N: 3}.With(model.Clients.Is(3)), Claims: []string{exclusion, deadlockFree}},
	{Config: model.Config{N: 3}.With(model.Ops.Is(2)), Schedules: 300, Claims: []string{exclusion}},
	{Config: model.Config{N: 2, Faults: model.Faults{Crashes: 1}}, Claims: []string{exclusion, lock}},
	{Config: model.Config{N: 3, Faults: model.Faults{Restarts: 2}}.With(Majority.Is(3), model.Clients.Is(1)), Claims: []string{"a recovery is survived"}},
	{Config: model.Config{N: 3, Faults: model.Faults{Restarts: 2}}.With(Majority.Is(3)), Schedules: 100, Claims: []string{exclusion, lock}},
	{Config: model.Config{N: 4, Faults: model.Faults{Restarts: 1}}, Schedules: 100, Claims: []string{exclusion, lock}},
	{Variant: "led", Config: model.Config{N: 4}.With(model.Clients.Is(4)), Claims: []string{exclusion, lock, granted}},
	{Variant: "yields-always", Config: model.Config{N: 2}.With(model.Clients.Is(3)), Claims: safeAndLive},
	{Variant: "tells-queue", Config: model.Config{N: 2}, Claims: safeAndLive},
	{Variant: "bag", Config: model.Config{N: 3}, Claims: []string{exclusion, deadlockFree}},
	{Variant: "any-order", Config: model.Config{N: 3}, Claims: safeAndLive},
	{Variant: "any-order", Config: model.Config{N: 1}.With(model.Ops.Is(2)), Claims: safeAndLive},
	{Variant: "option-a-finite", Config: model.Config{N: 2}, Claims: []string{exclusion, deadlockFree, granted}},
}

// deep are checks that take minutes.
var deep = []model.Check{
	{Config: model.Config{N: 4}.With(model.Ops.Is(2)), Claims: []string{exclusion, deadlockFree}},
	{Config: model.Config{N: 3}.With(model.Clients.Is(3)), Claims: safeAndLive},
}

// twice is a smallest configuration with two coordinators: each process asks twice.
var twice = []model.Config{model.Config{N: 2}.With(model.Ops.Is(2))}

// findings are the differences from the statements of the lecture: see docs/findings.md.
var findings = []model.Finding{
	{Name: "a-round-of-yields-without-end", Variant: "led", Claim: granted, Trace: ledRefuted},
	{Name: "votes-that-come-too-early", Variant: "hears-majority", Claim: granted, Trace: majorityRefuted},
	{Name: "a-release-that-overtakes", Variant: "bag", Claim: deadlockFree, Trace: bagRefuted, Breaks: twice},
	{Name: "a-release-that-overtakes", Variant: "bag", Claim: granted, Trace: bagStarves, Breaks: []model.Config{model.Config{N: 2}.With(model.Ops.Is(1))}},
	{Name: "votes-are-in-no-order", Claim: "happened-before order", Trace: orderRefuted, Breaks: twice},
	{Name: "votes-are-in-no-order", Variant: "bag", Claim: "happened-before order", Trace: bagOrderRefuted},
	{Name: "starvation-by-retries", Variant: "option-a-finite", Claim: granted, Trace: starved},
}

var (
	//go:embed findings/led.json
	ledRefuted []byte
	//go:embed findings/hears-majority.json
	majorityRefuted []byte
	//go:embed findings/bag.json
	bagRefuted []byte
	//go:embed findings/bag-granted.json
	bagStarves []byte
	//go:embed findings/happened-before.json
	orderRefuted []byte
	//go:embed findings/bag-happened-before.json
	bagOrderRefuted []byte
	//go:embed findings/option-a-finite.json
	starved []byte
)

// The names of claims that checks and variants use.
const (
	exclusion    = "mutual exclusion"
	deadlockFree = "deadlock freedom"
	granted      = "every request is granted"
	lock         = "lock"
	lively       = "granted with probability one"
)

// safeAndLive are all claims except the order. The order is searched apart.
var safeAndLive = []string{exclusion, lock, deadlockFree, granted}

const lecture = "SDX lecture, Lin's voting algorithm"

var claimed = []model.Claim{
	mutex.Exclusion(lecture, "docs/proofs/lin.md#mutual-exclusion", model.AtMostOnce),
	mutex.Linearizable(lecture, "docs/proofs/lin.md#mutual-exclusion", model.AtMostOnce),
	mutex.DeadlockFreedom(lecture, "docs/proofs/lin.md#deadlock-freedom", failFree...),
	mutex.Granted(lecture, "docs/proofs/lin.md#a-livelock", failFree...),
	{
		Name: lively, Kind: model.AlmostSurely, Done: true, Source: lecture + ", option A", Proof: "docs/proofs/lin.md#option-a",
		Assumes: append([]model.Assumption{model.Synchronous, model.NoCut}, failFree...),
	},
	claims.Vacuous(mutex.HappenedBefore(lecture, "docs/proofs/lin.md#happened-before-order", model.AtMostOnce, model.NoMemoryLoss), askOnce,
		"each asks once, and hears of no other before it asks"),
	claims.From(claims.RecoverySurvived(), lecture+", problems", "docs/proofs/lin.md#mutual-exclusion", model.AtMostOnce),
}

// askOnce reports whether no process asks twice. A process learns of other processes only through responses of
// coordinators.
func askOnce(s *model.System) bool {
	_, most := claims.Invokers(s)
	return most < 2
}

// failFree is "assuming that processes do not fail and message delivery is reliable".
var failFree = []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss}
