package raft

import (
	"slices"

	"contend/model"
)

// Definitions are the definitions that the actions use. A variant overrides one, like "<-" in a configuration of TLC.
// It embeds [Spec], and has one method of its own.
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

// Quorum reports whether a set contains a majority of the servers.
func (Spec) Quorum(s *Server, of map[model.NodeID]bool) bool {
	return 2*count(s.cfg.Servers, of) > len(s.cfg.Servers)
}

// OwnVote returns the vote of a candidate for itself.
func (Spec) OwnVote(i model.NodeID) (model.Optional[model.NodeID], map[model.NodeID]bool) {
	return model.Some(i), map[model.NodeID]bool{i: true}
}

// Voters returns the servers that a candidate asks for votes: all others.
func (Spec) Voters(s *Server, i model.NodeID) []model.NodeID { return others(s.cfg.Servers, i) }

// UpToDate implements logOk of HandleRequestVoteRequest. It reports whether the candidate's log is at least as
// up-to-date as the receiver's.
func (Spec) UpToDate(s *Server, m RequestVoteRequest) bool {
	return m.LastLogTerm > s.lastTerm() || m.LastLogTerm == s.lastTerm() && m.LastLogIndex >= len(s.Log)
}

// MayVoteFor reports whether the server has not voted for another candidate in this term.
func (Spec) MayVoteFor(s *Server, j model.NodeID) bool { return s.VotedFor.Or(j) == j }

// Stale reports whether a response is stale, and is dropped: DropStaleResponse.
func (Spec) Stale(s *Server, term int) bool { return term < s.CurrentTerm }

// StepsDown reports whether a server with a new term becomes a follower.
func (Spec) StepsDown(*Server) bool { return true }

// LastEntry returns the last index that a leader sends in one message. As in raft.tla, a message has at most one entry.
func (Spec) LastEntry(s *Server, j model.NodeID) int { return s.NextIndex[j] }

// LeaderCommit returns mcommitIndex, the commit index of the leader.
func (Spec) LeaderCommit(s *Server, _ int) int { return s.CommitIndex }

// Retries reports whether a leader may send again before the response.
func (Spec) Retries() bool { return false }

// LogOk implements logOk of HandleAppendEntriesRequest. It reports whether the log has an entry of prevLogTerm at
// prevLogIndex.
func (Spec) LogOk(s *Server, m AppendEntriesRequest) bool {
	return m.PrevLogIndex == 0 || m.PrevLogIndex <= len(s.Log) && m.PrevLogTerm == s.term(m.PrevLogIndex)
}

// Conflict reports whether the log's entry at an index has another term.
func (Spec) Conflict(s *Server, index int, entry Entry) bool { return s.term(index) != entry.Term }

// Told returns the new commit index of a follower. It is the leader's commit index, but at most the last index that the
// message covers, and never less than before.
func (Spec) Told(s *Server, m AppendEntriesRequest) int {
	return max(s.CommitIndex, min(m.CommitIndex, m.PrevLogIndex+len(m.Entries)))
}

// Matched returns the new matchIndex of a follower, the index that it has acknowledged.
func (Spec) Matched(_ *Server, m AppendEntriesResponse) int { return m.MatchIndex }

// MayCommit reports whether the entry is of the current term.
func (Spec) MayCommit(s *Server, n int) bool { return s.term(n) == s.CurrentTerm }

func others(servers []model.NodeID, i model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(servers), func(j model.NodeID) bool { return j == i })
}

// count returns the number of servers in a set.
func count(servers []model.NodeID, set map[model.NodeID]bool) (n int) {
	for _, i := range servers {
		if set[i] {
			n++
		}
	}
	return n
}
