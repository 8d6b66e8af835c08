package agreed

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multicast-agreed",
	Title:  "totally ordered multicast by agreed numbers",
	Source: "SDX lecture",
	Params: []model.Parameter{multicast.Processes, multicast.Messages, multicast.Senders, model.Delay},
	Build:  build,
	Claims: claimed, Properties: multicast.Others(multicast.Group, claimed),
	Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

func build(c model.Config) (*model.System, error) {
	if err := multicast.CheckSenders(c); err != nil {
		return nil, err
	}
	cfg := &Config{Group: multicast.First(c.N)}
	return &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Data{}, Proposal{}, Agreed{}, multicast.Message{}, multicast.Multicast{}},
		Setup:   cfg,
		Nodes:   multicast.Specs(c, func(model.NodeID) model.Node { return &Process{cfg: cfg} }),
	}, nil
}

var (
	order   = []string{multicast.FIFOOrder, multicast.CausalOrder}
	alike   = []string{multicast.Integrity, multicast.TotalOrder, multicast.UniformTotalOrder}
	steps   = []string{"no proposal above the agreed number", "one message a number", "delivered numbers increase"}
	lecture = append([]string{multicast.Validity, multicast.Agreement}, alike...)
)

var checks = []model.Check{
	{Config: pair},
	{Config: sized(3, 2).With(multicast.Senders.Is(1))},
	{Config: sized(2, 3).With(multicast.Senders.Is(1))},
	{Config: variant.Faulty(sized(2, 1), model.Faults{Crashes: 1}), Claims: slices.Concat(alike, steps)},
	{Config: variant.Faulty(sized(2, 1), model.Faults{Loss: 1}), Claims: slices.Concat(alike, steps)},
	{Config: sized(2, 1), Reading: model.Grid},
	{Config: sized(2, 2), Variant: "fifo-channels", Claims: order},
	{Config: sized(2, 2), Variant: "one-at-a-time", Claims: order},
	{Config: variant.Faulty(sized(2, 2).With(multicast.Senders.Is(1)), model.Faults{Duplication: 1}), Variant: "filters"},
	{Config: sized(4, 2), Reading: model.Dense, Schedules: 100, Claims: alike},
}

var deep = []model.Check{
	{Config: sized(2, 2), Claims: lecture},
	{Config: variant.Faulty(twice, model.Faults{Crashes: 1}), Variant: "fifo-channels", Claims: alike},
	{Config: variant.Faulty(twice, model.Faults{Crashes: 1}), Variant: "one-at-a-time", Claims: alike},
	{Config: variant.Faulty(sized(3, 1), model.Faults{Crashes: 1}), Claims: alike},
}

// pair has two senders among three processes. In twice, each sends two messages.
var (
	pair  = sized(3, 1).With(multicast.Senders.Is(2))
	twice = sized(3, 2).With(multicast.Senders.Is(2))
)

// sized returns a configuration in which all processes multicast.
func sized(n, messages int) model.Config {
	return model.Config{N: n}.With(multicast.Messages.Is(messages))
}
