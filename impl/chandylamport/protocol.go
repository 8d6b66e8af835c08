package chandylamport

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/variant"
)

// The sizes of a check.
var (
	Initiators = model.Param[int]{
		Name: "initiators", Meaning: "processes that may begin a snapshot by themselves: the first ones", Least: 1, Most: 8, Default: 1,
	}
	Transfers = model.Param[int]{
		Name: "transfers", Meaning: "transfers of each process", Most: 20, Default: 1,
	}
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "chandylamport",
	Title:  "a snapshot of a distributed system",
	Source: "Chandy–Lamport 1985; Fiedler–Traytel, AFP 2020",
	Params: []model.Parameter{model.N.WithMeaning("processes").WithRange(2, 8).WithDefault(3), Initiators, Transfers},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

// Config is shared by the processes.
type Config struct {
	In, Out    [][]model.NodeID // by process: the other ends of its incoming and outgoing channels
	Initiators int
	Transfers  int
}

// Initiates reports whether a process may initiate a snapshot.
func (cfg *Config) Initiates(id model.NodeID) bool { return int(id) < cfg.Initiators }

// Begins returns the initial state of a process. It can pay for all its transfers. A process without outgoing channels
// makes no transfers.
func (cfg *Config) Begins(id model.NodeID) State {
	s := State{Balance: cfg.Transfers * (cfg.Transfers + 1) / 2}
	if len(cfg.Out[id]) > 0 {
		s.Left = cfg.Transfers
	}
	return s
}

// total returns the sum of all initial states.
func (cfg *Config) total() (all State) {
	for id := range cfg.Out {
		s := cfg.Begins(model.NodeID(id))
		all.Balance += s.Balance
		all.Left += s.Left
	}
	return all
}

// channels returns the number of channels.
func (cfg *Config) channels() (n int) {
	for _, in := range cfg.In {
		n += len(in)
	}
	return n
}

func build(c model.Config) (*model.System, error) {
	if Initiators.Of(c) > c.N {
		return nil, fmt.Errorf("initiators is %d, but there are only %d processes", Initiators.Of(c), c.N)
	}
	cfg := &Config{Initiators: Initiators.Of(c), Transfers: Transfers.Of(c)}
	s := &model.System{
		Config:  c,
		Network: model.Network{Channel: model.FIFO, Delay: model.Anytime()},
		Faults:  c.Faults,
		Types: []any{
			Money{}, Marker{}, transfer{}, snapshot{}, mark{}, later{}, Sent{}, Received{}, Kept{}, RecordedState{}, RecordedChannel{},
		},
		Setup: cfg,
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer,
			New: func() model.Node { return &Process{cfg: cfg, State: cfg.Begins(model.NodeID(i))} },
		})
	}
	connect(func(p, q int) bool { return p != q })(s)
	return s, nil
}

// connect returns an edit that creates the channels. It calls f for each pair of processes. There is a channel from p
// to q if f returns true.
func connect(f func(p, q int) bool) func(*model.System) {
	return func(s *model.System) {
		cfg, n := s.Setup.(*Config), len(s.Nodes)
		cfg.In, cfg.Out = make([][]model.NodeID, n), make([][]model.NodeID, n)
		for p := range n {
			for q := range n {
				if f(p, q) {
					cfg.Out[p] = append(cfg.Out[p], model.NodeID(q))
					cfg.In[q] = append(cfg.In[q], model.NodeID(p))
				}
			}
		}
	}
}

func sized(n, initiators, transfers int) model.Config {
	return model.Config{N: n}.With(Initiators.Is(initiators), Transfers.Is(transfers))
}

var checks = []model.Check{
	{Config: sized(2, 2, 2)},
	{Config: sized(3, 1, 1)},
	{Config: variant.Faulty(sized(2, 1, 2), model.Faults{Crashes: 1})},
	{Config: sized(3, 1, 1), Variant: "ring", Claims: []string{consistent, theorem, conserved, stable, terminates}},
}

var deep = []model.Check{
	{Config: sized(3, 3, 1)},
	{Config: sized(2, 2, 4)},
}
