package multipaxos

import (
	"fmt"
	"slices"

	"contend/model"
)

// The sizes of a check.
var (
	Ballots = model.Param[int]{
		Name: "ballots", Meaning: "ballots, each with a leader", Least: 1, Most: 20, Default: 2,
	}
	Instances = model.Param[int]{
		Name: "instances", Meaning: "instances of the consensus algorithm", Least: 1, Most: 20, Default: 2,
	}
	Learners = model.Param[int]{
		Name: "learners", Meaning: "learners", Most: 20, Default: 1,
	}
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multipaxos",
	Title:  "a sequence of commands by ballots, with a leader that stays",
	Source: "Lamport, Paxos Made Simple 2001, §3; Chand–Liu–Stoller, MultiPaxosUs.tla",
	Params: []model.Parameter{model.N.WithMeaning("acceptors").WithDefault(3), Ballots, Instances, Learners},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

// Config is shared by the nodes.
type Config struct {
	Acceptors, Learners []model.NodeID
	Instances           int
}

func build(c model.Config) (*model.System, error) {
	s := &model.System{
		Config:  c,
		Network: model.Network{Channel: model.Set, Once: true, Delay: model.Anytime()},
		Faults:  c.Faults,
		Types: []any{
			Phase1a{}, Phase1b{}, Phase2a{}, Phase2b{}, phase1a{}, phase2a{},
			Proposed{}, Voted{}, Learned{}, Step{},
		},
	}
	cfg := &Config{Instances: Instances.Of(c)}
	s.Setup = cfg
	add := func(name string, crash model.CrashModel, count int) (ids []model.NodeID) {
		for i := range count {
			ids = append(ids, model.NodeID(len(s.Nodes)))
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprintf("%s%d", name, i), Role: model.Server, Crash: crash})
		}
		return ids
	}
	cfg.Acceptors = add("a", model.CrashRecovery, c.N)
	add("l", model.CrashStop, Ballots.Of(c))
	cfg.Learners = add("r", model.CrashStop, Learners.Of(c))
	define(Spec{})(s)
	return s, nil
}

// define returns an edit that gives all nodes these definitions.
func define(spec Definitions) func(*model.System) {
	return func(s *model.System) {
		leaders(func(l Leader) model.Node { l.spec = spec; return &l })(s)
		acceptors(func(a Acceptor) model.Node { a.spec = spec; return &a })(s)
		cfg := s.Setup.(*Config)
		for _, id := range cfg.Learners {
			s.Nodes[id].New = func() model.Node { return &Learner{cfg: cfg, spec: spec} }
		}
	}
}

// leaders returns an edit that makes the leader of each ballot by f. The checker calls f for each new node. It may
// change the leader that it gets.
func leaders(f func(Leader) model.Node) func(*model.System) {
	return func(s *model.System) {
		cfg := s.Setup.(*Config)
		for b := range Ballots.Of(s.Config) {
			s.Nodes[len(cfg.Acceptors)+b].New = func() model.Node { return f(Leader{cfg: cfg, spec: Spec{}, ballot: b}) }
		}
	}
}

// acceptors returns an edit that makes each acceptor by f. The checker calls f for each new node. It may change the
// acceptor that it gets.
func acceptors(f func(Acceptor) model.Node) func(*model.System) {
	return func(s *model.System) {
		cfg := s.Setup.(*Config)
		for _, id := range cfg.Acceptors {
			s.Nodes[id].New = func() model.Node { return f(Acceptor{cfg: cfg, spec: Spec{}}) }
		}
	}
}

func sized(n, ballots, instances, learners int) model.Config {
	return model.Config{N: n}.With(Ballots.Is(ballots), Instances.Is(instances), Learners.Is(learners))
}

func faulty(c model.Config, f model.Faults) model.Config {
	c.Faults = f
	return c
}

var checks = []model.Check{
	{Config: sized(3, 1, 2, 1), Claims: []string{chosen, learned, order, validity, progress}},
	{Config: sized(1, 2, 2, 1)},
	{Config: sized(2, 2, 2, 0), Claims: []string{chosen, validity, gap}},
}

var deep = []model.Check{
	{Config: sized(3, 2, 2, 0), Claims: []string{chosen, validity, gap}},
	{Config: sized(3, 1, 3, 1), Claims: safety},
	{Config: faulty(sized(3, 2, 2, 0), model.Faults{Restarts: 1}), Claims: []string{chosen}},
	{Config: sized(3, 2, 2, 1), Claims: []string{learned}},
}

// safety are the names of the claims of kind always.
var safety = []string{chosen, learned, order, validity}
