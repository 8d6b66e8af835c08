package ordering

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/quorum"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "ordering",
	Title:  "operation ordering on a replicated object, with Byzantine servers",
	Source: "Chockler–Malkhi–Reiter, Figures 2 and 3",
	Config: model.Config{Clients: 2, Ops: 1, Tries: 2, Attempts: 2, Delay: 1, Section: 1},
	Fields: []string{"n", "b", "quorum", "clients", "ops", "tries", "attempts", "delay", "section"},
	Build:  build,
	Claims: claims, Variants: variants, Checks: checks,
}

// build makes n servers, of which the last b are Byzantine, and the clients. With
// n unset it is the least that the paper allows.
func build(c model.Config) (*model.System, error) {
	q, err := quorums(&c)
	if err != nil {
		return nil, err
	}
	servers := make([]model.NodeID, c.N)
	for i := range servers {
		servers[i] = model.NodeID(i)
	}
	cfg := printed(servers, c.Clients, q, c.B)
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(c.Delay)},
		Forge:   cfg.forge,
		Types:   slices.Concat(types, objectTypes),
		Setup:   cfg,
		Cuts:    []model.Cut{{Name: "attempts", Beyond: func(n model.Node) bool { return passages(n) > c.Attempts }}},
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("s%d", i+1), Role: model.Server, Byzantine: i >= c.N-c.B,
			New: func() model.Node { return cfg.server() },
		})
	}
	for i := range c.Clients {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("c%d", i+1), Role: model.Client,
			New: func() model.Node { return &Client{cfg: cfg} },
		})
	}
	work(appends)(s)
	return s, nil
}

// server is a server as the history begins: with "the complete propose and commit
// invocations with the initial object state σ⁰ and the rank 0" (§7).
func (c *Config) server() *Server { return &Server{cfg: c} }

// work gives every client its calls.
func work(w workload) func(*model.System) {
	return func(s *model.System) {
		for i, id := range s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Client }) {
			script := make([]model.Op, s.Config.Ops)
			for k := range script {
				script[k] = model.Op{Call: w(i, k), After: model.Anytime()}
			}
			s.Nodes[id].Script = script
		}
	}
}

// passages counts the passages of line 2.8, to the end, by a client's ordering
// thread. It may call contend once more, and wait there for good: what still comes
// to it is then stale.
func passages(n model.Node) int {
	at, ok := n.(interface{ client() *Client })
	if !ok {
		return 0
	}
	c := at.client()
	if c.Phase == Contending {
		return c.Passages - 1
	}
	return c.Passages
}

// quorums fills in n and the quorum size, and holds them to the paper's bound.
func quorums(c *model.Config) (quorum.Threshold, error) {
	if c.N == 0 {
		c.N = quorum.Ordering.MinServers(c.B)
	}
	q := quorum.Threshold{N: c.N, Size: c.Quorum}
	if c.N <= 6*c.B && !c.Beyond {
		return q, fmt.Errorf("n is %d with b = %d, but the protocol needs n > 6b (Chockler–Malkhi–Reiter §6.2); --beyond-bounds checks it all the same", c.N, c.B)
	}
	if c.Quorum == 0 {
		q = quorum.Ordering.Smallest(c.N, c.B)
		q.Size = min(q.Size, c.N)
		c.Quorum = q.Size
	}
	if err := quorum.Ordering.Check(q, c.B); err != nil && !c.Beyond {
		return q, err
	}
	if q.Size > c.N || c.B > c.N {
		return q, fmt.Errorf("quorum is %d and b is %d, but there are only n = %d servers", q.Size, c.B, c.N)
	}
	return q, nil
}

// checks are for the default run.
var checks = []model.Check{
	{Config: model.Config{N: 1}},
}
