package tokenring

import (
	"fmt"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "tokenring",
	Title:  "mutual exclusion by a token that goes round a ring",
	Source: "SDX lecture",
	Params: []model.Parameter{
		model.N.WithMeaning("processes").WithDefault(3),
		model.Ops.WithMeaning("entries of each process").WithDefault(2),
		model.Delay, mutex.Section, mutex.Asking,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: variants(), Checks: checks, Deep: deep,
}

func build(c model.Config) (*model.System, error) {
	if err := mutex.CheckAsking(c); err != nil {
		return nil, err
	}
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Token{}, mutex.Acquire{}, mutex.Release{}},
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, Crash: model.CrashStopRecovery, Script: mutex.Script(c, i),
			New: func() model.Node { return &Process{n: model.NodeID(c.N)} },
		})
	}
	return s, nil
}

var (
	safety = []string{"mutual exclusion", "lock", "one holder"}
	whole  = append([]string{"deadlock freedom", "every request is granted", "bounded overtaking"}, safety...)
)

var checks = []model.Check{
	{Config: mutex.Of(1, 1), Claims: []string{"deadlock freedom", "every request is granted"}},
	{Config: mutex.Of(3, 2)},
	{Config: mutex.Of(4, 3).With(mutex.Asking.Is(2)), Claims: whole},
	{Config: variant.Faulty(mutex.Of(3, 2), model.Faults{Crashes: 1, Loss: 1}), Claims: safety},
	{Config: mutex.Of(5, 3), Reading: model.Dense, Schedules: 100, Claims: safety},
	{Config: variant.Faulty(mutex.Of(2, 2), model.Faults{Loss: 2}), Variant: "regenerates", Reading: model.Grid},
	{Config: variant.Faulty(mutex.Of(2, 1), model.Faults{Crashes: 2}), Variant: "crash-tolerant", Claims: []string{"mutual exclusion", "one holder", "bounded overtaking", "a crash inside is survived"}},
	{Config: variant.Faulty(mutex.Of(3, 1), model.Faults{Crashes: 2}), Variant: "crash-tolerant", Claims: []string{"mutual exclusion", "one holder", "bounded overtaking", "a crash inside is survived"}},
	{Config: variant.Faulty(mutex.Of(3, 1), model.Faults{Suspicions: 1}), Variant: "skips-suspected"},
	{Config: mutex.Of(3, 1), Variant: "skips-crashed"},
	{Config: mutex.Of(2, 1), Variant: "polite"},
	{Config: mutex.Of(2, 1), Variant: "lingers"},
	{Config: mutex.Of(2, 2).With(mutex.Asking.Is(1)), Variant: "lingers", Claims: whole[:2]},
}

var deep = []model.Check{{Config: mutex.Of(5, 4), Claims: whole}}
