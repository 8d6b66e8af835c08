package raft

import (
	"slices"

	"contend/model"
)

// change is the alarm with which a server is asked for AddServer or RemoveServer: the server joins the cluster if it is
// no member, and else it leaves.
type change struct{ Server model.NodeID }

// A Member is a server of a cluster that changes by one server at a time, as chapter 4 of the thesis says. A change is an
// entry of the log, and each server goes by the latest configuration in its log, committed or not.
type Member struct {
	Server
	membership
}

// membership is how the cluster changes.
type membership struct {
	rules ChangeRules
	noOp  bool // a leader begins its term with a blank entry; otherwise it waits for one of a client
	quiet bool // no client asks
}

// members is the configuration by which a server goes.
func (m membership) members(s *Server) []model.NodeID { return m.rules.Configuration(s) }

// Start begins with no request.
func (s *Member) Start(env model.Env) {
	s.Server.Start(env)
	s.then(env, Follower)
}

// Timeout takes a step that needs no message.
func (s *Member) Timeout(env model.Env, step any) {
	was := s.State
	switch step := step.(type) {
	case change:
		s.change(env, step.Server)
	default:
		s.Server.Timeout(env, step)
	}
	s.then(env, was)
}

// Receive is that of a server: "servers process incoming RPC requests without consulting their current configurations".
func (s *Member) Receive(env model.Env, from model.NodeID, m any) {
	was := s.State
	s.Server.Receive(env, from, m)
	s.then(env, was)
}

// change appends the new configuration, which takes effect at once. A server that joins is sent entries from now on.
func (s *Member) change(env model.Env, j model.NodeID) {
	s.Log = append(s.Log, Entry{Term: s.CurrentTerm, Change: model.Some(j)})
	env.Note(Appended{len(s.Log)})
	if j != env.Self() {
		env.After(appendEntries{j}, model.Anytime())
	}
	s.advanceCommitIndex(env)
}

// then does after a step what has become possible.
func (s *Member) then(env model.Env, was State) {
	if s.State == Leader && was != Leader && s.noOp {
		s.appendNoOp(env)
	}
	if s.quiet {
		env.Cancel(clientRequest{})
	}
	members := s.members(&s.Server)
	if s.State == Leader && !slices.Contains(members, env.Self()) && lastChange(s.Log) <= s.CommitIndex {
		s.follow(env) // "a leader that is removed from the configuration steps down once the Cnew entry is committed"
	}
	for _, j := range s.cfg.Servers {
		env.Cancel(change{j})
		if s.State == Leader && s.rules.MayChange(s) && !slices.Equal(members, []model.NodeID{j}) {
			env.After(change{j}, model.Anytime())
		}
		if !slices.Contains(members, j) {
			env.Cancel(appendEntries{j})
		}
	}
}

// configuration is what the changes of a log make of a cluster, of which all are members at first.
func configuration(all []model.NodeID, log []Entry) []model.NodeID {
	members := slices.Clone(all)
	for _, entry := range log {
		j, is := entry.Change.Get()
		switch at := slices.Index(members, j); {
		case !is:
		case at < 0:
			members = append(members, j)
		default:
			members = slices.Delete(members, at, at+1)
		}
	}
	return members
}

// lastChange is the index of the last change in a log, and 0 where there is none.
func lastChange(log []Entry) int {
	for i := len(log); i > 0; i-- {
		if log[i-1].Change.Known {
			return i
		}
	}
	return 0
}

// ChangeRules are what a change is made of. A variant overrides one.
type ChangeRules interface {
	Configuration(s *Server) []model.NodeID
	MayChange(s *Member) bool
}

// ChangeSpec has the rules of chapter 4, and what its author added in 2015.
type ChangeSpec struct{}

// Configuration is the latest in the log: "each server always uses the latest configuration found in its log".
func (ChangeSpec) Configuration(s *Server) []model.NodeID { return configuration(s.cfg.Servers, s.Log) }

// MayChange reports whether the change before is committed, and an entry of this term.
func (ChangeSpec) MayChange(s *Member) bool {
	return lastChange(s.Log) <= s.CommitIndex && s.CommitIndex > 0 && s.term(s.CommitIndex) == s.CurrentTerm
}

// byLog has the definitions of a cluster whose configuration is in the log.
type byLog struct {
	Spec
	membership
}

// Quorum reports whether these are a majority of the members. A leader that is none "does not count itself in
// majorities".
func (c byLog) Quorum(s *Server, of map[model.NodeID]bool) bool {
	return 2*count(c.members(s), of) > len(c.members(s))
}

// Voters are the other members.
func (c byLog) Voters(s *Server, i model.NodeID) []model.NodeID { return others(c.members(s), i) }

// edit makes every server a member.
func (c membership) edit(s *model.System) { c.with(byLog{membership: c})(s) }

// with is an edit: every server is a member, and has these definitions.
func (c membership) with(spec Definitions) func(*model.System) {
	return func(s *model.System) {
		s.Types = append(s.Types, change{})
		replace(func(s Server) model.Node {
			s.spec = spec
			return &Member{Server: s, membership: c}
		})(s)
	}
}

// changeOptions are the ways to change the cluster.
var changeOptions = []model.Variant{
	{
		Name: "membership", Title: "the thesis, chapter 4: servers join and leave, one at a time; a leader begins its term with a blank entry",
		Edit: membership{rules: ChangeSpec{}, noOp: true}.edit, Unclaimed: []string{durable}, Show: two(2, 2, 3),
	},
	{
		Name: "membership-2015", Title: "the same, from where the leader of term 1 has appended a change that nobody else has",
		Edit: then(membership{rules: ChangeSpec{}, noOp: true, quiet: true}.edit, removal), Unclaimed: []string{durable}, Show: two(3, 3, 2),
	},
	{
		Name: "membership-when-committed", Title: "reading of etcdraft.tla: a server goes by the latest configuration that it knows to be committed",
		Edit: membership{rules: whenCommitted{}, noOp: true}.edit, Unclaimed: []string{durable}, Show: two(2, 2, 3),
	},
}

// changeMutants are bugs of changes.
var changeMutants = []model.Variant{
	{
		// Two leaders have each removed a server, and neither has the other's change in its log.
		Name: "change-before-own-entry", Title: "published (Ongaro, 2015): a leader changes the cluster before it has committed an entry of its term",
		Breaks: "Leader Completeness", Unclaimed: []string{durable}, Show: two(4, 3, 1),
		Edit: then(membership{rules: beforeOwnCommit{}}.edit, removal),
	},
	{
		Name: "changes-overlap", Title: "a leader changes the cluster before its last change is committed",
		Breaks: "Leader Completeness", Unclaimed: []string{durable}, Show: two(3, 2, 3), Edit: membership{rules: overlapping{}, noOp: true}.edit,
	},
	{
		Name: "elected-by-first", Title: "an election goes by the servers that the cluster began with",
		Breaks: "Leader Completeness", Unclaimed: []string{durable}, Show: two(3, 2, 3), Edit: membership{rules: electedByFirst{}, noOp: true}.edit,
	},
	{
		Name: "anybody-votes", Title: "a candidate counts also the votes of servers that are no members",
		Breaks: "Leader Completeness", Unclaimed: []string{durable}, Show: two(3, 2, 3),
		Edit: membership{rules: ChangeSpec{}, noOp: true}.with(anybodyVotes{byLog{membership: membership{rules: ChangeSpec{}}}}),
	},
}

// removal is an edit: all are in term 1, whose leader was the first server. It has appended a change, by which the last
// leaves, that nobody else has; and all have restarted.
func removal(s *model.System) {
	as := make([]Server, len(s.Nodes))
	for i := range as {
		as[i].CurrentTerm = 1
	}
	as[0].Log = []Entry{{Term: 1, Change: model.Some(model.NodeID(len(as) - 1))}}
	begin(as...)(s)
}

type beforeOwnCommit struct{ ChangeSpec }

// MayChange looks at the change before alone.
func (beforeOwnCommit) MayChange(s *Member) bool { return lastChange(s.Log) <= s.CommitIndex }

type overlapping struct{ ChangeSpec }

// MayChange looks at the term alone.
func (overlapping) MayChange(s *Member) bool {
	return s.CommitIndex > 0 && s.term(s.CommitIndex) == s.CurrentTerm
}

type electedByFirst struct{ ChangeSpec }

// Configuration is a candidate's first.
func (e electedByFirst) Configuration(s *Server) []model.NodeID {
	if s.State == Candidate {
		return s.cfg.Servers
	}
	return e.ChangeSpec.Configuration(s)
}

type whenCommitted struct{ ChangeSpec }

// Configuration leaves out what is not known to be committed.
func (whenCommitted) Configuration(s *Server) []model.NodeID {
	return configuration(s.cfg.Servers, s.Log[:s.CommitIndex])
}

type anybodyVotes struct{ byLog }

// Quorum counts all servers.
func (anybodyVotes) Quorum(s *Server, of map[model.NodeID]bool) bool {
	return 2*count(s.cfg.Servers, of) > len(configuration(s.cfg.Servers, s.Log))
}

// Voters are all others.
func (anybodyVotes) Voters(s *Server, i model.NodeID) []model.NodeID { return others(s.cfg.Servers, i) }
