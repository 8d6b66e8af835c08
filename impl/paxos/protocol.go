package paxos

import (
	"slices"

	"contend/impl/ballots"
	"contend/model"
	"contend/model/variant"
)

// Values is a size of a check.
var Values = model.Param[int]{
	Name: "values", Meaning: "among how many values a leader may choose", Least: 1, Most: 20, Default: 2,
}

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "paxos",
	Title:  "consensus on one value by ballots",
	Source: "Lamport, Paxos Made Simple 2001; Paxos.tla",
	Params: []model.Parameter{model.N.WithMeaning("acceptors").WithDefault(3), ballots.Ballots, Values, ballots.Learners},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

// Config is shared by the nodes.
type Config struct {
	Definitions
	ballots.Roles
	Values int
}

func build(c model.Config) (*model.System, error) {
	s := &model.System{
		Config:  c,
		Network: ballots.Network(),
		Faults:  c.Faults,
		Types: []any{
			Phase1a{}, Phase1b{}, Phase2a{}, Phase2b{}, phase1a{}, Proposed{}, Voted{}, Heard{},
		},
	}
	cfg := &Config{Definitions: Spec{}, Values: Values.Of(c)}
	s.Setup = cfg
	cfg.Roles, s.Nodes = ballots.Specs(c, ballots.Makers{
		Acceptor: func() model.Node { return &Acceptor{cfg: cfg} },
		Leader:   func(ballot int) model.Node { return &Leader{cfg: cfg, ballot: ballot} },
		Learner:  func() model.Node { return &Learner{cfg: cfg} },
	})
	return s, nil
}

// define returns an edit that gives all nodes these definitions.
func define(spec Definitions) func(*model.System) {
	return variant.Setup(func(c *Config) { c.Definitions = spec })
}

func sized(n, leaders, learners int) model.Config {
	return model.Config{N: n}.With(ballots.Ballots.Is(leaders), ballots.Learners.Is(learners))
}

var checks = []model.Check{
	{Config: sized(3, 2, 1)},
	{Config: sized(3, 1, 2)},
	{Config: sized(3, 3, 0), Claims: []string{chosen, "validity"}},
	{Config: variant.Faulty(sized(1, 2, 1), model.Faults{Restarts: 1})},
	{Config: variant.Faulty(sized(2, 2, 1), model.Faults{Duplication: 1})},
}

var deep = []model.Check{
	{Config: variant.Faulty(sized(3, 2, 0), model.Faults{Restarts: 2}), Claims: []string{chosen}},
}
