package multipaxos

import (
	"slices"

	"contend/impl/ballots"
	"contend/model"
	"contend/model/variant"
)

// Instances is a size of a check.
var Instances = model.Param[int]{
	Name: "instances", Meaning: "instances of the consensus algorithm", Least: 1, Most: 20, Default: 2,
}

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multipaxos",
	Title:  "a sequence of commands by ballots, with a leader that stays",
	Source: "Lamport, Paxos Made Simple 2001, §3; Chand–Liu–Stoller, MultiPaxosUs.tla",
	Params: []model.Parameter{model.N.WithMeaning("acceptors").WithDefault(3), ballots.Ballots, Instances, ballots.Learners},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

// Config is shared by the nodes.
type Config struct {
	Definitions
	ballots.Roles
	Instances int
}

func build(c model.Config) (*model.System, error) {
	s := &model.System{
		Config:  c,
		Network: ballots.Network(),
		Faults:  c.Faults,
		Types: []any{
			Phase1a{}, Phase1b{}, Phase2a{}, Phase2b{}, phase1a{}, phase2a{},
			Proposed{}, Voted{}, Learned{}, Step{},
		},
	}
	cfg := &Config{Definitions: Spec{}, Instances: Instances.Of(c)}
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

func sized(n, leaders, instances, learners int) model.Config {
	return model.Config{N: n}.With(ballots.Ballots.Is(leaders), Instances.Is(instances), ballots.Learners.Is(learners))
}

var checks = []model.Check{
	{Config: sized(3, 1, 2, 1), Claims: []string{chosen, learned, order, validity, progress}},
	{Config: sized(1, 2, 2, 1)},
	{Config: sized(2, 2, 2, 1)},
	{Config: sized(3, 2, 2, 0), Claims: []string{chosen, validity, gap}},
	{Config: sized(3, 3, 1, 0), Claims: []string{chosen, validity}},
	{Config: variant.Faulty(sized(1, 2, 2, 1), model.Faults{Restarts: 1})},
	{Config: variant.Faulty(sized(2, 2, 1, 1), model.Faults{Duplication: 1})},
	{Config: sized(3, 3, 2, 1), Reading: model.Dense, Schedules: 2000, Claims: safety},
}

var deep = []model.Check{
	{Config: sized(3, 1, 3, 1), Claims: safety},
	{Config: variant.Faulty(sized(3, 2, 2, 0), model.Faults{Restarts: 1}), Claims: []string{chosen}},
	{Config: sized(3, 2, 2, 1), Claims: []string{learned}},
}

// safety are the names of the claims of kind always.
var safety = []string{chosen, learned, order, validity}
