package ordering

import (
	"math"

	"contend/impl/ordering/object"
	"contend/model"
	"contend/model/variant"
)

// unseen are the claims about invocations. A workload that begins midway has unobserved invocations, and does not make
// these claims.
var unseen = names(causal)

// once is the check of a workload.
var once = model.Check{Config: one.Config, Claims: safety}

// workloads are the operations of clients, and the initial states of runs.
var workloads = []model.Variant{
	{Name: "register", Show: once, Title: "the object is a register", Edit: work(object.ReadsAndWrites)},
	{Name: "counter", Show: once, Title: "the object is a counter", Edit: work(object.Adds)},
	{Name: "map", Show: once, Title: "the object is a key-value map", Edit: work(object.PutsAndLookups)},
	{Name: "cards", Show: once, Title: "the object is nondeterministic: a deck from which cards are dealt", Edit: work(object.Deals)},
	{Name: "seeded", Show: model.Check{Config: three.Config, Claims: safety}, Title: "each client's first operation is pending at all servers at boot", Edit: seed},
	{Name: "alone", Show: model.Check{Config: lone.Config, Claims: safety}, Title: "seeded, and all clients but the first are gone", Edit: variant.All(seed, onlyFirst)},
	{
		Name: "absurd", Title: "lying servers report absurd ranks and versions, besides plausible ones", Show: model.Check{Config: liar.Config, Claims: safety},
		Edit: variant.Setup(func(c *Config) {
			c.Lies = Lies{Ranks: []Rank{Absurd - 1, Absurd, math.MaxInt64}, Versions: []int{1 << 40}}
		}),
	},
	{
		Name: "split", Unclaimed: unseen, Edit: split, Show: model.Check{Config: divided.Config, Claims: safety},
		Title: "n=3, three clients; at boot one version 1 is proposed with rank 1 at s1, and another with rank 2 at s2 and s3 and committed at s3; only c1 is left",
	},
	{
		Name: "racing", Unclaimed: unseen, Edit: racing, Show: model.Check{Config: three.Config, Claims: safety},
		Title: "n=3, two clients; at boot c2 proposes version 1 with rank 1, and c1 another with rank 2, which s3 has yet to receive; contend does not return to c1 again",
	},
	{
		Name: "late-answer", Unclaimed: unseen, Edit: lateAnswer, Show: model.Check{Config: overdue.Config, Claims: safety},
		Title: "n=3, three clients; at boot s2 has taken a version 1 that c2 proposed with rank 1, and its answer comes late: c2 was refused, and so was c3; c1 is gone",
	},
	{
		Name: "late-commit", Unclaimed: unseen, Edit: lateCommit, Show: model.Check{Config: belated.Config, Claims: safety},
		Title: "n=3, one client; at boot it commits version 2, and its commit of version 1 has yet to reach s1, which missed everything except a get",
	},
	{
		Name: "unanswered", Unclaimed: unseen, Edit: unanswered, Show: model.Check{Config: three.Config, Claims: safety},
		Title: "n=3, two clients; at boot s2 and s3 have committed c1's operation, whose submit they have yet to receive, and s1 lags",
	},
	{
		Name: "lagging", Unclaimed: unseen, Edit: lagging, Show: model.Check{Config: behind.Config, Claims: safety},
		Title: "n=5, q=4, b=1, three clients; at boot version 1 is complete except at s4, which lags with another one, and s3 has a proposal of version 2; only c1 is left",
	},
	{
		Name: "lagging-returns", Unclaimed: unseen, Edit: laggingReturns, Show: model.Check{Config: returned.Config, Claims: safety},
		Title: "as lagging, but only c3 is left, and it knows that version 1 is complete",
	},
}

// work returns an edit that gives every client its calls.
func work(w object.Workload) func(*model.System) {
	return func(s *model.System) {
		for i, id := range clients(s) {
			script := make([]model.Op, model.Ops.Of(s.Config))
			for k := range script {
				script[k] = model.Op{Call: w(i, k), After: model.Anytime()}
			}
			s.Nodes[id].Script = script
		}
	}
}

func clients(s *model.System) []model.NodeID {
	return s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Client })
}

// seed starts the first operations at boot. All servers have received them.
func seed(s *model.System) {
	cfg := setup(s)
	first := map[Label]any{}
	for _, id := range clients(s) {
		op := &s.Nodes[id].Script[0]
		op.AtBoot, op.After = true, model.Window{}
		first[Label{id, 1}] = op.Call
	}
	page.Edit(`n := c.cfg.Submit.Quorums()`, `if c.Seq == 1 { return c.cfg.Begun[env.Self()] }
	n := c.cfg.Submit.Quorums()`)(s)
	beginAs(s, cfg.Servers, func(srv *Server) {
		srv.Pending, srv.Asleep = map[Label]any{}, map[Label]bool{}
		for o, call := range first {
			srv.Pending[o], srv.Asleep[o] = call, true
		}
	})
}

// beginAs changes the initial state of some servers. The checker calls edit for each new server.
func beginAs(s *model.System, servers []model.NodeID, edit func(*Server)) {
	for _, id := range servers {
		make := s.Nodes[id].New
		s.Nodes[id].New = func() model.Node {
			n := make()
			edit(n.(interface{ server() *Server }).server())
			return n
		}
	}
}

// onlyFirst removes all clients but the first: they submitted their operations and crashed.
func onlyFirst(s *model.System) { depart(s, clients(s)[1:]) }

func depart(s *model.System, gone []model.NodeID) {
	for _, id := range gone {
		s.Nodes[id].New = func() model.Node { return &departed{} }
	}
}

// A departed client has submitted its operations and crashed.
type departed struct{}

// Invoke does nothing.
func (*departed) Invoke(model.Env, any) {}

// lagging is a state in which the order of lines 2.19 and 2.21 matters. Client c2 proposed version 1 with rank 1 at s4
// only. Client c3 proposed and committed another version 1 with rank 2 at s1, s2 and s3. With rank 6 it proposed
// version 2 at s3 only. Client c1 was refused with rank 4. A test leads the servers there.
func lagging(s *model.System) {
	at := lag(s)
	depart(s, at.clients[1:])
	first := s.Nodes[at.clients[0]].New
	s.Nodes[at.clients[0]].New = func() model.Node {
		n := first()
		n.(interface{ client() *Client }).client().Rank = 4
		return n
	}
}

// laggingReturns continues lagging. The get of c1 with rank 8 reached s1 and s2. They then refused the propose of c3
// with rank 6.
func laggingReturns(s *model.System) {
	at := lag(s)
	depart(s, at.clients[:2])
	beginAs(s, at.servers[:2], func(srv *Server) { srv.MaxRank = 8 })
	third := s.Nodes[at.clients[2]].New
	s.Nodes[at.clients[2]].New = func() model.Node {
		n := third()
		c := n.(interface{ client() *Client }).client()
		c.Rank, c.Completed = 6, 1
		return n
	}
}

// unanswered is a state in which a server must store responses. The submit of c1 to all servers reached only s1. There
// c2 with rank 1 learned of the operation, and proposed and committed it at s2 and s3. A test leads the servers there.
func unanswered(s *model.System) {
	cfg, at := setup(s), started(s, 3, 2)
	σ1 := at.applied(s, State{}, 0)
	beginAs(s, at.servers, func(srv *Server) { srv.MaxRank = 1 })
	beginAs(s, at.servers[1:], func(srv *Server) {
		srv.Proposer, srv.Proposed = 1, σ1
		srv.begin(σ1)
	})
	second := s.Nodes[at.clients[1]].New
	s.Nodes[at.clients[1]].New = func() model.Node {
		n := second()
		c := n.(interface{ client() *Client }).client()
		c.Rank, c.Completed = 1, 1
		return n
	}
	cfg.Begun[at.clients[0]] = at.servers[1:]
}

// split is a state in which choose must compare proposers. Client c2 proposed version 1 with rank 1 at s1 only. Client
// c3 proposed another version 1 with rank 2 at s2 and s3, and its commit reached s3 only. A test leads the servers there.
func split(s *model.System) {
	at := started(s, 3, 3)
	depart(s, at.clients[1:])
	first, second := at.applied(s, State{}, 1), at.applied(s, State{}, 2)
	beginAs(s, at.servers[:1], func(srv *Server) { srv.MaxRank, srv.Proposer, srv.Proposed = 1, 1, first })
	beginAs(s, at.servers[1:], func(srv *Server) { srv.MaxRank, srv.Proposer, srv.Proposed = 2, 2, second })
	beginAs(s, at.servers[2:], func(srv *Server) { srv.begin(second) })
}

// lag sets the common state of lagging and laggingReturns.
func lag(s *model.System) place {
	at := started(s, 5, 3)
	σ1, stale := at.applied(s, State{}, 2), at.applied(s, State{}, 1)
	σ2 := at.applied(s, σ1, 0, 1)
	beginAs(s, at.servers[:3], func(srv *Server) {
		srv.MaxRank, srv.Proposer, srv.Proposed = 6, 2, σ1
		srv.begin(σ1)
	})
	beginAs(s, at.servers[2:3], func(srv *Server) { srv.Proposer, srv.Proposed = 6, σ2 })
	beginAs(s, at.servers[3:4], func(srv *Server) { srv.MaxRank, srv.Proposer, srv.Proposed = 1, 1, stale })
	return at
}

// A place is the nodes of a system that begins with seed.
type place struct{ servers, clients []model.NodeID }

// started calls seed. The numbers of servers and clients must be as given.
func started(s *model.System, servers, all int) place {
	at := place{setup(s).Servers, clients(s)}
	if len(at.servers) != servers || len(at.clients) != all {
		model.Misused("the workload is for %d servers and %d clients, not %d and %d", servers, all, len(at.servers), len(at.clients))
	}
	seed(s)
	return at
}

// applied returns the version after σ, with the first operations of some clients in order.
func (at place) applied(s *model.System, σ State, of ...int) State {
	next := σ.successor()
	for _, i := range of {
		next.doOp(Op{Label{at.clients[i], 1}, s.Nodes[at.clients[i]].Script[0].Call}, func(int) int { return 0 })
	}
	next.Version++
	return next
}

// begin gives a server a committed state at boot, with its responses sent.
func (s *Server) begin(σ State) {
	s.Committed, s.Responses = σ, map[Label]any{}
	for o, r := range σ.Responses {
		s.Responses[o] = r
		delete(s.Pending, o)
		delete(s.Asleep, o)
	}
}
