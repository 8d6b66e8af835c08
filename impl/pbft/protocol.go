package pbft

import (
	"fmt"
	"slices"

	"contend/model"
)

// The bounds of a check. Views have no bound, so the last view has no timer. It stands for the time when the system is
// synchronous.
var (
	Views = model.Param[int]{
		Name: "views", Meaning: "views; the last one lasts", Least: 1, Most: 20, Default: 2,
	}
	Requests = model.Param[int]{
		Name: "requests", Meaning: "requests of clients", Least: 1, Most: 10, Default: 2,
	}
	Numbers = model.Param[int]{
		Name: "numbers", Meaning: "sequence numbers: the high water mark", Least: 1, Most: 10, Default: 1,
	}
	Liar = model.Param[int]{
		Name: "liar", Meaning: "the first Byzantine replica; the others follow it", Most: 31,
	}
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "pbft",
	Title:  "practical Byzantine fault tolerance",
	Source: "Castro–Liskov, OSDI 1999; Howard, pbft.tla",
	Params: []model.Parameter{
		model.N.WithMeaning("replicas").WithDefault(4), model.B, Views, Requests, Numbers, Liar,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

// Config is shared by the replicas.
type Config struct {
	Replicas                 []model.NodeID
	F                        int // the number of faulty replicas that the protocol tolerates: n = 3f+1
	Byzantine                int // the number of faulty replicas
	Liar                     model.NodeID
	Views, Requests, Numbers int
}

// primary returns the primary of a view: "p = v mod |R|".
func (c *Config) primary(view int) model.NodeID { return model.NodeID(view % len(c.Replicas)) }

// faulty reports whether a replica is Byzantine.
func (c *Config) faulty(id model.NodeID) bool {
	n := model.NodeID(len(c.Replicas))
	return int((id-c.Liar+n)%n) < c.Byzantine
}

func (c *Config) others(id model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(c.Replicas), func(other model.NodeID) bool { return other == id })
}

func build(c model.Config) (*model.System, error) {
	cfg := &Config{
		F: (c.N - 1) / 3, Byzantine: c.B, Liar: model.NodeID(Liar.Of(c)),
		Views: Views.Of(c), Requests: Requests.Of(c), Numbers: Numbers.Of(c),
	}
	switch {
	case c.B > cfg.F && !c.Beyond:
		return nil, fmt.Errorf("n is %d with b = %d, but the protocol needs n > 3b (Castro–Liskov §3); --beyond-bounds checks it all the same", c.N, c.B)
	case c.B >= c.N:
		return nil, fmt.Errorf("b is %d, but must be below n = %d", c.B, c.N)
	case int(cfg.Liar) >= c.N:
		return nil, fmt.Errorf("liar is %d, but must be below n = %d", cfg.Liar, c.N)
	case cfg.Requests < cfg.Numbers:
		return nil, fmt.Errorf("requests is %d, but must be at least numbers = %d", cfg.Requests, cfg.Numbers)
	}
	s := &model.System{
		Config:  c,
		Network: model.Network{Channel: model.Set, Once: true, Delay: model.Anytime()},
		Faults:  c.Faults,
		Forge:   cfg.forge,
		Types: []any{
			PrePrepare{}, Prepare{}, Commit{}, ViewChange{}, NewView{}, propose{}, expire{},
			Expired{}, Requested{}, BecamePrepared{}, BecameCommitted{}, Entered{}, Executed{},
		},
		Setup: cfg,
	}
	for i := range c.N {
		cfg.Replicas = append(cfg.Replicas, model.NodeID(i))
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("r%d", i), Role: model.Server, Byzantine: cfg.faulty(model.NodeID(i)), Crash: model.CrashStop,
		})
	}
	define(Spec{})(s)
	return s, nil
}

// replica returns the replica of a node. A variant's node embeds it.
func replica(n model.Node) *Replica { return n.(interface{ replica() *Replica }).replica() }

func (r *Replica) replica() *Replica { return r }

// define returns an edit that gives all replicas these definitions.
func define(spec Definitions) func(*model.System) {
	return func(s *model.System) {
		cfg := s.Setup.(*Config)
		for i := range s.Nodes {
			leads := make([]bool, cfg.Views)
			for view := range leads {
				leads[view] = cfg.primary(view) == model.NodeID(i)
			}
			if !s.Nodes[i].Byzantine {
				s.Nodes[i].New = func() model.Node { return &Replica{cfg: cfg, spec: spec, leads: leads} }
			}
		}
	}
}

func sized(views, numbers, liar int) model.Config {
	return model.Config{N: 4, B: 1}.With(Views.Is(views), Numbers.Is(numbers), Liar.Is(liar))
}

// safety are the names of the claims of kind always.
var safety = []string{safe, unique, committed, kept, ordered, replies}

var checks = []model.Check{
	{Config: sized(1, 1, 0), Claims: append(slices.Clone(safety), marked)},
	{Config: sized(1, 1, 1)},
	{Variant: "nearly-committed", Config: sized(2, 1, 0), Claims: []string{safe, kept, ordered, unforced, forward}},
	{Variant: "nearly-committed-1", Config: sized(2, 1, 1).With(Requests.Is(1)), Claims: []string{safe, kept, unforced, forward}},
	{Variant: "accepting", Config: sized(2, 1, 0).With(Requests.Is(1)), Claims: []string{safe, unique, committed, kept, unforced, forward}},
	{Variant: "requested", Config: sized(2, 1, 0), Claims: []string{unique, committed, forward}},
	{Variant: "entered", Config: sized(2, 1, 0).With(Requests.Is(1)), Claims: []string{live}},
	{Variant: "late-prepares", Config: sized(2, 1, 1), Claims: []string{unique, committed, forward}},
	{Variant: "late-commits", Config: sized(2, 1, 1).With(Requests.Is(1)), Claims: []string{unique, committed, forward}},
	{Variant: "prepared-twice", Config: sized(3, 1, 0).With(Requests.Is(1)), Claims: []string{kept}},
	{Variant: "replaced", Config: sized(3, 1, 0), Claims: []string{safe, kept, forward}},
	{Variant: "old-requests", Config: sized(3, 1, 2).With(Requests.Is(1)), Claims: []string{kept, forward}},
	{Variant: "split", Config: sized(3, 1, 0).With(Requests.Is(1)), Claims: []string{forward}},
	{Variant: "first-view", Config: sized(3, 1, 0).With(Requests.Is(1)), Claims: []string{unforced}},
	{Variant: "gap-requested", Config: sized(2, 2, 0), Claims: []string{gapless}},
	{Variant: "same-request", Config: sized(1, 2, 0), Claims: []string{ordered, replies}},
	{Variant: "two-requests", Config: sized(1, 2, 0), Claims: []string{ordered, replies}},
}

var deep = []model.Check{
	{Config: sized(2, 1, 0), Claims: safety},
	{Config: sized(2, 1, 1).With(Requests.Is(1)), Claims: safety},
	{Config: sized(2, 1, 2).With(Requests.Is(1)), Claims: safety},
	{Config: sized(2, 1, 0), Variant: "nearly-committed", Claims: []string{live}},
	{Config: sized(2, 2, 0), Variant: "gap", Claims: []string{safe, kept, ordered}},
}
