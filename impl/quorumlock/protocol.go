package quorumlock

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/claims"
	"contend/model/quorum"
)

const source = "after Chockler–Malkhi–Reiter, Figure 1"

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "quorumlock",
	Title:  "a lock taken once, from servers some of which lie once",
	Source: source,
	Params: []model.Parameter{model.N.WithDefault(5), model.B, model.Quorum, model.Clients},
	Build:  build,
	Claims: claimed, Variants: variants, Checks: checks,
}

// build returns a system of n−b honest servers and the clients. The b liars are no nodes: see [Client].
func build(c model.Config) (*model.System, error) {
	q := quorum.Threshold{N: c.N, Size: model.Quorum.Of(c)}
	if q.Size == 0 {
		q.Size = min(quorum.Backoff.Smallest(c.N, c.B).Size, c.N)
		c = c.With(model.Quorum.Is(q.Size))
	}
	if err := validate(c, q); err != nil {
		return nil, err
	}
	cfg := &Config{Liars: c.B, Quorum: q.Size, B: c.B, Grants: 1}
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.Anytime()},
		Types:   Types,
		Setup:   cfg,
	}
	for i := range c.N - c.B {
		cfg.Honest = append(cfg.Honest, model.NodeID(i))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("s%d", i+1), Role: model.Server,
			New: func() model.Node { return &Server{cfg: cfg} },
		})
	}
	for i := range model.Clients.Of(c) {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("c%d", i+1), Role: model.Client,
			Script: []model.Op{{Call: Acquire{}, After: model.Anytime()}},
			New:    func() model.Node { return &Client{cfg: cfg} },
		})
	}
	return s, nil
}

// validate returns an error if a configuration violates the bound of docs/proofs/quorumlock.md. As in impl/backoff,
// quorums must intersect. They need not be available, because a client may wait forever.
func validate(c model.Config, q quorum.Threshold) error {
	if q.Size > c.N || c.B > c.N {
		return fmt.Errorf("quorum is %d and b is %d, but there are only n = %d servers", q.Size, c.B, c.N)
	}
	if least := quorum.Backoff.Intersect(c.B); q.Intersection() < least && !c.Beyond {
		return fmt.Errorf("quorum is %d: two quorums of n = %d servers may share only %d, but mutual exclusion needs %d with b = %d; --beyond-bounds checks it all the same",
			q.Size, c.N, q.Intersection(), least, c.B)
	}
	return nil
}

var checks = []model.Check{
	{Config: model.Config{N: 3}},
	{Config: model.Config{N: 7, B: 2}.With(model.Clients.Is(1))},
	{Config: model.Config{N: 4, B: 1}, Claims: steps},
}

// steps are the claims that all reductions preserve.
var steps = []string{"mutual exclusion", "success", "failure is due", "a decision is final"}

var claimed = []model.Claim{
	{
		Name: "mutual exclusion", Kind: model.Always, Source: source, Proof: "docs/proofs/quorumlock.md#mutual-exclusion",
		Assumes:   []model.Assumption{model.AtMostOnce, model.NoMemoryLoss},
		Invariant: exclusive,
	},
	{
		Name: "success", Kind: model.Sometimes, Source: source, Proof: "docs/proofs/quorumlock.md#success",
		Monitor: func(*model.System) model.Monitor { return &success{} },
	},
	{
		Name: "failure is due", Kind: model.Always, Source: source + ", 'if |{u : statusᵤ = LOCKED}| ≤ b'", Proof: "docs/proofs/quorumlock.md#failure",
		Assumes:   []model.Assumption{model.AtMostOnce, model.NoMemoryLoss, model.NoCrash},
		Invariant: due,
	},
	once(claims.DecidesOnce(func(o model.Observation) (any, bool) { return o.Value, o.Kind == model.Noted })),
	{
		Name: "decision", Kind: model.PossibleFromEverywhere, Source: source, Proof: "docs/proofs/quorumlock.md#failure",
		Assumes: []model.Assumption{model.AtMostOnce, model.NoLoss, model.NoCrash, model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &undecided{} },
		Apart:   func(c model.Check) model.Check { return c }, // it allows fewer reductions than the others
	},
}

// exclusive checks that at most one client has succeeded. A check of states is enough, because a client that holds the
// lock never frees it.
func exclusive(nodes []model.Node) error {
	succeeded := 0
	for _, n := range nodes {
		if c, ok := n.(*Client); ok && c.Phase == Succeeded {
			succeeded++
		}
	}
	if succeeded > 1 {
		return fmt.Errorf("%d clients have succeeded", succeeded)
	}
	return nil
}

func once(c model.Claim) model.Claim {
	c.Name = "a decision is final"
	return claims.From(c, source, "docs/proofs/quorumlock.md#failure", model.AtMostOnce)
}

// due checks that a client fails only if an honest server holds another client. More than b LOCKED answers include an
// answer of an honest server.
func due(nodes []model.Node) error {
	for id, n := range nodes {
		if c, is := n.(*Client); is && c.Phase == Failed && !held(nodes, model.NodeID(id)) {
			return fmt.Errorf("a client has failed, but no honest server holds another")
		}
	}
	return nil
}

// held reports whether an honest server holds another client.
func held(nodes []model.Node, client model.NodeID) bool {
	for _, n := range nodes {
		if s, is := n.(*Server); is && len(s.Granted) > 0 && !slices.Contains(s.Granted, client) {
			return true
		}
	}
	return false
}

// success has the goal that a client succeeds. Its state follows from the clients' states, so it adds no states.
type success struct{ Seen bool }

func (s *success) Observe(w model.Watch, o model.Observation) {
	if o.Value == Succeeded {
		w.Witness()
		s.Seen = true
	}
}

func (s *success) Reached() bool { return s.Seen }

// undecided has the goal that no client waits: each client that asks can still decide.
type undecided struct{ Waiting map[model.NodeID]bool }

func (u *undecided) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		w.Witness()
		u.Waiting[o.Node] = true
	case model.Noted:
		delete(u.Waiting, o.Node)
	}
}

// Reached reports whether no client waits.
func (u *undecided) Reached() bool { return len(u.Waiting) == 0 }

// Misses returns a line for each waiting client.
func (u *undecided) Misses(name func(model.NodeID) string) (all []string) {
	for id := range u.Waiting {
		all = append(all, name(id)+" has asked, and can neither succeed nor fail")
	}
	slices.Sort(all)
	return all
}
