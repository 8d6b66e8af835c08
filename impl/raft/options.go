package raft

import "contend/model"

// options are different readings of Figure 2 and raft.tla, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "retries", Title: "reading of raft.tla: a leader sends at any time, also before a response has come",
		Edit: define(retries{}), Show: model.Check{Config: sized(2, 2, 1)},
	},
	{
		Name: "vote-by-message", Title: "reading of raft.tla: a candidate asks itself for its vote, \"messaging localhost\"",
		Edit: define(voteByMessage{}), Show: model.Check{Config: sized(2, 2, 1)},
	},
	{
		Name: "commit-as-told", Title: "reading of raft.tla: a follower's commitIndex is what the leader says, even if that is less",
		Edit: define(commitAsTold{}), Unclaimed: []string{monotonic}, Show: model.Check{Config: sized(2, 2, 1)},
	},
	{
		Name: "all-entries", Title: "reading of Figure 2: a leader sends all entries from nextIndex on, not one",
		Edit: define(allEntries{}), Show: model.Check{Config: sized(2, 2, 2)},
	},
	{
		Name: "larger-quorum", Title: "all servers must agree: quorums intersect, but no fault is tolerated",
		Edit: define(largerQuorum{}), Show: two(3, 2, 1),
	},
	{
		Name: "no-second-vote", Title: "a server that has voted for a candidate does not vote for it once more",
		Edit: define(noSecondVote{}), Show: two(3, 2, 0),
	},
	{
		Name: "from-figure-8", Title: "the runs begin where the paper's Figure 8 (b) is: two leaders have lost, each with an entry that nobody else has",
		Edit: begins(Spec{}, first, second, third), Show: two(3, 4, 2),
	},
	{
		Name: "from-figure-8c", Title: "the same, from where the leader of term 1 leads term 3",
		Edit: figure8c, Show: two(3, 4, 2),
	},
	{
		Name: "from-idle-leader", Title: "the runs begin as in from-figure-8, but the leader of term 2 has appended nothing",
		Edit: begins(Spec{}, first, idle, third), Show: two(3, 4, 1),
	},
	{
		Name: "heartbeats", Title: "reading of §5.2: heartbeats have no entries; the runs begin where the second server leads term 3",
		Edit: sequence(replace(func(s Server) model.Node { return &Beating{s} }), behind), Show: one(3, 3, 1),
	},
	{
		Name: "timely", Title: "§5.6: messages and heartbeats are faster than time-outs; the runs begin as in from-figure-8",
		Edit: timely, Show: model.Check{Config: sized(3, 2, 2), Reading: model.Grid},
	},
	{
		Name: "led-again", Title: "the first of five servers leads term 3, as it did term 1, and a response of term 1 is late",
		Edit: ledAgain, Show: one(5, 3, 2),
	},
}

// A Beating server is a server whose heartbeats have no entries: "(AppendEntries RPCs that carry no log entries)". A
// leader sends a follower a heartbeat or an entry.
type Beating struct{ Server }

// Timeout sends a heartbeat, or does what the server does at an alarm.
func (s *Beating) Timeout(env model.Env, step any) {
	if to, is := step.(appendEntries); is && env.Choose(2) == 0 {
		prev := s.NextIndex[to.Follower] - 1
		env.Send(to.Follower, AppendEntriesRequest{
			Term: s.CurrentTerm, PrevLogIndex: prev, PrevLogTerm: s.term(prev), CommitIndex: s.CommitIndex,
		})
		return
	}
	s.Server.Timeout(env, step)
}

type retries struct{ Spec }

// Retries returns true: AppendEntries(i, j) is possible while i leads.
func (retries) Retries() bool { return true }

type voteByMessage struct{ Spec }

// OwnVote returns no vote: "Most implementations would probably just set the local vote atomically".
func (voteByMessage) OwnVote(model.NodeID) (none model.Optional[model.NodeID], votes map[model.NodeID]bool) {
	return none, nil
}

// Voters returns all servers, including the candidate.
func (voteByMessage) Voters(s *Server, _ model.NodeID) []model.NodeID { return s.cfg.Servers }

type commitAsTold struct{ Spec }

// LeaderCommit returns the commit index, but at most the last index that is sent.
func (commitAsTold) LeaderCommit(s *Server, lastEntry int) int { return min(s.CommitIndex, lastEntry) }

// Told returns the leader's commit index, and "could make our commitIndex decrease".
func (commitAsTold) Told(_ *Server, m AppendEntriesRequest) int { return m.CommitIndex }

type allEntries struct{ Spec }

// LastEntry returns the end of the log.
func (allEntries) LastEntry(s *Server, _ model.NodeID) int { return len(s.Log) }

type largerQuorum struct{ Spec }

// Quorum reports whether all servers agree.
func (largerQuorum) Quorum(s *Server, of map[model.NodeID]bool) bool {
	return count(s.cfg.Servers, of) == len(s.cfg.Servers)
}

type noSecondVote struct{ Spec }

// MayVoteFor reports whether the server has not voted in this term.
func (noSecondVote) MayVoteFor(s *Server, _ model.NodeID) bool { return !s.VotedFor.Known }
