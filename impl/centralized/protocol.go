package centralized

import (
	"fmt"
	"slices"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "centralized",
	Title:  "mutual exclusion by one coordinator",
	Source: "SDX lecture",
	Params: []model.Parameter{model.Clients, model.Ops.WithMeaning("entries of each client").WithDefault(2), model.Delay, mutex.Section},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: variants(), Checks: checks, Deep: deep,
}

// coordinator is the coordinator's place among the nodes.
const coordinator model.NodeID = 0

func build(c model.Config) (*model.System, error) {
	cfg := &Config{
		Coordinator: coordinator,
		Silence:     2*model.Delay.Of(c) + 1, // more than a request and its answer take
	}
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, OK{}, Release{}, Queued{}, mutex.Acquire{}, mutex.Release{}},
		Setup:   cfg,
		Nodes: []model.NodeSpec{{
			Name: "coordinator", Role: model.Server, Crash: model.CrashStopRecovery,
			New: func() model.Node { return &Coordinator{cfg: cfg} },
		}},
	}
	for i := range model.Clients.Of(c) {
		cfg.Clients = append(cfg.Clients, coordinator+model.NodeID(i)+1)
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("c%d", i+1), Role: model.Client, Script: mutex.Passages(c),
			New: func() model.Node { return &Client{cfg: cfg} },
		})
	}
	return s, nil
}

var (
	safety = []string{"mutual exclusion", "lock", "bounded overtaking"}
	whole  = append([]string{"deadlock freedom", "every request is granted"}, safety...)
)

var checks = []model.Check{
	{Config: sized(2, 6)},
	{Config: sized(3, 2)},
	{Config: variant.Faulty(sized(2, 2), model.Faults{Crashes: 2}), Claims: safety},
	{Config: sized(5, 3), Reading: model.Dense, Schedules: 200, Claims: []string{"mutual exclusion", "lock", "deadlock freedom", "bounded overtaking"}},
	{Config: variant.Faulty(sized(2, 2), model.Faults{Restarts: 1}), Variant: "stable", Claims: append(slices.Clip(safety), "a recovery is survived")},
	{Config: sized(2, 2), Variant: "stable"},
	{Config: sized(2, 2), Variant: "deny"},
	{Config: sized(2, 2), Variant: "deny-and-retry"},
	{Config: variant.Faulty(sized(2, 2), model.Faults{Crashes: 1}), Variant: "deny", Reading: model.Grid, Claims: []string{"mutual exclusion", "accuracy"}},
	// An OK that arrives again must find a client that ignores it.
	{Config: variant.Faulty(sized(1, 2), model.Faults{Crashes: 1, Duplication: 1}), Variant: "deny", Reading: model.Grid, Claims: []string{"accuracy"}},
	{Config: variant.Faulty(sized(2, 2), model.Faults{Crashes: 1}), Variant: "deny-and-retry", Reading: model.Grid, Claims: []string{"mutual exclusion", "accuracy", "completeness"}},
	{Config: variant.Faulty(sized(1, 1), model.Faults{Crashes: 1}), Variant: "deny-and-retry", Claims: []string{"completeness"}},
	{Config: sized(2, 1), Variant: "announces", Claims: []string{"mutual exclusion", "lock", "deadlock freedom", "every request is granted"}},
}

var deep = []model.Check{{Config: sized(4, 6), Claims: whole}, {Config: sized(5, 2), Claims: whole}}

func sized(clients, ops int) model.Config {
	return model.Config{}.With(model.Clients.Is(clients), model.Ops.Is(ops))
}
