package raft

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/claims"
)

// What servers note and deliver.
type (
	// Asked says that the server asks for votes.
	Asked struct{ Term int }
	// Appended says that the leader has appended the command of a client.
	Appended struct{ Index int }
	// Elected says that the server has become the leader of a term, with this log.
	Elected struct {
		Term int
		Log  []Entry
	}
	// Committed says that the leader of a term has committed these entries, the first of its log.
	Committed struct {
		Term    int
		Entries []Entry
	}
	// Removed says that the server deletes entries of its log.
	Removed struct{ Leads bool }
	// Moved says that commitIndex is another.
	Moved struct{ From, To int }
	// Applied is what is delivered: the entry with an index is applied to the state machine.
	Applied struct {
		Index int
		Entry Entry
	}
)

const (
	figure3 = "Ongaro–Ousterhout 2014, Figure 3"
	proofs  = "docs/proofs/raft.md#"

	durable   = "what is committed is on a quorum"
	monotonic = "the commit index never decreases"

	linearizable = "Linearizable Reads"
)

var claimed = []model.Claim{
	named("Election Safety", claims.From(claims.OneLeaderATerm(elected), figure3, proofs+"election-safety")),
	vacuous(rivals, model.Claim{
		Name: "Leader Append-Only", Kind: model.Always, Source: figure3, Proof: proofs + "leader-append-only",
		Monitor: func(*model.System) model.Monitor { return &appendOnly{} },
	}),
	{
		Name: "Log Matching", Kind: model.Always, Source: figure3, Proof: proofs + "log-matching",
		Invariant: logMatching,
	},
	vacuous(later, model.Claim{
		Name: "Leader Completeness", Kind: model.Always, Source: figure3, Proof: proofs + "leader-completeness",
		Monitor: func(*model.System) model.Monitor { return &completeness{} },
	}),
	vacuous(applied, model.Claim{
		Name: "State Machine Safety", Kind: model.Always, Source: figure3, Proof: proofs + "state-machine-safety",
		Monitor: func(*model.System) model.Monitor { return &machines{} },
	}),
	{
		Name: durable, Kind: model.Always, Source: "etcd, etcdraft.tla: QuorumLogInv",
		Proof: proofs + "leader-completeness", Invariant: onQuorum,
	},
	vacuous(committed, model.Claim{
		Name: monotonic, Kind: model.Always, Source: "Ongaro–Ousterhout 2014, Figure 2, commitIndex",
		Proof: proofs + "the-commit-index", Monitor: func(*model.System) model.Monitor { return &decreases{} },
	}),
	freshReads,
}

// What a configuration must have to put a claim to the test, or why it does not.
type needs func(c model.Config) (why string)

func vacuous(n needs, c model.Claim) model.Claim {
	c.Vacuous = func(s *model.System) string { return n(s.Config) }
	return c
}

// committed: there is an entry.
func committed(c model.Config) string {
	if Entries.Of(c) == 0 {
		return "no log has an entry"
	}
	return ""
}

// applied: two servers may apply it.
func applied(c model.Config) string {
	if c.N == 1 && c.Faults.Restarts == 0 {
		return "one server applies each entry once"
	}
	return committed(c)
}

// later: there is a leader after that of the first term.
func later(c model.Config) string {
	if Terms.Of(c) < 2 {
		return "there is one term"
	}
	return committed(c)
}

// rivals: one leader may have an entry that another does not know of. Where there are two servers, or one that times
// out, it does.
func rivals(c model.Config) string {
	if c.N < 3 || Candidates.Of(c) == 1 && c.Faults.Restarts == 0 {
		return "every leader has all entries"
	}
	return later(c)
}

func named(name string, c model.Claim) model.Claim {
	c.Name = name
	return c
}

func elected(o model.Observation) (term int, ok bool) {
	e, ok := o.Value.(Elected)
	return e.Term, ok
}

// appendOnly says that no leader deletes entries of its log.
type appendOnly struct{}

func (*appendOnly) Observe(w model.Watch, o model.Observation) {
	if r, ok := o.Value.(Removed); ok {
		w.Witness()
		if r.Leads {
			w.Violate("it leads, and deletes entries of its log")
		}
	}
}

// logMatching says that two logs which have an entry with the same index and term are identical
// up to it.
func logMatching(nodes []model.Node) error {
	for i, n := range nodes {
		for k, m := range nodes[:i] {
			if n == nil || m == nil {
				continue
			}
			if at, is := mismatch(of(n).Log, of(m).Log); is {
				return fmt.Errorf("s%d and s%d have an entry of one term at index %d, but other entries up to it", k+1, i+1, at)
			}
		}
	}
	return nil
}

// mismatch finds the last index at which two logs have an entry of one term, and compares them up to it.
func mismatch(a, b []Entry) (index int, is bool) {
	for index = min(len(a), len(b)); index > 0; index-- {
		if a[index-1].Term == b[index-1].Term {
			return index, !slices.Equal(a[:index], b[:index])
		}
	}
	return 0, false
}

// onQuorum says that what a server has committed is in the logs of a majority. While a server is down its log
// is not to be seen, and nothing is said.
func onQuorum(nodes []model.Node) error {
	if slices.Contains(nodes, nil) {
		return nil
	}
	for i, n := range nodes {
		committed, on := of(n).Log[:of(n).CommitIndex], 0
		for _, m := range nodes {
			if log := of(m).Log; len(log) >= len(committed) && slices.Equal(log[:len(committed)], committed) {
				on++
			}
		}
		if 2*on <= len(nodes) {
			return fmt.Errorf("s%d has committed %s, which %d of %d servers have", i+1, text(committed), on, len(nodes))
		}
	}
	return nil
}

// completeness says that what is committed in a term is in the logs of the leaders of later terms.
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

// machines says that no two servers apply different entries at one index.
type machines struct{ Entries []Entry } // the first that was applied at each index

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

// decreases says that no commit index becomes smaller while its server is up.
type decreases struct{}

func (*decreases) Observe(w model.Watch, o model.Observation) {
	if m, ok := o.Value.(Moved); ok {
		w.Witness()
		if m.To < m.From {
			w.Violate("its commit index was %d and is %d", m.From, m.To)
		}
	}
}

// text is an entry in a message.
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
