package raft

import "contend/model"

// Some runs begin in a later state of a run, whose other messages are late. So a short search reaches states that are
// many steps from the initial state.

// begins returns an edit that gives the servers these definitions and initial states.
func begins(spec Definitions, as ...Server) func(*model.System) {
	return sequence(define(spec), begin(as...))
}

// begin returns an edit that gives the first servers terms, votes and logs. The state is that after a run in which all
// messages have arrived and all servers have restarted.
func begin(as ...Server) func(*model.System) {
	return func(s *model.System) {
		for i, at := range as[:min(len(as), len(s.Nodes))] {
			made := s.Nodes[i].New
			s.Nodes[i].New = func() model.Node {
				n := made()
				s := server(n)
				s.CurrentTerm, s.VotedFor, s.Log = at.CurrentTerm, at.VotedFor, at.Log
				return n
			}
		}
	}
}

// sequence returns an edit that applies several edits in order.
func sequence(edits ...func(*model.System)) func(*model.System) {
	return func(s *model.System) {
		for _, edit := range edits {
			edit(s)
		}
	}
}

// An opening is the first action of a server that leads when runs begin.
type opening struct {
	late         []model.NodeID // the servers to which its entries and heartbeats are late
	quiet        bool           // no client asks
	acknowledged bool           // all have its log, and have answered
	rounds       int            // the rounds of reads that it has begun and ended
}

// open makes the server the leader of its term.
func (o opening) open(s *Server, env model.Env) {
	s.State, s.VotesGranted = Candidate, map[model.NodeID]bool{}
	for _, j := range s.cfg.Servers {
		s.VotesGranted[j] = true
	}
	s.becomeLeader(env)
	for _, j := range s.cfg.Servers {
		if o.acknowledged {
			s.MatchIndex[j] = len(s.Log)
		}
	}
	for _, j := range o.late {
		env.Cancel(appendEntries{j})
	}
	if o.quiet {
		env.Cancel(clientRequest{})
	}
	s.advanceCommitIndex(env)
}

// leads returns an edit that makes a server the leader when it starts.
func leads(i model.NodeID, o opening) func(*model.System) {
	return opened(i, func(n model.Node) model.Node {
		switch n := n.(type) {
		case *Reader:
			return &leadingReader{*n, o}
		case *Member:
			return &leadingMember{*n, o}
		case *Beating:
			return &leadingBeating{*n, o}
		default:
			return &leadingServer{*server(n), o}
		}
	})
}

// opened returns an edit that replaces a server by f.
func opened(i model.NodeID, f func(n model.Node) model.Node) func(*model.System) {
	return func(s *model.System) {
		made := s.Nodes[i].New
		s.Nodes[i].New = func() model.Node { return f(made()) }
	}
}

type leadingServer struct {
	Server
	first opening
}

// Start makes the server the leader.
func (s *leadingServer) Start(env model.Env) {
	s.Server.Start(env)
	s.first.open(&s.Server, env)
}

type leadingReader struct {
	Reader
	first opening
}

// Start makes the server the leader.
func (s *leadingReader) Start(env model.Env) {
	s.Reader.Start(env)
	s.first.open(&s.Server, env)
	s.Rounds = s.first.rounds
	s.proceed(env, Leader)
}

type leadingMember struct {
	Member
	first opening
}

// Start makes the server the leader.
func (s *leadingMember) Start(env model.Env) {
	s.Member.Start(env)
	s.first.open(&s.Server, env)
	s.proceed(env, Leader)
}

type leadingBeating struct {
	Beating
	first opening
}

// Start makes the server the leader.
func (s *leadingBeating) Start(env model.Env) {
	s.Beating.Start(env)
	s.first.open(&s.Server, env)
}

// A tardyServer has sent a response in an earlier term, and it arrives only now.
type tardyServer struct {
	Server
	to       model.NodeID
	response AppendEntriesResponse
}

// Start sends the response.
func (s *tardyServer) Start(env model.Env) {
	s.Server.Start(env)
	env.Send(s.to, s.response)
}

// A tardyReader has acknowledged the heartbeat of an earlier read, and the response arrives only now.
type tardyReader struct {
	Reader
	to       model.NodeID
	response HeartbeatResponse
}

// Start sends the response.
func (s *tardyReader) Start(env model.Env) {
	s.Reader.Start(env)
	env.Send(s.to, s.response)
}

// led begins where the first server leads term 1, and its blank entry is committed.
func led(s *model.System) {
	voted := Server{CurrentTerm: 1, VotedFor: model.Some[model.NodeID](0), Log: []Entry{{Term: 1}}}
	as := make([]Server, len(s.Nodes))
	for i := range as {
		as[i] = voted
	}
	begin(as...)(s)
	leads(0, opening{acknowledged: true})(s)
}

// removal starts all servers in term 1, whose leader was the first server. Its log has an uncommitted change that
// removes the last server. All servers have restarted.
func removal(s *model.System) {
	as := make([]Server, len(s.Nodes))
	for i := range as {
		as[i].CurrentTerm = 1
	}
	as[0].Log = []Entry{{Term: 1, Change: model.Some(model.NodeID(len(as) - 1))}}
	begin(as...)(s)
}

// superseded begins after a removal that only the first server has in its log. The second server leads term 2 by the
// votes of all others, and has appended its blank entry. The first server has heard of term 2. What the leader sends to the first
// server and the third is late.
func superseded(s *model.System) {
	as := make([]Server, len(s.Nodes))
	for i := range as {
		as[i] = Server{CurrentTerm: 2, VotedFor: model.Some[model.NodeID](1)}
	}
	as[0] = Server{CurrentTerm: 2, Log: []Entry{{Term: 1, Change: model.Some(model.NodeID(len(as) - 1))}}}
	if len(as) > 1 {
		as[1].Log = []Entry{{Term: 2}}
	}
	begin(as...)(s)
	if len(as) > 1 {
		leads(1, opening{late: []model.NodeID{0, 2}})(s)
	}
}

// behind begins where the second server leads term 3, and the first has an entry of term 1 that nobody else has.
func behind(s *model.System) {
	begin(Server{CurrentTerm: 3, Log: first.Log}, behindNone, behindNone)(s)
	if len(s.Nodes) > 1 {
		leads(1, opening{})(s)
	}
}

var behindNone = Server{CurrentTerm: 3, VotedFor: model.Some[model.NodeID](1)}

// figure8c begins where Figure 8 (c) begins: the leader of term 1 leads term 3, and the leader of term 2 has another entry
// at the index of its entry.
func figure8c(s *model.System) {
	begin(
		Server{CurrentTerm: 3, VotedFor: model.Some[model.NodeID](0), Log: first.Log},
		Server{CurrentTerm: 3, Log: second.Log},
		Server{CurrentTerm: 3, VotedFor: model.Some[model.NodeID](0)},
	)(s)
	leads(0, opening{})(s)
}

// startLed replaces each server by a reader. The last server leads term 1, and all logs have one entry of that term. It
// has answered a read, and the first server's response to the heartbeat of that read is late. Only the last server gets
// reads, and its entries are late.
func (r reading) startLed(s *model.System) {
	r.edit(s)
	last := model.NodeID(len(s.Nodes) - 1)
	as := make([]Server, len(s.Nodes))
	for i := range as {
		as[i] = Server{CurrentTerm: 1, VotedFor: model.Some(last), Log: []Entry{{Term: 1, Value: 1}}}
		opened(model.NodeID(i), func(n model.Node) model.Node {
			r := n.(*Reader)
			if model.NodeID(i) == last {
				r.Asked = 1
			} else {
				r.most = 0
			}
			return r
		})(s)
	}
	begin(as...)(s)
	leads(last, opening{late: others(s.Setup.(*Config).Servers, last), quiet: true, acknowledged: true, rounds: 1})(s)
	if last > 0 {
		opened(0, func(n model.Node) model.Node { return &tardyReader{*n.(*Reader), last, HeartbeatResponse{1, 1}} })(s)
	}
}

// ledAgain begins where the first of five servers leads term 3. It led term 1, and appended two entries. Only the second
// server has them, and its response is late. The leader of term 2 has replaced them in all other logs.
func ledAgain(s *model.System) {
	one := Server{CurrentTerm: 1, VotedFor: model.Some[model.NodeID](0), Log: []Entry{{Term: 1, Value: 1}, {Term: 1, Value: 1}}}
	three := Server{CurrentTerm: 3, VotedFor: model.Some[model.NodeID](0), Log: []Entry{{Term: 2, Value: 1}}}
	begin(three, one, three, three, three)(s)
	leads(0, opening{})(s)
	if len(s.Nodes) > 1 {
		opened(1, func(n model.Node) model.Node {
			return &tardyServer{*server(n), 0, AppendEntriesResponse{1, true, 1}}
		})(s)
	}
}

// The servers of Figure 8 (b), of three. Two leaders each have an entry that is not replicated.
var (
	first  = Server{CurrentTerm: 2, Log: []Entry{{Term: 1, Value: 1}}}                                        // led term 1
	second = Server{CurrentTerm: 2, VotedFor: model.Some[model.NodeID](1), Log: []Entry{{Term: 2, Value: 1}}} // led term 2
	third  = Server{CurrentTerm: 2, VotedFor: model.Some[model.NodeID](1)}                                    // voted for both
	idle   = third                                                                                            // led term 2, and appended nothing
)
