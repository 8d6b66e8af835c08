package naimithiare

import (
	_ "embed" // the kept traces of findings
	"fmt"
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "naimithiare",
	Title:  "mutual exclusion by one token and causally ordered requests",
	Source: "Naimi–Thiare 2009",
	Params: []model.Parameter{
		model.N.WithMeaning("processes").WithDefault(3),
		model.Ops.WithMeaning("entries of each process").WithDefault(2),
		model.Delay, mutex.Section, mutex.Asking,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks,
}

func build(c model.Config) (*model.System, error) {
	cfg := newConfig(c.N)
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{REQ{}, TOKEN{}, mutex.Acquire{}, mutex.Release{}, mutex.Waiting{}},
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
		Obsolete: func(h, r, t int) bool { return h <= r || h <= t },
		Past:     func(h, r, t int) bool { return h < r || h <= t },
		Clock:    func(r []int, _ int) int { return slices.Max(r) },
		Learn:    (*Process).learn,
		Join:     func(own, received []Couple) []Couple { return slices.Concat(received, own) },
		Left:     func([]Couple) []Couple { return nil },
		Sent:     func(queue []Couple) []Couple { return queue[1:] },
		To:       func(others []model.NodeID, _ model.NodeID) []model.NodeID { return others },
	}
	for i := range n {
		cfg.Processes = append(cfg.Processes, model.NodeID(i))
	}
	return cfg
}

var (
	safety   = []string{"mutual exclusion", "lock", "one token", "Lemma 2", "Lemma 2, couples"}
	liveness = []string{"deadlock freedom", "every request is granted", "bounded overtaking"}
	order    = []string{"happened-before order", "Lemma 3"}
)

var checks = []model.Check{
	{Config: model.Config{N: 2}.With(model.Ops.Is(5))},
	{Config: model.Config{N: 3}.With(model.Ops.Is(2))},
	{Config: model.Config{N: 3, Faults: model.Faults{Crashes: 1, Loss: 1}}.With(model.Ops.Is(1)), Claims: safety},
}
