package maekawa

import (
	_ "embed" // the traces of findings
	"fmt"
	"slices"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "maekawa",
	Title:  "mutual exclusion by the votes of intersecting sets",
	Source: "SDX lecture; Maekawa 1985",
	Params: []model.Parameter{
		model.N.WithMeaning("processes").WithRange(1, mostProcesses).WithDefault(3),
		Sets,
		model.Ops.WithMeaning("entries of each process").WithDefault(2),
		model.Delay, mutex.Section, mutex.Asking,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: variants, Checks: checks, Deep: deep,
	Findings: findings,
}

func build(c model.Config) (*model.System, error) {
	if err := mutex.CheckAsking(c); err != nil {
		return nil, err
	}
	cfg := &Config{family(c)}
	if err := check(cfg.Sets); err != nil && !c.Beyond {
		return nil, fmt.Errorf("sets is %d, and with n = %d %w; --beyond-bounds checks it all the same", Sets.Of(c), c.N, err)
	}
	cfg.Sets = slices.Clone(cfg.Sets)
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, OK{}, Release{}, Voted{}, mutex.Acquire{}, mutex.Release{}},
		Setup:   cfg,
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i), Role: model.Peer, Crash: model.CrashStopRecovery, Script: mutex.Script(c, i),
			New: func() model.Node { return &Process{cfg: cfg} },
		})
	}
	return s, nil
}

func sized(n, asking, ops int) model.Config {
	return model.Config{N: n}.With(mutex.Asking.Is(asking), model.Ops.Is(ops))
}

var checks = []model.Check{
	{Config: sized(3, 3, 1)},
	{Config: sized(7, 2, 1)},
	{Config: sized(4, 2, 1).With(Sets.Is(grid))},
	{Config: variant.Faulty(sized(7, 1, 3), model.Faults{Crashes: 1})},
	{Config: variant.Faulty(sized(3, 2, 2), model.Faults{Crashes: 1})},
	{Config: variant.Faulty(sized(3, 2, 1), model.Faults{Loss: 1}), Claims: safety},
	{Config: sized(2, 2, 3), Reading: model.Grid, Claims: append(safety, "only a circular wait blocks")},
	{Config: sized(7, 7, 1), Reading: model.Dense, Schedules: 100, Claims: safety},
	{Config: sized(3, 3, 1), Variant: "ordered"},
	{Config: sized(7, 3, 1), Variant: "ordered"},
	{Config: variant.Faulty(sized(3, 3, 1), model.Faults{Crashes: 1}), Variant: "ordered"},
	{Config: sized(3, 3, 1), Variant: "inquire"},
	{Config: sized(2, 2, 2), Variant: "inquire"},
}

// deep are checks of planes with more requests, or with three processes at one voter.
var deep = []model.Check{
	{Config: sized(3, 3, 3)},
	{Config: sized(9, 2, 1).With(Sets.Is(grid))},
	{Config: sized(7, 4, 1)},
	{Config: sized(7, 3, 2)},
	{Config: sized(13, 3, 1)},
	{Config: sized(4, 3, 2), Variant: "last-first"},
	{Config: sized(3, 3, 2), Variant: "inquire"},
	{Config: sized(4, 3, 1), Variant: "inquire"},
	{Config: sized(7, 3, 1), Variant: "inquire"},
}

var safety = []string{"mutual exclusion", "lock", "one candidate"}

var findings = []model.Finding{
	{Name: "circular-wait", Claim: "deadlock freedom", Trace: deadlock, Holds: noCircle},
	{Name: "circular-wait", Claim: "every request is granted", Trace: neverGranted, Holds: noCircle},
	{Name: "overtaken-votes", Claim: "happened-before order", Trace: overtaken,
		Breaks: []model.Config{model.Config{N: 7}.With(mutex.Asking.Is(3)), model.Config{N: 3}.With(mutex.Asking.Is(3), model.Ops.Is(1))},
		Holds:  []model.Config{model.Config{N: 7, Faults: model.Faults{Crashes: 1}}.With(mutex.Asking.Is(1))}},
	{Name: "overtaken-votes", Variant: "own-vote-at-once", Claim: "happened-before order", Trace: ownVote},
	{Name: "failures-in-other-sets", Claim: "failures in other sets", Trace: failure},
}

// noCircle is a configuration in which two processes ask. Their sets, of the seven, meet in one process.
var noCircle = []model.Config{model.Config{N: 7}.With(mutex.Asking.Is(2), Sets.Is(0))}

//go:embed findings/circular-wait.json
var deadlock []byte

//go:embed findings/never-granted.json
var neverGranted []byte

//go:embed findings/overtaken-votes.json
var overtaken []byte

//go:embed findings/own-vote.json
var ownVote []byte

//go:embed findings/failures-in-other-sets.json
var failure []byte
