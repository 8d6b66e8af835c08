package twophase

import (
	"fmt"
	"slices"

	"contend/model"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "twophase",
	Title:  "two-phase commit of a transaction",
	Source: "Gray–Lamport 2004, TwoPhase.tla",
	Params: []model.Parameter{model.N.WithMeaning("resource managers").WithDefault(3)},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks,
	Deep: []model.Check{
		{Config: model.Config{N: 6}},
		{Config: model.Config{N: 8}, Claims: safety},
		{Config: model.Config{N: 3, Faults: model.Faults{Restarts: 3}}, Claims: safety},
	},
}

// Config is shared by the managers.
type Config struct {
	Resources []model.NodeID
	Manager   model.NodeID
	All       int // the number of resource managers that must prepare: all
}

func build(c model.Config) (*model.System, error) {
	cfg := &Config{Manager: model.NodeID(c.N), All: c.N}
	s := &model.System{
		Config:  c,
		Network: model.Network{Channel: model.Set, Delay: model.Anytime()},
		Faults:  c.Faults,
		Types: []any{
			Prepared{}, Commit{}, Abort{}, tmCommit{}, tmAbort{}, rmPrepare{}, rmChooseToAbort{}, Became{},
		},
		Setup: cfg,
	}
	for i := range c.N {
		cfg.Resources = append(cfg.Resources, model.NodeID(i))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("rm%d", i+1), Role: model.Server,
			New: func() model.Node { return &Resource{cfg: cfg} },
		})
	}
	s.Nodes = append(s.Nodes, model.NodeSpec{
		Name: "tm", Role: model.Server, Crash: model.CrashStopRecovery,
		New: func() model.Node { return &Manager{cfg: cfg} },
	})
	return s, nil
}

var safety = []string{consistent, commitment}

var checks = []model.Check{
	{Config: model.Config{N: 3}},
	{Config: model.Config{N: 6}, Claims: safety},
	{Config: model.Config{N: 3, Faults: model.Faults{Restarts: 1}}, Claims: safety},
	{Config: model.Config{N: 3, Faults: model.Faults{Crashes: 1, Duplication: 1, Partitions: 1}}, Claims: safety},
}
