package abd

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/variant"
)

// The numbers of clients.
var (
	Writers = model.Param[int]{Name: "writers", Meaning: "clients that write", Most: 16, Default: 1}
	Readers = model.Param[int]{Name: "readers", Meaning: "clients that read", Most: 16, Default: 1}
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "abd",
	Title:  "an atomic register over quorums",
	Source: "Attiya–Bar-Noy–Dolev 1995; Lynch–Shvartsman 1997",
	Params: []model.Parameter{
		model.N.WithMeaning("replicas").WithDefault(3), Writers, Readers,
		model.Ops.WithMeaning("operations of each client"),
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

// Config is shared by the clients.
type Config struct {
	Replicas []model.NodeID
	Writers  int
}

func build(c model.Config) (*model.System, error) {
	if Writers.Of(c)+Readers.Of(c) == 0 {
		return nil, fmt.Errorf("writers and readers are 0, but there must be a client")
	}
	cfg := &Config{Writers: Writers.Of(c)}
	s := &model.System{
		Config: c, Network: model.Network{Delay: model.Anytime()}, Faults: c.Faults,
		Types: []any{Query{}, Answer{}, Update{}, Ack{}, Write{}, Read{}, Updated{}, Stored{}},
		Setup: cfg,
	}
	for i := range c.N {
		cfg.Replicas = append(cfg.Replicas, model.NodeID(i))
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprintf("s%d", i+1), Role: model.Server, Crash: model.CrashStopRecovery})
	}
	// Later writes have smaller values: a client that takes the highest value for the latest is wrong.
	writes := Writers.Of(c) * model.Ops.Of(c)
	for w := range Writers.Of(c) {
		s.Nodes = append(s.Nodes, client(fmt.Sprintf("w%d", w+1), c, func(op int) any { return Write{writes - w*model.Ops.Of(c) - op} }))
	}
	for r := range Readers.Of(c) {
		s.Nodes = append(s.Nodes, client(fmt.Sprintf("r%d", r+1), c, func(int) any { return Read{} }))
	}
	define(Spec{})(s)
	return s, nil
}

// client returns a node that invokes operations, each at any time. It calls op once for each operation, with the index
// of the operation.
func client(name string, c model.Config, op func(int) any) model.NodeSpec {
	spec := model.NodeSpec{Name: name, Role: model.Client}
	for k := range model.Ops.Of(c) {
		spec.Script = append(spec.Script, model.Op{Call: op(k), After: model.Anytime()})
	}
	return spec
}

// define returns an edit that gives all nodes these definitions.
func define(spec Definitions) func(*model.System) {
	return func(s *model.System) {
		cfg := s.Setup.(*Config)
		for i := range s.Nodes {
			s.Nodes[i].New = func() model.Node { return &Client{cfg: cfg, spec: spec} }
		}
		replicas(func(r Replica) model.Node { r.spec = spec; return &r })(s)
	}
}

// replicas returns an edit that makes each replica by f. The checker calls f for each new node. It may change the
// replica that it gets.
func replicas(f func(Replica) model.Node) func(*model.System) {
	return func(s *model.System) {
		for _, id := range s.Setup.(*Config).Replicas {
			s.Nodes[id].New = func() model.Node { return f(Replica{spec: Spec{}}) }
		}
	}
}

func sized(n, writers, readers, ops int) model.Config {
	return model.Config{N: n}.With(Writers.Is(writers), Readers.Is(readers), model.Ops.Is(ops))
}

var checks = []model.Check{
	{Config: sized(3, 1, 1, 1)},
	{Config: sized(2, 1, 1, 2)},
	{Config: sized(1, 2, 1, 1)},
	{Config: sized(3, 1, 1, 2), Claims: []string{atomic}},
	{Config: variant.Faulty(sized(3, 1, 0, 1), model.Faults{Crashes: 1})},
	{Config: variant.Faulty(sized(3, 0, 1, 1), model.Faults{Crashes: 1})},
	{Config: variant.Faulty(sized(1, 1, 1, 1), model.Faults{Restarts: 1})},
	{Config: variant.Faulty(sized(2, 1, 1, 1), model.Faults{Duplication: 1})},
}

var deep = []model.Check{
	{Config: variant.Faulty(sized(3, 1, 1, 1), model.Faults{Crashes: 1})},
	{Config: sized(3, 1, 2, 1), Claims: []string{atomic}},
	{Config: sized(3, 2, 1, 1), Claims: []string{atomic}},
}
