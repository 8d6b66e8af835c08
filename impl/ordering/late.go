package ordering

import (
	"maps"

	"contend/model"
)

// The workloads of this file begin with late messages in flight, or during a passage. They test that a server raises
// maxRank, and that a client distinguishes the answers of its passages.

// racing is a state in which propose must raise maxRank. Servers s1 and s3 have answered c2 with rank 1. Then s1 and s2
// have answered c1 with rank 2. Both clients continue with propose. The contend of c1 does not return again, because
// only its first passage matters. A test leads the servers there.
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

// lateAnswer is a state in which an answer to propose must name its passage. Servers s1 and s2 have answered c2 with
// rank 1, and the propose of c2 has reached s2. Then the get of c3 with rank 2 reached s1, and s1 refused the propose
// of c2. Then the get of c1 with rank 4 reached s3, and s3 refused the propose of c3. So c2 and c3 will pass again,
// with ranks 5 and 6. The answer of s2 is still in flight. A test leads the servers there.
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

// lateCommit is a state in which commit must raise maxRank. The only client has proposed and committed version 1 with
// rank 1 at s2 and s3. Server s1 has received get 1, and its commit is late. Then the client has proposed version 2
// with rank 2 at s2 and s3, and now it commits version 2. A test leads the servers there.
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

// knowsOnly deletes all operations of a server except one.
func (s *Server) knowsOnly(o Label) {
	maps.DeleteFunc(s.Pending, func(other Label, _ any) bool { return other != o })
	maps.DeleteFunc(s.Asleep, func(other Label, _ bool) bool { return other != o })
}

// resume makes a client begin its first operation in the middle of a passage. The client calls from once, in Invoke. It
// may change the client, and act like a handler.
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

// Invoke calls from for the first operation, and begins later operations as usual.
func (r *resumed) Invoke(env model.Env, call any) {
	first := r.Seq == 0
	r.EditedClient.Invoke(env, call)
	if first {
		env.Cancel(contended{})
		r.from(&r.EditedClient, env)
	}
}

// Receive handles a server's return or exception.
func (r *resumed) Receive(env model.Env, u model.NodeID, m any) {
	if r.last {
		env = contending{env, func() {}}
	}
	r.EditedClient.Receive(env, u, m)
}

// editable returns the client of a node that may run edits of the text, and nil if the node is no client.
func editable(n model.Node) *EditedClient {
	switch n := n.(type) {
	case *Client:
		return &EditedClient{Client: *n}
	case *EditedClient:
		return n
	}
	return nil
}

// editableServer returns the server of a node that may run edits of the text, and nil if the node is no server.
func editableServer(n model.Node) *EditedServer {
	switch n := n.(type) {
	case *Server:
		return &EditedServer{Server: *n}
	case *EditedServer:
		return n
	}
	return nil
}

// answer makes a server begin with an answer in flight.
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

// Start sends the answer.
func (a *answering) Start(env model.Env) { env.Send(a.to, a.with) }
