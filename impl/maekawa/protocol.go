package maekawa

import (
	_ "embed" // the kept traces of findings
	"fmt"
	"slices"

	"contend/impl/mutex"
	"contend/model"
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
	cfg := &Config{
		Sets:   family(c),
		Needed: func(k int) int { return k },
		Free:   func(accessing, voted bool) bool { return !accessing && !voted },
	}
	if err := checked(cfg.Sets); err != nil && !c.Beyond {
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

func of(n, asking, ops int) model.Config {
	return model.Config{N: n}.With(mutex.Asking.Is(asking), model.Ops.Is(ops))
}

var checks = []model.Check{
	{Config: of(3, 3, 1)},
	{Config: of(3, 2, 3)},
}

var deep = []model.Check{}

var findings = []model.Finding{}
