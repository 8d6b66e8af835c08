package raft

import "contend/model"

// The messages. Term is mterm, the sender's currentTerm.
type (
	// A RequestVoteRequest asks for a vote.
	RequestVoteRequest struct{ Term, LastLogTerm, LastLogIndex int }
	// A RequestVoteResponse grants or refuses a vote.
	RequestVoteResponse struct {
		Term    int
		Granted bool
	}
	// An AppendEntriesRequest replicates entries. Without entries it is a heartbeat.
	AppendEntriesRequest struct {
		Term, PrevLogIndex, PrevLogTerm int
		Entries                         []Entry
		CommitIndex                     int
	}
	// An AppendEntriesResponse accepts or rejects a request. MatchIndex is the index up to which the follower's log
	// equals the leader's.
	AppendEntriesResponse struct {
		Term       int
		Success    bool
		MatchIndex int
	}
)

// A message has mterm.
type message interface{ term() int }

func (m RequestVoteRequest) term() int    { return m.Term }
func (m RequestVoteResponse) term() int   { return m.Term }
func (m AppendEntriesRequest) term() int  { return m.Term }
func (m AppendEntriesResponse) term() int { return m.Term }

// An Entry of a log holds a command for the state machine, or a change of the cluster.
type Entry struct {
	Term, Value int
	Change      model.Optional[model.NodeID] // the server that joins or leaves: membership.go
}

// A State is the role of a server.
type State int

// The states of a server.
const (
	Follower State = iota
	Candidate
	Leader
)

func (s State) String() string { return [...]string{"follower", "candidate", "leader"}[s] }

// A Server is a member of the cluster.
type Server struct {
	cfg     *Config
	spec    Definitions
	patient bool // it never times out

	CurrentTerm int                          `contend:"stable"`
	VotedFor    model.Optional[model.NodeID] `contend:"stable"` // Nil if unknown
	Log         []Entry                      `contend:"stable"` // the entry with index 1 is the first

	State       State
	CommitIndex int
	LastApplied int

	VotesGranted map[model.NodeID]bool // of a candidate

	NextIndex  map[model.NodeID]int // of a leader, like MatchIndex
	MatchIndex map[model.NodeID]int
}

// The alarms, for actions that are possible at any time.
type (
	timeout       struct{}                        // Timeout(i)
	clientRequest struct{}                        // ClientRequest(i, v)
	appendEntries struct{ Follower model.NodeID } // AppendEntries(i, j)
)

// Start implements Restart(i): the server keeps its currentTerm, votedFor and log, and is a follower.
func (s *Server) Start(env model.Env) { s.follow(env) }

// Timeout carries out the action of an alarm.
func (s *Server) Timeout(env model.Env, step any) {
	switch step := step.(type) {
	case timeout:
		s.timeout(env)
	case clientRequest:
		s.clientRequest(env)
	case appendEntries:
		s.appendEntries(env, step.Follower)
	}
}

// Receive handles a message. It notes a later term that is not adopted.
func (s *Server) Receive(env model.Env, from model.NodeID, m any) {
	s.receive(env, from, m)
	if term := m.(message).term(); term > s.CurrentTerm {
		env.Note(Missed{term})
	}
}

// receive implements Receive(m): "Any RPC with a newer term causes the recipient to advance its term first". It drops
// responses with stale terms.
func (s *Server) receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case RequestVoteRequest:
		s.updateTerm(env, m.Term)
		s.handleRequestVoteRequest(env, from, m)
	case RequestVoteResponse:
		s.updateTerm(env, m.Term)
		if !s.spec.Stale(s, m.Term) {
			s.handleRequestVoteResponse(env, from, m)
		}
	case AppendEntriesRequest:
		s.updateTerm(env, m.Term)
		s.handleAppendEntriesRequest(env, from, m)
	case AppendEntriesResponse:
		s.updateTerm(env, m.Term)
		if !s.spec.Stale(s, m.Term) {
			s.handleAppendEntriesResponse(env, from, m)
		}
	}
}

// timeout implements Timeout(i), and RequestVote(i, j) for each j. The server becomes a candidate in the next term,
// votes for itself, and asks all others for their votes.
func (s *Server) timeout(env model.Env) {
	s.State = Candidate
	s.CurrentTerm++
	s.VotedFor, s.VotesGranted = s.spec.OwnVote(env.Self())
	s.awaitTimeout(env)
	env.Note(Asked{s.CurrentTerm})
	env.Broadcast(s.spec.Voters(s, env.Self()), RequestVoteRequest{s.CurrentTerm, s.lastTerm(), len(s.Log)})
	s.becomeLeader(env)
}

// appendEntries implements AppendEntries(i, j): the leader sends a follower the next entries of its log.
func (s *Server) appendEntries(env model.Env, j model.NodeID) {
	prevLogIndex := s.NextIndex[j] - 1
	lastEntry := min(len(s.Log), s.spec.LastEntry(s, j))
	env.Send(j, AppendEntriesRequest{
		Term: s.CurrentTerm, PrevLogIndex: prevLogIndex, PrevLogTerm: s.term(prevLogIndex),
		Entries:     s.Log[prevLogIndex:lastEntry],
		CommitIndex: s.spec.LeaderCommit(s, lastEntry),
	})
	if s.spec.Retries() {
		env.After(appendEntries{j}, model.Anytime())
	}
}

// becomeLeader implements BecomeLeader(i): a candidate with the votes of a majority becomes the leader.
func (s *Server) becomeLeader(env model.Env) {
	if s.State != Candidate || !s.spec.Quorum(s, s.VotesGranted) {
		return
	}
	s.State = Leader
	s.NextIndex, s.MatchIndex = map[model.NodeID]int{}, map[model.NodeID]int{}
	for _, j := range s.cfg.Servers {
		s.NextIndex[j], s.MatchIndex[j] = len(s.Log)+1, 0
	}
	env.Note(Elected{s.CurrentTerm, s.Log})

	env.Cancel(timeout{})
	env.After(clientRequest{}, model.Anytime())
	for _, j := range others(s.cfg.Servers, env.Self()) {
		env.After(appendEntries{j}, model.Anytime())
	}
}

// clientRequest implements ClientRequest(i, v): a leader appends the command of a client to its log.
func (s *Server) clientRequest(env model.Env) {
	v := 1 + env.Choose(s.cfg.Values)
	s.Log = append(s.Log, Entry{Term: s.CurrentTerm, Value: v})
	env.Note(Appended{len(s.Log)})
	s.advanceCommitIndex(env)
	env.After(clientRequest{}, model.Anytime())
}

// advanceCommitIndex implements AdvanceCommitIndex(i). The new commit index is the largest index up to which a majority
// agrees with the leader. The entry at that index must be of the current term.
func (s *Server) advanceCommitIndex(env model.Env) {
	for n := len(s.Log); n > s.CommitIndex; n-- {
		if s.spec.Quorum(s, s.agree(env.Self(), n)) && s.spec.MayCommit(s, n) {
			env.Note(Committed{s.CurrentTerm, s.Log[:n]})
			s.commit(env, n)
			return
		}
	}
}

// agree implements Agree(index). It returns the servers whose logs equal the leader's up to index.
func (s *Server) agree(i model.NodeID, index int) map[model.NodeID]bool {
	agree := map[model.NodeID]bool{}
	for _, k := range s.cfg.Servers {
		agree[k] = k == i || s.MatchIndex[k] >= index
	}
	return agree
}

// commit sets commitIndex, and applies the committed entries that are not applied yet.
func (s *Server) commit(env model.Env, index int) {
	if index != s.CommitIndex {
		env.Note(Moved{s.CommitIndex, index})
	}
	s.CommitIndex = index
	for s.CommitIndex > s.LastApplied {
		s.LastApplied++
		env.Deliver(Applied{s.LastApplied, s.Log[s.LastApplied-1]})
	}
}

// handleRequestVoteRequest implements HandleRequestVoteRequest(i, j, m).
func (s *Server) handleRequestVoteRequest(env model.Env, j model.NodeID, m RequestVoteRequest) {
	grant := m.Term == s.CurrentTerm && s.spec.UpToDate(s, m) && s.spec.MayVoteFor(s, j)
	if grant {
		s.VotedFor = model.Some(j)
	}
	env.Send(j, RequestVoteResponse{s.CurrentTerm, grant})
}

// handleRequestVoteResponse implements HandleRequestVoteResponse(i, j, m) for a candidate. In other states, votes
// "won't be looked at, so it doesn't matter".
func (s *Server) handleRequestVoteResponse(env model.Env, j model.NodeID, m RequestVoteResponse) {
	if s.State == Candidate && m.Granted {
		s.VotesGranted[j] = true
		s.becomeLeader(env)
	}
}

// handleAppendEntriesRequest implements HandleAppendEntriesRequest(i, j, m).
func (s *Server) handleAppendEntriesRequest(env model.Env, j model.NodeID, m AppendEntriesRequest) {
	if m.Term == s.CurrentTerm && s.State == Candidate {
		s.follow(env) // "return to follower state"
	}
	if m.Term < s.CurrentTerm || !s.spec.LogOk(s, m) {
		env.Send(j, AppendEntriesResponse{s.CurrentTerm, false, 0}) // "reject request"
		return
	}
	for k, entry := range m.Entries { // "accept request"
		index := m.PrevLogIndex + 1 + k
		if len(s.Log) >= index && s.spec.Conflict(s, index, entry) {
			env.Note(Removed{s.State == Leader})
			s.Log = s.Log[:index-1] // "conflict": delete this entry and all later entries
		}
		if len(s.Log) < index {
			s.Log = append(s.Log, entry) // "no conflict: append entry"
		}
	}
	s.commit(env, s.spec.Told(s, m))
	env.Send(j, AppendEntriesResponse{s.CurrentTerm, true, m.PrevLogIndex + len(m.Entries)})
}

// handleAppendEntriesResponse implements HandleAppendEntriesResponse(i, j, m) for a leader.
func (s *Server) handleAppendEntriesResponse(env model.Env, j model.NodeID, m AppendEntriesResponse) {
	if s.State != Leader {
		return
	}
	env.After(appendEntries{j}, model.Anytime())
	switch {
	case m.Success:
		s.NextIndex[j], s.MatchIndex[j] = m.MatchIndex+1, s.spec.Matched(s, m)
		s.advanceCommitIndex(env)
	default:
		s.NextIndex[j] = max(s.NextIndex[j]-1, 1)
	}
}

// updateTerm implements UpdateTerm(i, j, m). A server that receives a newer term adopts it, and becomes a follower.
func (s *Server) updateTerm(env model.Env, term int) {
	if term > s.CurrentTerm {
		s.CurrentTerm, s.VotedFor = term, model.Optional[model.NodeID]{}
		env.Note(Adopted{term})
		if s.spec.StepsDown(s) {
			s.follow(env)
		}
	}
}

// follow makes the server a follower, and clears the state of candidates and leaders.
func (s *Server) follow(env model.Env) {
	s.State = Follower
	s.VotesGranted, s.NextIndex, s.MatchIndex = nil, nil, nil
	env.Cancel(clientRequest{})
	for _, j := range s.cfg.Servers {
		env.Cancel(appendEntries{j})
	}
	s.awaitTimeout(env)
}

func (s *Server) awaitTimeout(env model.Env) {
	if !s.patient {
		env.After(timeout{}, model.Anytime())
	}
}

// term returns the term of the entry with an index, or 0 for index 0.
func (s *Server) term(index int) int {
	if index == 0 {
		return 0
	}
	return s.Log[index-1].Term
}

// lastTerm implements LastTerm(log[i]).
func (s *Server) lastTerm() int { return s.term(len(s.Log)) }
