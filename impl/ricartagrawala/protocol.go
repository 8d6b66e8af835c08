package ricartagrawala

import (
	_ "embed" // the kept traces of findings
	"fmt"

	"contend/impl/mutex"
	"contend/model"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "ricartagrawala",
	Title:  "mutual exclusion by logical clocks",
	Source: "Ricart–Agrawala 1981; SDX lecture",
	Params: []model.Parameter{
		model.N.WithMeaning("processes").WithDefault(3),
		model.Ops.WithMeaning("entries of each process").WithDefault(2),
		model.Delay, mutex.Section, mutex.Asking,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: variants, Checks: checks,
	Deep: []model.Check{{Config: mutex.Of(3, 9)}},
	Findings: []model.Finding{
		{Name: "happened-before", Claim: "happened-before order", Trace: happenedBefore,
			Breaks: []model.Config{mutex.Of(3, 2).With(mutex.Asking.Is(2))}},
	},
}

//go:embed findings/happened-before.json
var happenedBefore []byte

func build(c model.Config) (*model.System, error) {
	if err := mutex.CheckAsking(c); err != nil {
		return nil, err
	}
	cfg := mutex.NewPeers(c.N)
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, Reply{}, mutex.Acquire{}, mutex.Release{}},
		Renamed: map[string]string{"ricartagrawala.Acquire": "mutex.Acquire", "ricartagrawala.Release": "mutex.Release"},
		Setup:   cfg,
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, Script: mutex.Script(c, i),
			New: func() model.Node { return &Process{cfg: cfg} },
		})
	}
	return s, nil
}

var checks = []model.Check{
	{Config: mutex.Of(1, 1)},
	{Config: mutex.Of(2, 6)},
	{Config: mutex.Of(3, 2)},
	{Config: mutex.Of(3, 2).With(mutex.Asking.Is(2)), Variant: "stamped-replies"},
	{Config: mutex.Of(5, 3), Reading: model.Dense, Schedules: 200, Claims: []string{"mutual exclusion", "lock", "deadlock freedom"}},
}

const lecture = "SDX lecture, desired properties"

var claimed = []model.Claim{
	mutex.Exclusion(lecture+" 1", "docs/proofs/ricartagrawala.md#mutual-exclusion", mutex.Kept...),
	mutex.Linearizable(lecture+" 1", "docs/proofs/ricartagrawala.md#mutual-exclusion", mutex.Kept...),
	mutex.DeadlockFreedom(lecture+" 2", "docs/proofs/ricartagrawala.md#liveness", mutex.FailFree...),
	mutex.Granted(lecture+" 2", "docs/proofs/ricartagrawala.md#liveness", mutex.FailFree...),
	mutex.HappenedBefore(lecture+" 3", "docs/proofs/ricartagrawala.md#happened-before-order", mutex.Kept...),
}
