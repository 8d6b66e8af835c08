package unordered

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multicast-unordered",
	Title:  "multicast in any order, to find which order implies which",
	Source: "SDX lecture",
	Params: []model.Parameter{multicast.Processes, multicast.Messages, multicast.Senders},
	Build:  build,
	Claims: claimed, Properties: slices.Concat(multicast.Others(multicast.Group, claimed), implications()),
	Costs:    []*model.Cost{multicast.PerMulticast(behalf), multicast.DeliveryLatency()},
	Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

func build(c model.Config) (*model.System, error) {
	if err := multicast.CheckSenders(c); err != nil {
		return nil, err
	}
	cfg := &Config{multicast.First(c.N)}
	return &model.System{
		Config:  c,
		Network: model.Network{Delay: model.Anytime()},
		Types:   []any{multicast.Message{}, multicast.Multicast{}},
		Setup:   cfg,
		Nodes:   multicast.Specs(c, func(model.NodeID) model.Node { return &Process{cfg: cfg} }),
	}, nil
}

// behalf returns the process whose multicast a message serves.
func behalf(o model.Observation) (model.NodeID, bool) {
	m, is := o.Value.(multicast.Message)
	return m.Sender, is
}

var checks = []model.Check{
	{Config: multicast.Sized(3, 2, 1)},
	{Config: multicast.Sized(2, 1, 2)},
	{Config: variant.Faulty(multicast.Sized(3, 2, 1), model.Faults{Loss: 1}), Claims: []string{multicast.Integrity}},
	{Config: variant.Faulty(multicast.Sized(3, 2, 1), model.Faults{Crashes: 1}), Claims: []string{multicast.Integrity, multicast.Validity}},
	{Config: multicast.Sized(4, 4, 3), Schedules: 100, Claims: []string{multicast.Integrity}},
	{Config: multicast.Sized(2, 0, 1), Variant: "one-at-a-time"},
	{Config: variant.Faulty(multicast.Sized(1, 0, 1), model.Faults{Duplication: 1}), Variant: "knows-again"},
}

var deep = []model.Check{{Config: multicast.Sized(3, 2, 2)}}
