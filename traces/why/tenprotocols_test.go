package why_test

import (
	"fmt"

	"contend/model"
	"contend/model/claims"
)

// cluster builds systems: a number of servers with a name and a constructor, and clients with operations.
type cluster struct {
	types []any
	nodes []model.NodeSpec
}

func (c cluster) server(name string, n func() model.Node) cluster {
	c.nodes = append(c.nodes, model.NodeSpec{Name: name, Role: model.Server, New: n})
	return c
}

func (c cluster) client(name string, n func() model.Node, calls ...any) cluster {
	spec := model.NodeSpec{Name: name, New: n}
	for _, call := range calls {
		spec.Script = append(spec.Script, model.Op{Call: call, After: model.Between(0, 4)})
	}
	c.nodes = append(c.nodes, spec)
	return c
}

func (c cluster) protocol(name string, claim model.Claim) *model.Protocol {
	return &model.Protocol{Name: name, Claims: []model.Claim{claim}, Build: func(cfg model.Config) (*model.System, error) {
		return &model.System{Config: cfg, Types: c.types, Nodes: c.nodes, Network: model.Network{Delay: model.By(1)}}, nil
	}}
}

func servers(n int) (all []model.NodeID) {
	for i := range n {
		all = append(all, model.NodeID(i))
	}
	return all
}

// Paxos, with a proposer that ignores the votes in its promises.
type (
	Propose  struct{ Value int }
	Prepare  struct{ Ballot int }
	Promise  struct{ Ballot, Voted, Value int }
	Accept   struct{ Ballot, Value int }
	Accepted struct{ Ballot int }
	Acceptor struct{ Promised, Voted, Value int }
	Proposer struct {
		ballot        int
		Value         int
		Promises, Yes int
	}
)

func (a *Acceptor) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Prepare:
		if m.Ballot > a.Promised {
			a.Promised = m.Ballot
			env.Send(from, Promise{m.Ballot, a.Voted, a.Value})
		}
	case Accept:
		if m.Ballot >= a.Promised {
			a.Promised, a.Voted, a.Value = m.Ballot, m.Ballot, m.Value
			env.Send(from, Accepted{m.Ballot})
		}
	}
}

func (p *Proposer) Invoke(env model.Env, call any) {
	p.Value = call.(Propose).Value
	env.Broadcast(servers(3), Prepare{p.ballot})
}

func (p *Proposer) Receive(env model.Env, _ model.NodeID, m any) {
	switch m.(type) {
	case Promise:
		if p.Promises++; p.Promises == 2 { // the bug: the value of the highest vote is not adopted
			env.Broadcast(servers(3), Accept{p.ballot, p.Value})
		}
	case Accepted:
		if p.Yes++; p.Yes == 2 {
			env.Return(p.Value)
		}
	}
}

func acceptor() model.Node { return &Acceptor{} }

var paxos = cluster{types: []any{Propose{}, Prepare{}, Promise{}, Accept{}, Accepted{}, 0}}.
	server("a1", acceptor).server("a2", acceptor).server("a3", acceptor).
	client("p1", func() model.Node { return &Proposer{ballot: 1} }, Propose{7}).
	client("p2", func() model.Node { return &Proposer{ballot: 2} }, Propose{8}).
	protocol("paxos", claims.Agreement(claims.Returns))

// The register of Attiya, Bar-Noy and Dolev, without the write-back of readers.
type (
	WriteOp  struct{ Value int }
	ReadOp   struct{}
	Store    struct{ Value int }
	Stored   struct{}
	Query    struct{}
	Reply    struct{ Value int }
	Replica  struct{ Value int }
	Quorumer struct{ Value, Heard int } // a writer or a reader
)

func (r *Replica) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Store:
		r.Value = max(r.Value, m.Value)
		env.Send(from, Stored{})
	case Query:
		env.Send(from, Reply{r.Value})
	}
}

func (q *Quorumer) Invoke(env model.Env, call any) {
	q.Value, q.Heard = 0, 0
	if w, writes := call.(WriteOp); writes {
		env.Broadcast(servers(3), Store(w))
		return
	}
	env.Broadcast(servers(3), Query{})
}

func (q *Quorumer) Receive(env model.Env, _ model.NodeID, m any) {
	r, reads := m.(Reply)
	q.Value = max(q.Value, r.Value)
	if q.Heard++; q.Heard != 2 {
		return
	}
	if reads { // the bug: the value is not written back first
		env.Return(q.Value)
		return
	}
	env.Return(nil)
}

func replica() model.Node { return &Replica{} }

func quorumer() model.Node { return &Quorumer{} }

var register = model.Claim{Name: "register", Kind: model.Linearizable, Object: model.Object{Name: "register", Init: 0, Types: []any{0},
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		if w, writes := op.(WriteOp); writes {
			return []model.Effect{{State: w.Value, Result: nil}}
		}
		return []model.Effect{{State: state, Result: state}}
	}}}

var abd = cluster{types: []any{WriteOp{}, ReadOp{}, Store{}, Stored{}, Query{}, Reply{}, 0}}.
	server("s1", replica).server("s2", replica).server("s3", replica).
	client("w", quorumer, WriteOp{1}).client("r1", quorumer, ReadOp{}).client("r2", quorumer, ReadOp{}).
	protocol("abd", register)

// Two-phase commit, with participants that abort by themselves though they have voted yes.
type (
	Begin       struct{}
	VoteRequest struct{}
	Yes         struct{}
	Commit      struct{}
	patience    struct{}
	Coordinator struct{ Votes int }
	Participant struct {
		Prepared bool
		Outcome  string
	}
)

func (c *Coordinator) Invoke(env model.Env, _ any) {
	env.Broadcast([]model.NodeID{1, 2}, VoteRequest{})
}

func (c *Coordinator) Receive(env model.Env, _ model.NodeID, _ any) {
	if c.Votes++; c.Votes == 2 {
		env.Broadcast([]model.NodeID{1, 2}, Commit{})
		env.Return(nil)
	}
}

func (p *Participant) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case VoteRequest:
		p.Prepared = true
		env.Send(from, Yes{})
		env.After(patience{}, model.Exactly(5))
	case Commit:
		if p.Outcome == "" {
			p.Outcome = "commit"
			env.Cancel(patience{})
		}
	}
}

func (p *Participant) Timeout(model.Env, any) { p.Outcome = "abort" } // the bug: it has promised to wait

func participant() model.Node { return &Participant{} }

var twoPhase = cluster{types: []any{Begin{}, VoteRequest{}, Yes{}, Commit{}, patience{}}}.
	client("c", func() model.Node { return &Coordinator{} }, Begin{}).server("p1", participant).server("p2", participant).
	protocol("two-phase commit", model.Claim{Name: "atomic", Invariant: func(nodes []model.Node) error {
		seen := map[string]bool{}
		for _, n := range nodes {
			if p, ok := n.(*Participant); ok && p.Outcome != "" {
				seen[p.Outcome] = true
			}
		}
		if len(seen) > 1 {
			return fmt.Errorf("one participant commits and another aborts")
		}
		return nil
	}})

// A lease that the client counts longer than the server.
type (
	Ask     struct{}
	WantIt  struct{}
	Lease   struct{}
	term    struct{}
	Lessor  struct{}
	Lessee  struct{ Has bool }
	Unlock  struct{}
	LockIt  struct{}
	Granted struct{}
)

func (*Lessor) Receive(env model.Env, from model.NodeID, _ any) {
	if !env.Held(term{}) {
		env.Hold(term{}, model.Through(2))
		env.Send(from, Lease{})
	}
}

func (*Lessee) Invoke(env model.Env, _ any) { env.Send(0, WantIt{}) }

func (l *Lessee) Receive(env model.Env, _ model.NodeID, _ any) {
	l.Has = true
	env.After(term{}, model.Exactly(3)) // the bug: its clock is slow, and it does not allow for that
}

func (l *Lessee) Timeout(env model.Env, _ any) { l.Has = false; env.Return(nil) }

func lessee() model.Node { return &Lessee{} }

var lease = cluster{types: []any{Ask{}, WantIt{}, Lease{}, term{}}}.
	server("s", func() model.Node { return &Lessor{} }).client("c1", lessee, Ask{}).client("c2", lessee, Ask{}).
	protocol("lease", model.Claim{Name: "one holder", Invariant: func(nodes []model.Node) error {
		n := 0
		for _, l := range nodes {
			if l, ok := l.(*Lessee); ok && l.Has {
				n++
			}
		}
		if n > 1 {
			return fmt.Errorf("two clients have the lease")
		}
		return nil
	}})

// Primary and backup; the primary acknowledges a write before the backup has it, and crashes.
type (
	PutOp     struct{}
	GetOp     struct{}
	Put       struct{}
	Written   struct{}
	Replicate struct{}
	Get       struct{}
	Value     struct{ Is int }
	Primary   struct{ Is int }
	Backup    struct{ Is int }
	User      struct{}
)

func (p *Primary) Receive(env model.Env, from model.NodeID, _ any) {
	p.Is = 1
	env.Send(from, Written{}) // the bug: the backup has not confirmed
	env.Send(1, Replicate{})
}

func (b *Backup) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case Replicate:
		b.Is = 1
	case Get:
		env.Send(from, Value{b.Is})
	}
}

func (*User) Invoke(env model.Env, call any) {
	if _, puts := call.(PutOp); puts {
		env.Send(0, Put{})
		return
	}
	env.Send(1, Get{})
}

func (*User) Receive(env model.Env, _ model.NodeID, m any) {
	if v, is := m.(Value); is {
		env.Return(v.Is)
		return
	}
	env.Return(nil)
}

var cell = model.Claim{Name: "register", Kind: model.Linearizable, Object: model.Object{Name: "register", Init: 0, Types: []any{0},
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		if _, puts := op.(PutOp); puts {
			return []model.Effect{{State: 1, Result: nil}}
		}
		return []model.Effect{{State: state, Result: state}}
	}}}

func user() model.Node { return &User{} }

var primaryBackup = cluster{types: []any{PutOp{}, GetOp{}, Put{}, Written{}, Replicate{}, Get{}, Value{}, 0}}.
	server("primary", func() model.Node { return &Primary{} }).server("backup", func() model.Node { return &Backup{} }).
	client("c", user, PutOp{}, GetOp{}).
	protocol("primary-backup", cell)

// An election in which a voter forgets its vote.
type (
	Stand     struct{}
	Canvass   struct{ Term int }
	Vote      struct{ Term int }
	Leads     struct{ Term int }
	Voter     struct{ Term int }
	Candidate struct{ Votes int }
)

func (v *Voter) Receive(env model.Env, from model.NodeID, m any) {
	if c := m.(Canvass); c.Term >= v.Term { // the bug: above, not at least
		v.Term = c.Term
		env.Send(from, Vote(c))
	}
}

func (*Candidate) Invoke(env model.Env, _ any) { env.Broadcast(servers(3), Canvass{1}) }

func (c *Candidate) Receive(env model.Env, _ model.NodeID, _ any) {
	if c.Votes++; c.Votes == 2 {
		env.Note(Leads{1})
		env.Return(nil)
	}
}

func voter() model.Node { return &Voter{} }

func candidate() model.Node { return &Candidate{} }

var election = cluster{types: []any{Stand{}, Canvass{}, Vote{}, Leads{}}}.
	server("v1", voter).server("v2", voter).server("v3", voter).client("c1", candidate, Stand{}).client("c2", candidate, Stand{}).
	protocol("election", claims.OneLeaderATerm(func(o model.Observation) (int, bool) {
		l, ok := o.Value.(Leads)
		return l.Term, ok
	}))

// A token that is sent again though it was not lost.
type (
	Pass    struct{}
	Token   struct{}
	Ack     struct{}
	resend  struct{}
	Station struct {
		next model.NodeID
		Has  bool
	}
)

func (s *Station) Invoke(env model.Env, _ any) {
	if s.Has {
		s.Has = false
		s.send(env)
	}
	env.Return(nil)
}

func (s *Station) send(env model.Env) {
	env.Send(s.next, Token{})
	env.After(resend{}, model.Between(1, 9))
}

func (s *Station) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case Token:
		if !s.Has {
			s.Has = true
			env.Send(from, Ack{})
		}
	case Ack:
		env.Cancel(resend{})
	}
}

func (s *Station) Timeout(env model.Env, _ any) { s.send(env) } // the bug: the token may be on its way

func station(next model.NodeID, has bool) func() model.Node {
	return func() model.Node { return &Station{next: next, Has: has} }
}

var token = cluster{types: []any{Pass{}, Token{}, Ack{}, resend{}}}.
	client("p1", station(1, true), Pass{}).client("p2", station(2, false), Pass{}).server("p3", station(0, false)).
	protocol("token", model.Claim{Name: "one token", Invariant: func(nodes []model.Node) error {
		n := 0
		for _, s := range nodes {
			if s.(*Station).Has {
				n++
			}
		}
		if n > 1 {
			return fmt.Errorf("two stations have the token")
		}
		return nil
	}})

// A counter that is merged by adding.
type (
	Increment struct{}
	Gossip    struct{ A, B int }
	Counter   struct {
		id, peer model.NodeID
		A, B     int
	}
)

func (c *Counter) Invoke(env model.Env, _ any) {
	if c.id == 0 {
		c.A++
	} else {
		c.B++
	}
	env.Send(c.peer, Gossip{c.A, c.B})
	env.Return(nil)
}

func (c *Counter) Receive(_ model.Env, _ model.NodeID, m any) {
	g := m.(Gossip)
	c.A, c.B = c.A+g.A, c.B+g.B // the bug: max
}

var counter = cluster{types: []any{Increment{}, Gossip{}}}.
	client("r1", func() model.Node { return &Counter{id: 0, peer: 1} }, Increment{}).
	client("r2", func() model.Node { return &Counter{id: 1, peer: 0} }, Increment{}).
	protocol("counter", model.Claim{Name: "counts once", Invariant: func(nodes []model.Node) error {
		for _, n := range nodes {
			if c := n.(*Counter); c.A > 1 || c.B > 1 {
				return fmt.Errorf("a replica counts more than there were increments")
			}
		}
		return nil
	}})

// A Leader is a follower that answers reads from its local state.
type Leader struct{ Is int }

func (l *Leader) Receive(env model.Env, from model.NodeID, _ any) {
	l.Is = 1
	env.Send(1, Replicate{})
	env.Send(from, Written{})
}

var follower = cluster{types: []any{PutOp{}, GetOp{}, Put{}, Written{}, Replicate{}, Get{}, Value{}, 0}}.
	server("leader", func() model.Node { return &Leader{} }).server("follower", func() model.Node { return &Backup{} }).
	client("c1", user, PutOp{}).client("c2", user, GetOp{}).
	protocol("follower", cell)

// A lock that anybody can release.
type (
	GiveUp  struct{}
	Keeper  struct{ Holder, Waits model.NodeID }
	Wanting struct{ Has bool }
)

func (k *Keeper) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case LockIt:
		if k.Holder != 0 {
			k.Waits = from
			return
		}
		k.Holder = from
		env.Send(from, Granted{})
	case Unlock: // the bug: any sender may unlock
		if k.Holder, k.Waits = k.Waits, 0; k.Holder != 0 {
			env.Send(k.Holder, Granted{})
		}
	}
}

func (w *Wanting) Invoke(env model.Env, call any) {
	if _, leaves := call.(GiveUp); leaves {
		env.Send(0, Unlock{})
		env.Return(nil)
		return
	}
	env.Send(0, LockIt{})
}

func (w *Wanting) Receive(env model.Env, _ model.NodeID, _ any) { w.Has = true; env.Return(nil) }

func wanting() model.Node { return &Wanting{} }

var lock = cluster{types: []any{Ask{}, GiveUp{}, LockIt{}, Unlock{}, Granted{}}}.
	server("s", func() model.Node { return &Keeper{} }).
	client("c1", wanting, Ask{}).client("c2", wanting, Ask{}).client("c3", wanting, GiveUp{}).
	protocol("lock", model.Claim{Name: "one holder", Invariant: func(nodes []model.Node) error {
		n := 0
		for _, w := range nodes {
			if w, ok := w.(*Wanting); ok && w.Has {
				n++
			}
		}
		if n > 1 {
			return fmt.Errorf("two clients hold the lock")
		}
		return nil
	}})
