package raft

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/claims"
)

// The notes of servers, and the values that they deliver.
type (
	// Asked is noted when the server asks for votes.
	Asked struct{ Term int }
	// Adopted is noted when the server adopts a later term that it receives.
	Adopted struct{ Term int }
	// Missed is noted when the server has handled a message of a later term, and has not adopted the term.
	Missed struct{ Term int }
	// Appended is noted when the leader appends an entry to its log.
	Appended struct{ Index int }
	// Elected is noted when the server becomes the leader of a term, with its log at that time.
	Elected struct {
		Term int
		Log  []Entry
	}
	// Committed is noted when the leader of a term commits. Entries is the prefix of its log up to the new commit
	// index.
	Committed struct {
		Term    int
		Entries []Entry
	}
	// Removed is noted when the server deletes entries of its log. Leads is true if it is the leader.
	Removed struct{ Leads bool }
	// Moved is noted when commitIndex changes.
	Moved struct{ From, To int }
	// Applied is delivered when the server applies the entry at an index to its state machine.
	Applied struct {
		Index int
		Entry Entry
	}
)

const (
	figure2 = "Ongaro–Ousterhout 2014, Figure 2"
	figure3 = "Ongaro–Ousterhout 2014, Figure 3"
	proofs  = "docs/proofs/raft.md#"

	durable   = "what is committed is on a quorum"
	monotonic = "the commit index never decreases"
	adopted   = "a later term is adopted"
	current   = "a vote is for a candidate of the term"
	backed    = "a leader has the votes of a majority"
	matched   = "matchIndex is replicated"

	linearizable = "Linearizable Reads"
)

var claimed = []model.Claim{
	named("Election Safety", claims.From(claims.OneLeaderATerm(elected), figure3, proofs+"election-safety")),
	vacuous(needsRivals, model.Claim{
		Name: "Leader Append-Only", Kind: model.Always, Source: figure3, Proof: proofs + "leader-append-only",
		Monitor: func(*model.System) model.Monitor { return &appendOnly{} },
	}),
	{
		Name: "Log Matching", Kind: model.Always, Source: figure3, Proof: proofs + "log-matching",
		Invariant: logMatching,
	},
	vacuous(needsSecondTerm, model.Claim{
		Name: "Leader Completeness", Kind: model.Always, Source: figure3, Proof: proofs + "leader-completeness",
		Monitor: func(*model.System) model.Monitor { return &completeness{} },
	}),
	vacuous(needsTwoApplications, model.Claim{
		Name: "State Machine Safety", Kind: model.Always, Source: figure3, Proof: proofs + "state-machine-safety",
		Monitor: func(*model.System) model.Monitor { return &machines{} },
	}),
	{
		Name: durable, Kind: model.Always, Source: "etcd, etcdraft.tla: QuorumLogInv",
		Proof: proofs + "leader-completeness", Invariant: onQuorum,
	},
	vacuous(needsEntry, model.Claim{
		Name: monotonic, Kind: model.Always, Source: figure2 + ", commitIndex",
		Proof: proofs + "the-commit-index", Monitor: func(*model.System) model.Monitor { return &decreases{} },
	}),
	vacuous(needsRivalTerms, model.Claim{
		Name: adopted, Kind: model.Always, Source: figure2 + ", Rules for Servers", Proof: proofs + "terms-and-votes",
		Monitor: func(*model.System) model.Monitor { return &obedience{} },
	}),
	{
		Name: current, Kind: model.Always, Source: figure2 + ", votedFor", Proof: proofs + "terms-and-votes", Invariant: ofTerm,
	},
	{
		Name: backed, Kind: model.Always, Source: "Ongaro–Ousterhout 2014, §5.2", Proof: proofs + "terms-and-votes", Invariant: byMajority,
	},
	{
		Name: matched, Kind: model.Always, Source: figure2 + ", matchIndex", Proof: proofs + "matchindex", Invariant: replicated,
	},
}

// A condition returns why a configuration cannot test a claim, or "" if it can.
type condition func(c model.Config) (why string)

func vacuous(n condition, c model.Claim) model.Claim {
	c.Vacuous = func(s *model.System) string { return n(s.Config) }
	return c
}

// needsEntry requires an entry in some log.
func needsEntry(c model.Config) string {
	if Entries.Of(c) == 0 {
		return "no log has an entry"
	}
	return ""
}

// needsTwoApplications requires that an entry is applied twice: by two servers, or again after a restart.
func needsTwoApplications(c model.Config) string {
	if c.N == 1 && c.Faults.Restarts == 0 {
		return "one server applies each entry once"
	}
	return needsEntry(c)
}

// needsSecondTerm requires a second term.
func needsSecondTerm(c model.Config) string {
	if Terms.Of(c) < 2 {
		return "there is one term"
	}
	return needsEntry(c)
}

// needsRivalTerms requires that a server hears of a later term.
func needsRivalTerms(c model.Config) string {
	if c.N == 1 {
		return "no server hears of a term"
	}
	return ""
}

// needsRivals requires a leader that may lack an entry of another leader. With two servers, or one that times out, no leader
// lacks an entry.
func needsRivals(c model.Config) string {
	if c.N < 3 || Candidates.Of(c) == 1 && c.Faults.Restarts == 0 {
		return "every leader has all entries"
	}
	return needsSecondTerm(c)
}

func named(name string, c model.Claim) model.Claim {
	c.Name = name
	return c
}

func elected(o model.Observation) (term int, ok bool) {
	e, ok := o.Value.(Elected)
	return e.Term, ok
}

// appendOnly checks that no leader deletes entries of its log.
type appendOnly struct{}

func (*appendOnly) Observe(w model.Watch, o model.Observation) {
	if r, ok := o.Value.(Removed); ok {
		w.Witness()
		if r.Leads {
			w.Violate("it leads, and deletes entries of its log")
		}
	}
}

// logMatching returns an error if two logs have an entry with the same index and term but differ before that index.
func logMatching(nodes []model.Node) error {
	for i, n := range nodes {
		for k, m := range nodes[:i] {
			if n == nil || m == nil {
				continue
			}
			if at, is := mismatch(server(n).Log, server(m).Log); is {
				return fmt.Errorf("s%d and s%d have an entry of one term at index %d, but other entries up to it", k+1, i+1, at)
			}
		}
	}
	return nil
}

// mismatch returns the last index at which two logs have entries of one term. It reports whether the logs differ up to
// that index.
func mismatch(a, b []Entry) (index int, is bool) {
	for index = min(len(a), len(b)); index > 0; index-- {
		if a[index-1].Term == b[index-1].Term {
			return index, !slices.Equal(a[:index], b[:index])
		}
	}
	return 0, false
}

// onQuorum returns an error if the committed entries of a server are not in the logs of a majority. The log of a
// crashed server cannot be read, so the claim is not checked while a server is down.
func onQuorum(nodes []model.Node) error {
	if slices.Contains(nodes, nil) {
		return nil
	}
	for i, n := range nodes {
		committed, on := server(n).Log[:server(n).CommitIndex], 0
		for _, m := range nodes {
			if log := server(m).Log; len(log) >= len(committed) && slices.Equal(log[:len(committed)], committed) {
				on++
			}
		}
		if 2*on <= len(nodes) {
			return fmt.Errorf("s%d has committed %s, which %d of %d servers have", i+1, text(committed), on, len(nodes))
		}
	}
	return nil
}

// obedience checks that no server ignores a later term.
type obedience struct{}

func (*obedience) Observe(w model.Watch, o model.Observation) {
	switch m := o.Value.(type) {
	case Adopted:
		w.Witness()
	case Missed:
		w.Violate("it has received a message of term %d, and has not adopted the term", m.Term)
	}
}

// ofTerm returns an error if a server has voted, in its current term, for another server that has not reached the term.
func ofTerm(nodes []model.Node) error {
	for i, n := range nodes {
		if n == nil {
			continue
		}
		s := server(n)
		j, voted := s.VotedFor.Get()
		if voted && nodes[j] != nil && server(nodes[j]).CurrentTerm < s.CurrentTerm {
			return fmt.Errorf("s%d is in term %d, and its vote is for s%d, which is in term %d", i+1, s.CurrentTerm, j+1, server(nodes[j]).CurrentTerm)
		}
	}
	return nil
}

// byMajority returns an error if a majority of the servers cannot have voted for a leader. The term of a crashed server
// cannot be read, so the claim is not checked while a server is down.
func byMajority(nodes []model.Node) error {
	if slices.Contains(nodes, nil) {
		return nil
	}
	for i, n := range nodes {
		leader, votes := server(n), 0
		for _, m := range nodes {
			s := server(m)
			if s.CurrentTerm > leader.CurrentTerm || s.CurrentTerm == leader.CurrentTerm && s.VotedFor.Or(-1) == model.NodeID(i) {
				votes++
			}
		}
		if leader.State == Leader && 2*votes <= len(nodes) {
			return fmt.Errorf("s%d leads term %d, for which at most %d of %d servers have voted", i+1, leader.CurrentTerm, votes, len(nodes))
		}
	}
	return nil
}

// replicated returns an error if a follower of a leader's term, or of an earlier term, lacks an entry up to its matchIndex.
func replicated(nodes []model.Node) error {
	for i, n := range nodes {
		for j, m := range nodes {
			if n == nil || m == nil || server(n).State != Leader || server(m).CurrentTerm > server(n).CurrentTerm {
				continue
			}
			match := server(n).MatchIndex[model.NodeID(j)]
			if log := server(m).Log; len(log) < match || !slices.Equal(log[:match], server(n).Log[:match]) {
				return fmt.Errorf("s%d leads, and takes %s to be in the log of s%d, which is %s", i+1, text(server(n).Log[:match]), j+1, text(log))
			}
		}
	}
	return nil
}

// completeness checks that the leaders of later terms have all entries that were committed in a term.
type completeness struct{ Terms []Committed } // by term: the longest log that its leader has committed

func (c *completeness) Observe(w model.Watch, o model.Observation) {
	switch e := o.Value.(type) {
	case Committed:
		c.Terms = slices.DeleteFunc(c.Terms, func(at Committed) bool { return at.Term == e.Term })
		c.Terms = append(c.Terms, e)
		slices.SortFunc(c.Terms, func(a, b Committed) int { return a.Term - b.Term })
	case Elected:
		for _, at := range c.Terms {
			if at.Term >= e.Term {
				continue
			}
			w.Witness()
			if len(at.Entries) > len(e.Log) || !slices.Equal(at.Entries, e.Log[:len(at.Entries)]) {
				w.Violate("it leads term %d with the log %s, but %s was committed in term %d", e.Term, text(e.Log), text(at.Entries), at.Term)
				return
			}
		}
	}
}

// machines checks that no two servers apply different entries at one index.
type machines struct{ Entries []Entry } // the first applied entry of each index

func (m *machines) Observe(w model.Watch, o model.Observation) {
	e, ok := o.Value.(Applied)
	switch {
	case !ok:
	case e.Index > len(m.Entries):
		m.Entries = append(m.Entries, e.Entry)
	default:
		w.Witness()
		if first := m.Entries[e.Index-1]; first != e.Entry {
			w.Violate("it applies %s at index %d, at which %s was applied", e.Entry.text(), e.Index, first.text())
		}
	}
}

// decreases checks that no commit index decreases while its server is up.
type decreases struct{}

func (*decreases) Observe(w model.Watch, o model.Observation) {
	if m, ok := o.Value.(Moved); ok {
		w.Witness()
		if m.To < m.From {
			w.Violate("its commit index was %d and is %d", m.From, m.To)
		}
	}
}

// text returns the entry as violations print it.
func (e Entry) text() string {
	if j, is := e.Change.Get(); is {
		return fmt.Sprintf("{%d changes s%d}", e.Term, j+1)
	}
	return fmt.Sprintf("{%d %d}", e.Term, e.Value)
}

func text(log []Entry) string {
	texts := make([]string, len(log))
	for i, e := range log {
		texts[i] = e.text()
	}
	return "[" + strings.Join(texts, " ") + "]"
}
