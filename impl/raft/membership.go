package raft

import (
	"fmt"
	"slices"

	"contend/model"
)

// change is the alarm of AddServer and RemoveServer. A server that is a member leaves the cluster, and any other server
// joins.
type change struct{ Server model.NodeID }

// Changed is noted when the leader appends a change at an index.
type Changed struct{ Index int }

// A Member is a server of a cluster that changes by one server at a time (chapter 4 of the thesis). A change is an
// entry of the log. Each server uses the latest configuration in its log, committed or not.
type Member struct {
	Server
	membership
}

// membership is a variant of cluster changes.
type membership struct {
	rules ChangeRules
	noOp  bool           // a leader begins its term with a blank entry; otherwise it waits for one of a client
	quiet bool           // no client asks
	asked []model.NodeID // only these servers are asked to join and leave; nil for all
}

// members returns the configuration that a server uses.
func (m membership) members(s *Server) []model.NodeID { return m.rules.Configuration(s) }

// Start starts the server, and its requests for changes.
func (s *Member) Start(env model.Env) {
	s.Server.Start(env)
	s.proceed(env, Follower)
}

// Timeout changes the cluster, or does what the server does at an alarm.
func (s *Member) Timeout(env model.Env, step any) {
	was := s.State
	switch step := step.(type) {
	case change:
		s.change(env, step.Server)
	default:
		s.Server.Timeout(env, step)
	}
	s.proceed(env, was)
}

// Receive handles a message as a server: "servers process incoming RPC requests without consulting their current
// configurations".
func (s *Member) Receive(env model.Env, from model.NodeID, m any) {
	was := s.State
	s.Server.Receive(env, from, m)
	s.proceed(env, was)
}

// change appends the new configuration, and uses it at once. From then on, the leader sends entries to a new member.
func (s *Member) change(env model.Env, j model.NodeID) {
	s.Log = append(s.Log, Entry{Term: s.CurrentTerm, Change: model.Some(j)})
	env.Note(Appended{len(s.Log)})
	env.Note(Changed{len(s.Log)})
	if j != env.Self() {
		env.After(appendEntries{j}, model.Anytime())
	}
	s.advanceCommitIndex(env)
}

// proceed updates the alarms of changes after each step. A new leader appends its no-op, and a removed leader steps
// down.
func (s *Member) proceed(env model.Env, was State) {
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
		if s.State == Leader && s.asks(j) && s.rules.MayChange(s) && !slices.Equal(members, []model.NodeID{j}) {
			env.After(change{j}, model.Anytime())
		}
		if !slices.Contains(members, j) {
			env.Cancel(appendEntries{j})
		}
	}
}

// asks reports whether a server may be asked to join and leave.
func (m membership) asks(j model.NodeID) bool { return m.asked == nil || slices.Contains(m.asked, j) }

// configuration returns the members after all changes of a log. At first all servers are members.
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

// lastChange returns the index of the last change in a log, or 0 if it has none.
func lastChange(log []Entry) int {
	for i := len(log); i > 0; i-- {
		if log[i-1].Change.Known {
			return i
		}
	}
	return 0
}

// ChangeRules are the conditions of a change. A variant overrides one of them.
type ChangeRules interface {
	Configuration(s *Server) []model.NodeID
	MayChange(s *Member) bool
}

// ChangeSpec has the rules of chapter 4, with the correction of 2015.
type ChangeSpec struct{}

// Configuration returns the latest configuration in the log: "each server always uses the latest configuration found in
// its log".
func (ChangeSpec) Configuration(s *Server) []model.NodeID { return configuration(s.cfg.Servers, s.Log) }

// MayChange reports whether the previous change and an entry of the current term are committed.
func (ChangeSpec) MayChange(s *Member) bool {
	return lastChange(s.Log) <= s.CommitIndex && s.CommitIndex > 0 && s.term(s.CommitIndex) == s.CurrentTerm
}

// byLog has the definitions of a cluster whose configuration is in the log.
type byLog struct {
	Spec
	membership
}

// Quorum reports whether a set contains a majority of the members. A leader that is not a member "does not count itself
// in majorities".
func (c byLog) Quorum(s *Server, of map[model.NodeID]bool) bool {
	return 2*count(c.members(s), of) > len(c.members(s))
}

// Voters returns the other members.
func (c byLog) Voters(s *Server, i model.NodeID) []model.NodeID { return others(c.members(s), i) }

// edit replaces each server by a member.
func (c membership) edit(s *model.System) { c.define(byLog{membership: c})(s) }

// define returns an edit that replaces each server by a member with these definitions.
func (c membership) define(spec Definitions) func(*model.System) {
	return func(s *model.System) {
		s.Types = append(s.Types, change{}, Changed{})
		replace(func(s Server) model.Node {
			s.spec = spec
			return &Member{Server: s, membership: c}
		})(s)
	}
}

const chapter4 = "Ongaro 2014, thesis, §4.2"

// changeClaims are the claims of cluster changes.
var changeClaims = []model.Claim{
	{
		Name: "a removed leader steps down", Kind: model.Always, Source: chapter4 + ".2", Proof: proofs + "membership-changes",
		Vacuous: needsChanges(2), Invariant: removedFollows,
	},
	witnessed("a leader commits its removal", chapter4+".2", needsChanges(2), commitsRemoval),
	witnessed("a server joins again", chapter4+".1", needsChanges(3), rejoins),
	{
		Name: "a change can be committed", Kind: model.PossibleFromEverywhere, Source: chapter4 + ".1", Proof: proofs + "membership-changes",
		Assumes: []model.Assumption{model.NoLoss, model.NoCrash, model.NoMemoryLoss}, Vacuous: needsOneTerm,
		Monitor: func(s *model.System) model.Monitor { return &pending{required: needsOneTerm(s) == ""} },
	},
}

// needsOneTerm requires changes in one term. A later leader may remove a change.
func needsOneTerm(s *model.System) string {
	if why := needsChanges(3)(s); why != "" {
		return why
	}
	if Terms.Of(s.Config) > 1 {
		return "a later leader may remove a change"
	}
	return ""
}

// pending has the goal that the leader has committed all changes.
type pending struct {
	required bool
	Last     int // the index of the last change in the leader's log
	Commit   int // the index of the last committed entry
}

func (p *pending) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Changed:
		p.Last = n.Index
	case Committed:
		p.Commit = len(n.Entries)
	}
	if p.Last > 0 && p.Reached() {
		w.Witness()
	}
}

// Reached reports whether it has.
func (p *pending) Reached() bool { return !p.required || p.Last <= p.Commit }

// witnessed returns the claim that something may be observed, except where why gives a reason.
func witnessed(name, source string, why func(s *model.System) string, is func(o model.Observation) bool) model.Claim {
	return model.Claim{
		Name: name, Kind: model.Sometimes, Source: source, Vacuous: why,
		Monitor: func(s *model.System) model.Monitor { return &noted{is: is, Has: why(s) != ""} },
	}
}

// needsChanges requires servers that join and leave, and logs with room for a number of entries.
func needsChanges(entries int) func(s *model.System) string {
	return func(s *model.System) string {
		switch _, is := s.Nodes[0].New().(interface{ removed(model.NodeID) bool }); {
		case !is:
			return "no server joins or leaves"
		case s.Config.N == 1:
			return "the only server cannot leave"
		case Entries.Of(s.Config) < entries:
			return "no log has room for the changes"
		}
		return ""
	}
}

// removed reports whether the server has committed a configuration without itself.
func (s *Member) removed(i model.NodeID) bool {
	return !slices.Contains(s.members(&s.Server), i) && lastChange(s.Log) <= s.CommitIndex
}

// removedFollows returns an error if a server leads that has committed its removal.
func removedFollows(nodes []model.Node) error {
	for i, n := range nodes {
		if m, is := n.(interface{ removed(model.NodeID) bool }); is && server(n).State == Leader && m.removed(model.NodeID(i)) {
			return fmt.Errorf("s%d leads term %d, and has committed its removal", i+1, server(n).CurrentTerm)
		}
	}
	return nil
}

// commitsRemoval reports whether a leader notes that it has committed a last change, and the change is its own.
func commitsRemoval(o model.Observation) bool {
	c, _ := o.Value.(Committed)
	last := lastChange(c.Entries)
	return last > 0 && c.Entries[last-1].Change == model.Some(o.Node) && removes(c.Entries[:last])
}

// removes reports whether the last entry of a log, a change, removes a server. At first all servers are members.
func removes(log []Entry) bool {
	changes := 0
	for _, e := range log {
		if e.Change == log[len(log)-1].Change {
			changes++
		}
	}
	return changes%2 == 1
}

// rejoins reports whether a leader notes that a server has left and joined, and both changes are committed.
func rejoins(o model.Observation) bool {
	c, _ := o.Value.(Committed)
	for at, e := range c.Entries {
		if e.Change.Known && slices.ContainsFunc(c.Entries[:at], func(before Entry) bool { return before.Change == e.Change }) {
			return true
		}
	}
	return false
}

// noted has the goal that something is observed.
type noted struct {
	is  func(o model.Observation) bool
	Has bool // from the beginning, where nothing is required
}

func (n *noted) Observe(w model.Watch, o model.Observation) {
	if n.is(o) {
		n.Has = true
		w.Witness()
	}
}

// Reached reports whether it was.
func (n *noted) Reached() bool { return n.Has }

// changeOptions are variants of cluster changes.
var changeOptions = []model.Variant{
	{
		Name: "membership", Title: "the thesis, chapter 4: servers join and leave, one at a time; a leader begins its term with a blank entry",
		Edit: membership{rules: ChangeSpec{}, noOp: true}.edit, Unclaimed: []string{durable, backed}, Show: two(2, 2, 3),
	},
	{
		Name: "membership-2015", Title: "the same, from where the leader of term 1 has appended a change that nobody else has",
		Edit: sequence(membership{rules: ChangeSpec{}, noOp: true, quiet: true}.edit, removal), Unclaimed: []string{durable, backed}, Show: two(3, 3, 2),
	},
	{
		Name: "membership-led", Title: "the same, from where the first server leads term 1, and all have its blank entry; no client asks",
		Edit: sequence(membership{rules: ChangeSpec{}, noOp: true, quiet: true}.edit, led), Unclaimed: []string{durable, backed}, Show: two(3, 2, 3),
	},
	{
		Name: "membership-superseded", Title: "the same as membership-2015, from where the second server leads term 2; it may remove the first",
		Edit: sequence(membership{rules: ChangeSpec{}, noOp: true, quiet: true, asked: []model.NodeID{0}}.edit, superseded), Unclaimed: []string{durable, backed}, Show: one(4, 3, 2),
	},
	{
		Name: "membership-when-committed", Title: "reading of etcdraft.tla: a server goes by the latest configuration that it knows to be committed",
		Edit: membership{rules: whenCommitted{}, noOp: true}.edit, Unclaimed: []string{durable, backed}, Show: two(2, 2, 3),
	},
}

// changeMutants are bugs in cluster changes.
var changeMutants = []model.Variant{
	{
		// Two leaders have each removed a server, and neither has the other's change in its log.
		Name: "change-before-own-entry", Title: "published (Ongaro, 2015): a leader changes the cluster before it has committed an entry of its term",
		Breaks: "Leader Completeness", Unclaimed: []string{durable, backed}, Show: two(4, 3, 1),
		Edit: sequence(membership{rules: beforeOwnCommit{}}.edit, removal),
	},
	{
		Name: "changes-overlap", Title: "a leader changes the cluster before its last change is committed",
		Breaks: "Leader Completeness", Unclaimed: []string{durable, backed}, Show: two(3, 2, 3), Edit: membership{rules: overlapping{}, noOp: true}.edit,
	},
	{
		Name: "elected-by-first", Title: "an election goes by the servers that the cluster began with",
		Breaks: "Leader Completeness", Unclaimed: []string{durable, backed}, Show: two(3, 2, 3),
		Edit: sequence(membership{rules: electedByFirst{}, noOp: true, quiet: true}.edit, led),
	},
	{
		Name: "anybody-votes", Title: "a candidate counts also the votes of servers that are no members",
		Breaks: "Leader Completeness", Unclaimed: []string{durable, backed}, Show: two(3, 2, 3),
		Edit: sequence(membership{rules: ChangeSpec{}, noOp: true, quiet: true}.define(anybodyVotes{byLog{membership: membership{rules: ChangeSpec{}}}}), led),
	},
}

type beforeOwnCommit struct{ ChangeSpec }

// MayChange ignores the term of the committed entries.
func (beforeOwnCommit) MayChange(s *Member) bool { return lastChange(s.Log) <= s.CommitIndex }

type overlapping struct{ ChangeSpec }

// MayChange ignores an uncommitted change.
func (overlapping) MayChange(s *Member) bool {
	return s.CommitIndex > 0 && s.term(s.CommitIndex) == s.CurrentTerm
}

type electedByFirst struct{ ChangeSpec }

// Configuration returns the initial members for a candidate.
func (e electedByFirst) Configuration(s *Server) []model.NodeID {
	if s.State == Candidate {
		return s.cfg.Servers
	}
	return e.ChangeSpec.Configuration(s)
}

type whenCommitted struct{ ChangeSpec }

// Configuration ignores entries that are not known to be committed.
func (whenCommitted) Configuration(s *Server) []model.NodeID {
	return configuration(s.cfg.Servers, s.Log[:s.CommitIndex])
}

type anybodyVotes struct{ byLog }

// Quorum counts the votes of all servers, members or not.
func (anybodyVotes) Quorum(s *Server, of map[model.NodeID]bool) bool {
	return 2*count(s.cfg.Servers, of) > len(configuration(s.cfg.Servers, s.Log))
}

// Voters returns all other servers.
func (anybodyVotes) Voters(s *Server, i model.NodeID) []model.NodeID { return others(s.cfg.Servers, i) }
