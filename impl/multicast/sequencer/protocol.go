package sequencer

import (
	"slices"

	"contend/impl/multicast"
	"contend/impl/pages"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multicast-sequencer",
	Title:  "totally ordered multicast by a sequencer",
	Source: "SDX lecture",
	Params: []model.Parameter{multicast.Processes, multicast.Messages, multicast.Senders, model.Delay},
	Build:  build,
	Claims: claimed, Properties: append(multicast.Others(multicast.Group, claimed), pages.RefinesBroadcast(multicast.Named, model.AtMostOnce)),
	Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

func build(c model.Config) (*model.System, error) {
	if err := multicast.CheckSenders(c); err != nil {
		return nil, err
	}
	cfg := &Config{Group: multicast.First(c.N), Sequencer: model.NodeID(c.N)}
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, Numbered{}, multicast.Message{}, multicast.Multicast{}},
		Setup:   cfg,
		Nodes:   multicast.Specs(c, func(model.NodeID) model.Node { return &Process{cfg: cfg} }),
	}
	s.Nodes = append(s.Nodes, model.NodeSpec{
		Name: "sequencer", Role: model.Server, Crash: model.CrashStopRecovery,
		New: func() model.Node { return &Sequencer{cfg: cfg} },
	})
	return s, nil
}

var (
	order   = []string{multicast.FIFOOrder, multicast.CausalOrder}
	alike   = []string{multicast.Integrity, multicast.TotalOrder, multicast.UniformTotalOrder, "one message a number"}
	agreed  = append([]string{multicast.Agreement, multicast.UniformAgreement}, alike...)
	ordered = slices.Concat([]string{multicast.Validity, "sending returns"}, agreed, order)
	failing = model.Faults{Crashes: 1}
)

var checks = []model.Check{
	{Config: sized(2, 1)},
	{Config: sized(3, 2).With(multicast.Senders.Is(1))},
	{Config: variant.Faulty(one, failing), Claims: agreed},
	{Config: variant.Faulty(one, model.Faults{Loss: 1}), Claims: alike},
	{Config: one, Reading: model.Grid},
	{Config: sized(2, 1), Variant: "fifo-channels", Claims: ordered},
	{Config: variant.Faulty(one, model.Faults{Restarts: 1}), Variant: "stable", Claims: agreed},
	{Config: sized(2, 1).With(multicast.Senders.Is(1)), Variant: "stable"},
	{Config: variant.Faulty(one, model.Faults{Duplication: 1}), Variant: "filters", Claims: alike},
	{Config: variant.Faulty(one, failing), Variant: "lasting", Claims: []string{multicast.Validity}},
	{Config: sized(2, 2).With(multicast.Senders.Is(1)), Variant: "fifo-total", Claims: ordered},
	{Config: sized(2, 3).With(multicast.Senders.Is(1)), Variant: "batches"},
	{Config: sized(2, 2), Variant: "one-at-a-time", Claims: ordered},
	{Config: sized(2, 2), Variant: "member"},
	{Config: sized(2, 1), Variant: "orders"},
	{Config: sized(4, 3), Reading: model.Dense, Schedules: 100, Claims: alike},
}

var deep = []model.Check{
	{Config: variant.Faulty(sized(3, 2), failing), Variant: "fifo-channels", Claims: agreed},
	{Config: variant.Faulty(sized(3, 2).With(multicast.Senders.Is(2)), failing), Claims: agreed},
	{Config: sized(2, 2), Variant: "orders"},
}

func sized(n, messages int) model.Config {
	return model.Config{N: n}.With(multicast.Messages.Is(messages))
}
