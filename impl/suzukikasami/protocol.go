package suzukikasami

import (
	_ "embed" // the kept traces of findings
	"fmt"
	"slices"

	"contend/impl/mutex"
	"contend/impl/pages"
	"contend/model"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "suzukikasami",
	Title:  "mutual exclusion by one token and broadcast requests",
	Source: "Naimi–Thiare, Suzuki–Kasami's algorithm",
	Params: []model.Parameter{
		model.N.WithMeaning("processes").WithDefault(3),
		model.Ops.WithMeaning("entries of each process").WithDefault(2),
		model.Delay, mutex.Section, mutex.Asking,
	},
	Build:  build,
	Claims: claimed, Properties: []model.Claim{pages.RefinesLock(kept...)}, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks,
	Deep: []model.Check{{Config: model.Config{N: 3}.With(model.Ops.Is(3)), Claims: slices.Concat(safety, liveness[:1])}},
	Findings: []model.Finding{
		{Name: "suzuki-kasami-order", Claim: "happened-before order", Trace: happenedBefore},
		{Name: "where-the-queue-lives", Variant: "queue-as-printed", Claim: "deadlock freedom", Trace: queueAsPrinted, Breaks: []model.Config{model.Config{N: 2}.With(model.Ops.Is(3))}},
		{Name: "where-the-queue-lives", Variant: "queue-rebuilt", Claim: "bounded overtaking", Trace: queueRebuilt},
	},
}

var (
	//go:embed findings/happened-before.json
	happenedBefore []byte
	//go:embed findings/queue-as-printed.json
	queueAsPrinted []byte
	//go:embed findings/queue-rebuilt.json
	queueRebuilt []byte
)

func build(c model.Config) (*model.System, error) {
	if err := mutex.CheckAsking(c); err != nil {
		return nil, err
	}
	cfg := newConfig(c.N)
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, Token{}, mutex.Acquire{}, mutex.Release{}, mutex.Waiting{}},
		Setup:   cfg,
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, Script: mutex.Script(c, i), Crash: model.CrashStopRecovery,
			New: func() model.Node { return &Process{cfg: cfg} },
		})
	}
	return s, nil
}

// newConfig is the algorithm for n processes, of which the first holds the token.
func newConfig(n int) *Config {
	cfg := &Config{
		Recorded: func(mine, theirs int) int { return max(mine, theirs) },
		Asks:     func(rn, ln int) bool { return rn == ln+1 },
		Append:   once,
		Carried:  all,
		Kept:     none,
		Order:    func(all []model.NodeID, _ model.NodeID) []model.NodeID { return all },
		To:       func(others []model.NodeID, _ model.NodeID) []model.NodeID { return others },
	}
	for i := range n {
		cfg.Processes = append(cfg.Processes, model.NodeID(i))
	}
	return cfg
}

// once appends a process that is not in the queue.
func once(queue []model.NodeID, j model.NodeID) []model.NodeID {
	if slices.Contains(queue, j) {
		return queue
	}
	return append(slices.Clone(queue), j)
}

func all(queue []model.NodeID) []model.NodeID { return queue }

func none([]model.NodeID) []model.NodeID { return nil }

var (
	safety   = []string{"mutual exclusion", "lock", "one token", "request numbers"}
	liveness = []string{"deadlock freedom", "every request is granted", "bounded overtaking"}
)

var checks = []model.Check{
	{Config: model.Config{N: 2}.With(model.Ops.Is(5))},
	{Config: model.Config{N: 3}.With(model.Ops.Is(2))},
	{Config: model.Config{N: 3, Faults: model.Faults{Crashes: 1, Loss: 1}}.With(model.Ops.Is(1)), Claims: safety},
	{Config: model.Config{N: 2}.With(model.Ops.Is(4)), Reading: model.Grid, Claims: slices.Concat(safety, liveness[:1])},
	{Config: model.Config{N: 3}.With(model.Ops.Is(2)), Variant: "queue-rebuilt"},
	{Config: model.Config{N: 2}.With(model.Ops.Is(3)), Variant: "queue-as-printed"},
	{Config: model.Config{N: 3}.With(model.Ops.Is(2)), Variant: "queued-on-exit"},
}
