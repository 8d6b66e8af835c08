package agreed

import (
	"slices"

	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
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
	cfg := newConfig(c.N)
	return &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Data{}, Proposal{}, Agreed{}, multicast.Message{}, multicast.Multicast{}},
		Setup:   cfg,
		Nodes:   multicast.Specs(c, func(model.NodeID) model.Node { return &Process{cfg: cfg} }),
	}, nil
}

// newConfig is the algorithm for n processes.
func newConfig(n int) *Config {
	cfg := &Config{
		All:  n,
		Send: atOnce,
		Next: func(_ model.Env, a, p clocks.Lamport) clocks.Lamport { return a.Merge(p).Tick() },
		With: func(t clocks.Lamport, j model.NodeID, _ multicast.Message) clocks.Stamp {
			return clocks.Stamp{Time: t, ID: j}
		},
		Select:   largest,
		Raise:    func(p *Process, n clocks.Lamport) { p.A = p.A.Merge(n) },
		Before:   func(a, b Held) bool { return a.Number.Before(b.Number) },
		Reorder:  (*Process).sort,
		Ready:    front,
		Deliver:  func(_ *Process, env model.Env, h Held) { env.Deliver(h.Message) },
		Taken:    func(env model.Env) { env.Return(nil) },
		Numbered: func(model.Env) {},
	}
	for i := range n {
		cfg.Group = append(cfg.Group, model.NodeID(i))
	}
	return cfg
}

// atOnce sends a message; one to itself arrives at once.
func atOnce(p *Process, env model.Env, to model.NodeID, m any) {
	if to == env.Self() {
		p.Receive(env, to, m)
		return
	}
	env.Send(to, m)
}

// largest is the largest of proposals.
func largest(_ model.NodeID, proposals map[model.NodeID]clocks.Stamp) clocks.Stamp {
	var n clocks.Stamp
	for _, proposed := range proposals {
		if n.Before(proposed) {
			n = proposed
		}
	}
	return n
}

// front is the front of a queue if its number is agreed.
func front(queue []Held) int {
	if len(queue) > 0 && queue[0].Agreed {
		return 0
	}
	return -1
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
	{Config: sized(2, 2), Claims: lecture},
	{Config: faulty(pair, model.Faults{Crashes: 1}), Claims: slices.Concat(alike, steps)},
	{Config: faulty(pair, model.Faults{Loss: 1}), Claims: slices.Concat(alike, steps)},
	{Config: sized(2, 1), Reading: model.Grid},
	{Config: sized(2, 2), Variant: "fifo-channels", Claims: order},
	{Config: sized(2, 2), Variant: "one-at-a-time", Claims: order},
	{Config: faulty(sized(2, 2).With(multicast.Senders.Is(1)), model.Faults{Duplication: 1}), Variant: "filters"},
	{Config: sized(4, 2), Reading: model.Dense, Schedules: 200, Claims: alike},
}

var deep = []model.Check{
	{Config: faulty(twice, model.Faults{Crashes: 1}), Variant: "fifo-channels", Claims: alike},
	{Config: faulty(twice, model.Faults{Crashes: 1}), Variant: "one-at-a-time", Claims: alike},
	{Config: faulty(sized(3, 1), model.Faults{Crashes: 1}), Claims: alike},
}

// pair has two senders among three processes, twice two with two messages each.
var (
	pair  = sized(3, 1).With(multicast.Senders.Is(2))
	twice = sized(3, 2).With(multicast.Senders.Is(2))
)

func sized(n, messages int) model.Config {
	return model.Config{N: n}.With(multicast.Messages.Is(messages))
}

func faulty(c model.Config, f model.Faults) model.Config {
	c.Faults = f
	return c
}
