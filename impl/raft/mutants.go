package raft

import "contend/model"

// mutants are bugs, each with the claim that it breaks. The published bugs are known from papers and implementations.
var mutants = []model.Variant{
	{
		// From the initial state it takes 25 steps. So the runs begin at Figure 8 (b): the leaders of terms 1 and 2
		// have each appended an entry, and lost their leadership.
		Name: "figure-8", Title: "published (Figure 8, from its part b): a leader commits an entry of an earlier term by counting replicas",
		Breaks: "Leader Completeness", Show: two(3, 4, 1), Edit: begins(anyTerm{}, first, second, third),
	},
	{
		Name: "votes-twice", Title: "a server votes for everybody who asks in its term",
		Breaks: "Election Safety", Show: two(3, 1, 0), Edit: define(votesTwice{}),
	},
	{
		Name: "any-log", Title: "a server votes for a candidate whose log is behind its own",
		Breaks: "Leader Completeness", Show: two(3, 2, 1), Edit: define(anyLog{}),
	},
	{
		// The longer log must belong to a leader that has replicated nothing.
		Name: "longest-log", Title: "published: logs are compared by their length alone",
		Breaks: "Leader Completeness", Show: two(3, 4, 1), Edit: begins(longestLog{}, first, idle, third),
	},
	{
		Name: "half", Title: "half of the servers are a quorum",
		Breaks: "Election Safety", Show: two(2, 1, 0), Edit: define(half{}),
	},
	{
		// A vote for term 1 must be slow, and its candidate must run again in term 2.
		Name: "old-votes-count", Title: "a candidate counts votes of earlier terms",
		Breaks: "Election Safety", Show: two(3, 3, 0), Edit: define(oldVotesCount{}),
	},
	{
		// It begins where a response of term 1 is late.
		Name: "old-responses-count", Title: "a leader believes responses of earlier terms",
		Breaks: matched, Show: model.Check{Config: one(5, 3, 2).Config, Claims: []string{matched}}, Edit: sequence(define(oldVotesCount{}), ledAgain),
	},
	{
		Name: "leads-on", Title: "a leader that hears of a later term leads on in that term",
		Breaks: "Leader Append-Only", Show: two(3, 2, 1), Edit: define(leadsOn{}),
	},
	{
		Name: "no-previous-term", Title: "a follower checks that it has an entry at prevLogIndex, not its term",
		Breaks: "Log Matching", Show: two(3, 3, 2), Edit: begins(noPreviousTerm{}, first, second, third),
	},
	{
		// A slow request with fewer entries must arrive after a request with more.
		Name: "always-truncates", Title: "published: a follower deletes what follows prevLogIndex, conflict or not",
		Breaks: durable, Show: one(3, 1, 2), Edit: define(alwaysTruncates{}),
	},
	{
		Name: "commits-all", Title: "published: heartbeats have no entries, and a follower commits up to min(leaderCommit, the length of its log)",
		Breaks: "State Machine Safety", Show: two(3, 3, 1), Edit: begins(commitsAll{}, first, idle, third),
	},
	{
		Name: "matches-all", Title: "a leader takes a response to mean that the follower has its whole log",
		Breaks: "Leader Completeness", Show: two(3, 2, 1), Edit: define(matchesAll{}),
	},
	{
		Name: "commit-falls", Title: "a leader sends at any time, and a follower's commitIndex is what it says: raft.tla as it stands",
		Breaks: monotonic, Show: one(3, 1, 1), Edit: define(commitFalls{}),
	},
	{
		Name: "vote-forgotten", Title: "votedFor is not in stable storage",
		Breaks: "Election Safety", Show: restarts(two(3, 1, 0)), Edit: replace(func(s Server) model.Node { return &voteForgotten{s} }),
	},
	{
		Name: "term-forgotten", Title: "currentTerm is not in stable storage",
		Breaks: "Election Safety", Show: restarts(two(3, 2, 0)), Edit: replace(func(s Server) model.Node { return &termForgotten{s} }),
	},
	{
		Name: "log-forgotten", Title: "the log is not in stable storage",
		Breaks: durable, Show: restarts(one(3, 1, 1)), Edit: replace(func(s Server) model.Node { return &logForgotten{s} }),
	},
}

// one and two return checks in which one or two servers time out.
func one(n, terms, entries int) model.Check {
	return model.Check{Config: sized(n, terms, entries).With(Candidates.Is(1))}
}

func two(n, terms, entries int) model.Check {
	return model.Check{Config: sized(n, terms, entries).With(Candidates.Is(2))}
}

func restarts(c model.Check) model.Check {
	c.Config.Faults.Restarts = 1
	return c
}

type anyTerm struct{ Spec }

// MayCommit returns true, also for entries of earlier terms.
func (anyTerm) MayCommit(*Server, int) bool { return true }

type votesTwice struct{ Spec }

// MayVoteFor returns true for any candidate.
func (votesTwice) MayVoteFor(*Server, model.NodeID) bool { return true }

type anyLog struct{ Spec }

// UpToDate returns true for any log.
func (anyLog) UpToDate(*Server, RequestVoteRequest) bool { return true }

type longestLog struct{ Spec }

// UpToDate compares lengths, not terms.
func (longestLog) UpToDate(s *Server, m RequestVoteRequest) bool { return m.LastLogIndex >= len(s.Log) }

type half struct{ Spec }

// Quorum reports whether half of the servers agree.
func (half) Quorum(s *Server, of map[model.NodeID]bool) bool {
	return 2*count(s.cfg.Servers, of) >= len(s.cfg.Servers)
}

type oldVotesCount struct{ Spec }

// Stale returns false: no response is dropped.
func (oldVotesCount) Stale(*Server, int) bool { return false }

type leadsOn struct{ Spec }

// StepsDown returns false for leaders.
func (leadsOn) StepsDown(s *Server) bool { return s.State != Leader }

type noPreviousTerm struct{ Spec }

// LogOk compares the index, not the term.
func (noPreviousTerm) LogOk(s *Server, m AppendEntriesRequest) bool {
	return m.PrevLogIndex <= len(s.Log)
}

type alwaysTruncates struct{ retries }

// LastEntry returns the end of the log.
func (alwaysTruncates) LastEntry(s *Server, _ model.NodeID) int { return len(s.Log) }

// Conflict returns true for every entry.
func (alwaysTruncates) Conflict(*Server, int, Entry) bool { return true }

type commitsAll struct{ Spec }

// LastEntry leaves out all entries for a follower that lacks committed entries.
func (commitsAll) LastEntry(s *Server, j model.NodeID) int {
	if s.NextIndex[j] <= s.CommitIndex {
		return s.NextIndex[j] - 1
	}
	return s.NextIndex[j]
}

// Told ignores how far the message's entries go.
func (commitsAll) Told(s *Server, m AppendEntriesRequest) int {
	return max(s.CommitIndex, min(m.CommitIndex, len(s.Log)))
}

type matchesAll struct{ Spec }

// Matched returns the end of the log.
func (matchesAll) Matched(s *Server, _ AppendEntriesResponse) int { return len(s.Log) }

type commitFalls struct{ commitAsTold }

// Retries returns true.
func (commitFalls) Retries() bool { return true }

type voteForgotten struct{ Server }

// Start clears votedFor.
func (s *voteForgotten) Start(env model.Env) {
	s.VotedFor = model.Optional[model.NodeID]{}
	s.Server.Start(env)
}

type termForgotten struct{ Server }

// Start clears currentTerm and votedFor.
func (s *termForgotten) Start(env model.Env) {
	s.CurrentTerm, s.VotedFor = 0, model.Optional[model.NodeID]{}
	s.Server.Start(env)
}

type logForgotten struct{ Server }

// Start clears the log.
func (s *logForgotten) Start(env model.Env) {
	s.Log = nil
	s.Server.Start(env)
}
