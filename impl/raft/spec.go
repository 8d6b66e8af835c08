package raft

import (
	"slices"

	"contend/model"
)

// Definitions are what the actions are made of. A variant overrides one, as "<-" does in a
// configuration of TLC: it embeds [Spec], and has one method of its own.
type Definitions interface {
	Quorum(s *Server, of map[model.NodeID]bool) bool
	OwnVote(i model.NodeID) (votedFor model.Optional[model.NodeID], votesGranted map[model.NodeID]bool)
	Voters(s *Server, i model.NodeID) []model.NodeID
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

// Quorum reports whether the servers for which a set says true are a majority.
func (Spec) Quorum(s *Server, of map[model.NodeID]bool) bool {
	return 2*count(s.cfg.Servers, of) > len(s.cfg.Servers)
}

// OwnVote is the vote of a candidate, for itself.
func (Spec) OwnVote(i model.NodeID) (model.Optional[model.NodeID], map[model.NodeID]bool) {
	return model.Some(i), map[model.NodeID]bool{i: true}
}

// Voters are those whom a candidate asks: all others.
func (Spec) Voters(s *Server, i model.NodeID) []model.NodeID { return others(s.cfg.Servers, i) }

// UpToDate is logOk of HandleRequestVoteRequest: the log of the candidate is not behind that of
// the receiver.
func (Spec) UpToDate(s *Server, m RequestVoteRequest) bool {
	return m.LastLogTerm > s.lastTerm() || m.LastLogTerm == s.lastTerm() && m.LastLogIndex >= len(s.Log)
}

// MayVoteFor reports whether the server has voted for nobody else in this term.
func (Spec) MayVoteFor(s *Server, j model.NodeID) bool { return s.VotedFor.Or(j) == j }

// Stale reports whether a response is one to ignore: DropStaleResponse.
func (Spec) Stale(s *Server, term int) bool { return term < s.CurrentTerm }

// StepsDown reports whether a server whose term has changed converts to follower.
func (Spec) StepsDown(*Server) bool { return true }

// LastEntry is the index up to which a leader sends entries at once: one entry, as in raft.tla.
func (Spec) LastEntry(s *Server, j model.NodeID) int { return s.NextIndex[j] }

// LeaderCommit is mcommitIndex, the commit index of the leader.
func (Spec) LeaderCommit(s *Server, _ int) int { return s.CommitIndex }

// Retries reports whether a leader sends once more before a response has come.
func (Spec) Retries() bool { return false }

// LogOk is logOk of HandleAppendEntriesRequest: the log has an entry of prevLogTerm at
// prevLogIndex.
func (Spec) LogOk(s *Server, m AppendEntriesRequest) bool {
	return m.PrevLogIndex == 0 || m.PrevLogIndex <= len(s.Log) && m.PrevLogTerm == s.term(m.PrevLogIndex)
}

// Conflict reports whether the entry that the log has at an index is of another term.
func (Spec) Conflict(s *Server, index int, entry Entry) bool { return s.term(index) != entry.Term }

// Told is the commit index of a follower: the leader's, but not beyond the entries that the message
// speaks for, and never less than before.
func (Spec) Told(s *Server, m AppendEntriesRequest) int {
	return max(s.CommitIndex, min(m.CommitIndex, m.PrevLogIndex+len(m.Entries)))
}

// Matched is matchIndex of a follower: what it has acknowledged.
func (Spec) Matched(_ *Server, m AppendEntriesResponse) int { return m.MatchIndex }

// MayCommit reports whether the entry is of the current term.
func (Spec) MayCommit(s *Server, n int) bool { return s.term(n) == s.CurrentTerm }

func others(servers []model.NodeID, i model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(servers), func(j model.NodeID) bool { return j == i })
}

// count is how many of the servers a set has.
func count(servers []model.NodeID, set map[model.NodeID]bool) (n int) {
	for _, i := range servers {
		if set[i] {
			n++
		}
	}
	return n
}
