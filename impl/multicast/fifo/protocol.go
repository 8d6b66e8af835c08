package fifo

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multicast-fifo",
	Title:  "multicast in FIFO order, by sequence numbers per sender",
	Source: "SDX lecture",
	Params: []model.Parameter{multicast.Processes, multicast.Messages.WithDefault(2), multicast.Senders, model.Delay},
	Build:  build,
	Claims: claimed, Properties: multicast.Others(multicast.Group, claimed), Costs: costed,
	Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

func build(c model.Config) (*model.System, error) {
	if err := multicast.CheckSenders(c); err != nil {
		return nil, err
	}
	cfg := newConfig(c)
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Data{}, multicast.Numbered{}, multicast.Message{}, multicast.Held{}, multicast.Next{}},
		Setup:   cfg,
		Nodes:   multicast.Number(multicast.Specs(c, func(model.NodeID) model.Node { return &Process{cfg: cfg} })),
	}
	for i := range s.Nodes {
		s.Nodes[i].Crash = model.CrashStopRecovery
	}
	return s, nil
}

func newConfig(c model.Config) *Config {
	return &Config{
		Group:    multicast.First(c.N),
		OneByOne: c.Faults.Crashes+c.Faults.Restarts > 0,
	}
}

var (
	order = []string{multicast.FIFOOrder, multicast.Integrity, "in sequence", "no longer than needed"}
	safe  = append([]string{multicast.Validity}, order...)
)

var checks = []model.Check{
	{Config: multicast.Sized(3, 1, 4)},
	{Config: multicast.Sized(2, 2, 3)},
	{Config: variant.Faulty(multicast.Sized(2, 2, 1), model.Faults{Duplication: 1})},
	{Config: variant.Faulty(multicast.Sized(2, 2, 2), model.Faults{Loss: 1, Duplication: 1}), Claims: order},
	{Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Crashes: 1}), Claims: append(slices.Clip(safe), "reach")},
	{Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Restarts: 1}), Variant: "stable", Claims: safe},
	{Config: variant.Faulty(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1}), Variant: "copy-to-itself", Claims: safe},
	{Config: multicast.Sized(3, 1, 2), Variant: "one-at-a-time"},
	{Config: multicast.Sized(4, 4, 3), Reading: model.Dense, Schedules: 100},
}

var deep = []model.Check{
	{Config: variant.Faulty(multicast.Sized(3, 3, 2), model.Faults{Crashes: 1}), Claims: safe},
	{Config: multicast.Sized(3, 3, 2)},
}
