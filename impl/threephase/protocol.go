package threephase

import (
	"fmt"
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "threephase",
	Title:  "three-phase commit of a transaction",
	Source: "Skeen 1981; ThreePhaseCommit.tla",
	Params: []model.Parameter{model.N.WithMeaning("processes").WithRange(2, 12).WithDefault(3), model.Delay},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

// Config is shared by the processes.
type Config struct {
	N     int
	Rules Rules
	// Where time-outs decide, Coordinates is the time that a coordinator waits for answers. Obeys is the time that a
	// process waits for the next command.
	Coordinates, Obeys model.Ticks
}

func build(c model.Config) (*model.System, error) {
	cfg := &Config{N: c.N, Rules: Spec{}}
	s := &model.System{
		Config:   c,
		Network:  model.Network{Delay: model.Anytime()},
		Detector: model.Detector{Kind: model.Perfect, Report: model.Anytime()},
		Faults:   c.Faults,
		Types: []any{
			CanCommit{}, PreCommit{}, DoCommit{}, Abort{}, Vote{}, Ack{}, StateRequest{}, Report{}, begin{}, multicast.Next{}, late{}, Became{},
		},
		Setup: cfg,
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, New: func() model.Node { return &Process{cfg: cfg} }})
	}
	return s, nil
}

// follow is an edit: processes go by other rules.
func follow(r Rules) func(*model.System) {
	return variant.Setup(func(c *Config) { c.Rules = r })
}

func sized(n int, f model.Faults) model.Config { return model.Config{N: n, Faults: f} }

var safety = []string{same, final, unanimous, diligent, certain}

var checks = []model.Check{
	{Config: sized(3, model.Faults{Crashes: 1})},
	{Config: sized(3, model.Faults{Crashes: 3})},
	{Config: sized(3, model.Faults{Crashes: 1, Loss: 1, Duplication: 1, Partitions: 1}), Claims: safety},
	{Variant: "timeouts", Config: sized(3, model.Faults{Crashes: 3}), Reading: model.Grid},
}

var deep = []model.Check{
	{Config: sized(4, model.Faults{Crashes: 4})},
	{Config: sized(5, model.Faults{Crashes: 2}), Claims: safety},
	{Variant: "timeouts", Config: sized(4, model.Faults{Crashes: 1}), Reading: model.Grid},
}
