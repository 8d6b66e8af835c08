package raft

import (
	"slices"

	"contend/model"
)

// Definitions are what the actions are made of. A variant overrides one, as "<-" does in a
// configuration of TLC: it embeds [Spec], and has one method of its own.
type Definitions interface {
	Quorum(s *Server, servers int) bool
	OwnVote(i model.NodeID) (votedFor model.Optional[model.NodeID], votesGranted map[model.NodeID]bool)
	Voters(servers []model.NodeID, i model.NodeID) []model.NodeID
	UpToDate(s *Server, m RequestVoteRequest) bool
	MayVoteFor(s *Server, j model.NodeID) bool
	Stale(s *Server, term int) bool
	StepsDown(s *Server) bool
	LastEntry(s *Server, j model.NodeID) int
	LeaderCommit(s *Server, lastEntry int) int
	Retries() bool
	LogOk(s *Server, m AppendEntriesRequest) bool
	Conflict(s *Server, index int, entry Entry) bool
	Told(s *Server, m AppendEntriesRequest) int
	Matched(s *Server, m AppendEntriesResponse) int
	MayCommit(s *Server, n int) bool
}

// Spec has the definitions of Figure 2 and of raft.tla.
type Spec struct{}

// Quorum reports whether so many servers are a majority.
func (Spec) Quorum(s *Server, servers int) bool { return servers*2 > len(s.cfg.Servers) }

// OwnVote is the vote of a candidate: "vote for self".
func (Spec) OwnVote(i model.NodeID) (model.Optional[model.NodeID], map[model.NodeID]bool) {
	return model.Some(i), map[model.NodeID]bool{i: true}
}

// Voters are those whom a candidate asks: "all other servers".
func (Spec) Voters(servers []model.NodeID, i model.NodeID) []model.NodeID { return others(servers, i) }

// UpToDate is logOk of HandleRequestVoteRequest: the "candidate's log is at least as up-to-date as
// receiver's log".
func (Spec) UpToDate(s *Server, m RequestVoteRequest) bool {
	return m.LastLogTerm > s.lastTerm() || m.LastLogTerm == s.lastTerm() && m.LastLogIndex >= len(s.Log)
}

// MayVoteFor reports whether "votedFor is null or candidateId".
func (Spec) MayVoteFor(s *Server, j model.NodeID) bool { return s.VotedFor.Or(j) == j }

// Stale reports whether a response is one to ignore: DropStaleResponse.
func (Spec) Stale(s *Server, term int) bool { return term < s.CurrentTerm }

// StepsDown reports whether a server whose term has changed converts to follower.
func (Spec) StepsDown(*Server) bool { return true }

// LastEntry is the index up to which a leader sends entries at once: "up to 1 entry".
func (Spec) LastEntry(s *Server, j model.NodeID) int { return s.NextIndex[j] }

// LeaderCommit is mcommitIndex: "leader's commitIndex".
func (Spec) LeaderCommit(s *Server, _ int) int { return s.CommitIndex }

// Retries reports whether a leader sends once more before a response has come.
func (Spec) Retries() bool { return false }

// LogOk is logOk of HandleAppendEntriesRequest: the log has an "entry at prevLogIndex whose term
// matches prevLogTerm".
func (Spec) LogOk(s *Server, m AppendEntriesRequest) bool {
	return m.PrevLogIndex == 0 || m.PrevLogIndex <= len(s.Log) && m.PrevLogTerm == s.term(m.PrevLogIndex)
}

// Conflict reports whether "an existing entry conflicts with a new one (same index but different
// terms)".
func (Spec) Conflict(s *Server, index int, entry Entry) bool { return s.term(index) != entry.Term }

// Told is the commit index of a follower: "If leaderCommit > commitIndex, set commitIndex =
// min(leaderCommit, index of last new entry)."
func (Spec) Told(s *Server, m AppendEntriesRequest) int {
	return max(s.CommitIndex, min(m.CommitIndex, m.PrevLogIndex+len(m.Entries)))
}

// Matched is matchIndex of a follower: what it has acknowledged.
func (Spec) Matched(_ *Server, m AppendEntriesResponse) int { return m.MatchIndex }

// MayCommit reports whether "log[N].term == currentTerm".
func (Spec) MayCommit(s *Server, n int) bool { return s.term(n) == s.CurrentTerm }

func others(servers []model.NodeID, i model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(servers), func(j model.NodeID) bool { return j == i })
}
