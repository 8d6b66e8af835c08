package ordering

import (
	"maps"

	"contend/model"
)

// The workloads of this file begin with messages on their way that come late, or in the
// midst of a passage: where it matters that a server raises maxRank, and that a client tells
// the answers of one passage from those of another.

// racing is the state in which it matters that propose raises maxRank. c2 with rank 1
// was answered by s1 and s3, then c1 with rank 2 by s1 and s2; both go on to propose. A
// test leads the servers there. To c1 contend does not return again: its first passage is
// what matters.
func racing(s *model.System) {
	at := started(s, 3, 2)
	for i, rank := range []Rank{2, 1} {
		σ := at.applied(s, State{}, i)
		resume(s, at.clients[i], func(c *EditedClient, env model.Env) {
			c.Rank, c.State, c.Phase = rank, σ, Getting
			c.advance(env)
		})
	}
	first := s.Nodes[at.clients[0]].New
	s.Nodes[at.clients[0]].New = func() model.Node {
		c := first().(*resumed)
		c.last = true
		return c
	}
	for i, rank := range []Rank{2, 2, 1} {
		beginAs(s, at.servers[i:i+1], func(srv *Server) { srv.MaxRank = rank })
	}
}

// lateAnswer is the state in which it matters of which passage an answer to propose is. c2
// with rank 1 was answered by s1 and s2, and its propose reached s2. Then c3's get with
// rank 2 reached s1, which refused the propose, and c1's with rank 4 reached s3, which
// refused c3's. So c2 and c3 are to pass again, with ranks 5 and 6, and the answer of s2 is
// still on its way. A test leads the servers there.
func lateAnswer(s *model.System) {
	at := started(s, 3, 3)
	depart(s, at.clients[:1])
	σ := at.applied(s, State{}, 1)
	for i, rank := range []Rank{2, 1, 4} {
		beginAs(s, at.servers[i:i+1], func(srv *Server) { srv.MaxRank = rank })
	}
	beginAs(s, at.servers[1:2], func(srv *Server) { srv.Proposer, srv.Proposed = 1, σ })
	for i, heard := range []int{1, 1, 2} {
		beginAs(s, at.servers[i:i+1], func(srv *Server) { srv.knowsOnly(Label{at.clients[heard], 1}) })
	}
	answer(s, at.servers[1], at.clients[1], Done{Proposing, 1})
	for i, rank := range []Rank{1, 2} {
		make := s.Nodes[at.clients[1+i]].New
		s.Nodes[at.clients[1+i]].New = func() model.Node {
			n := make()
			n.(interface{ client() *Client }).client().Rank = rank
			return n
		}
	}
}

// lateCommit is the state in which it matters that commit raises maxRank. The one client
// proposed and committed version 1 with rank 1 at s2 and s3; s1 was asked with get 1, and the
// commit has yet to come to it. Then the client proposed version 2 with rank 2 at s2 and s3,
// and now it commits that. A test leads the servers there.
func lateCommit(s *model.System) {
	at := started(s, 3, 1)
	σ1 := at.applied(s, State{}, 0)
	σ2 := at.applied(s, σ1)
	beginAs(s, at.servers, func(srv *Server) { srv.MaxRank = 1 })
	beginAs(s, at.servers[1:], func(srv *Server) {
		srv.MaxRank, srv.Proposer, srv.Proposed = 2, 2, σ2
		srv.begin(σ1)
	})
	resume(s, at.clients[0], func(c *EditedClient, env model.Env) {
		env.Send(at.servers[0], Commit{σ1, 1})
		c.Rank, c.State, c.Phase, c.Completed = 2, σ2, Proposing, 1
		c.advance(env)
	})
}

// knowsOnly lets a server have heard of one operation alone.
func (s *Server) knowsOnly(o Label) {
	maps.DeleteFunc(s.Pending, func(other Label, _ any) bool { return other != o })
	maps.DeleteFunc(s.Asleep, func(other Label, _ bool) bool { return other != o })
}

// resume lets a client go on from the midst of a passage when its first operation begins.
func resume(s *model.System, id model.NodeID, from func(c *EditedClient, env model.Env)) {
	make := s.Nodes[id].New
	s.Nodes[id].New = func() model.Node {
		return &resumed{EditedClient: *editable(make()), from: from}
	}
}

type resumed struct {
	EditedClient
	from func(c *EditedClient, env model.Env)
	last bool // contend does not return again
}

// Invoke goes on from there, and begins each later operation as any client does.
func (r *resumed) Invoke(env model.Env, call any) {
	first := r.Seq == 0
	r.EditedClient.Invoke(env, call)
	if first {
		env.Cancel(contended{})
		r.from(&r.EditedClient, env)
	}
}

// Receive takes what a server returns or throws.
func (r *resumed) Receive(env model.Env, u model.NodeID, m any) {
	if r.last {
		env = contending{env, func() {}}
	}
	r.EditedClient.Receive(env, u, m)
}

// editable returns a client that may run edits of the text, of one that perhaps does so, and nil of any other node.
func editable(n model.Node) *EditedClient {
	switch n := n.(type) {
	case *Client:
		return &EditedClient{Client: *n}
	case *EditedClient:
		return n
	}
	return nil
}

// editableServer does the same with a server.
func editableServer(n model.Node) *EditedServer {
	switch n := n.(type) {
	case *Server:
		return &EditedServer{Server: *n}
	case *EditedServer:
		return n
	}
	return nil
}

// answer lets a server begin with an answer on its way.
func answer(s *model.System, u, client model.NodeID, with any) {
	make := s.Nodes[u].New
	s.Nodes[u].New = func() model.Node {
		return &answering{*editableServer(make()), client, with}
	}
}

type answering struct {
	EditedServer
	to   model.NodeID
	with any
}

// Start sends it.
func (a *answering) Start(env model.Env) { env.Send(a.to, a.with) }
