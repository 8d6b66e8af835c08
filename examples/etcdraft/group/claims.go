package group

import (
	"slices"

	"contend/examples/etcdraft/member"
	"contend/model"
)

const (
	figure3 = "Ongaro and Ousterhout, 2014, Figure 3"
	doc     = "go.etcd.io/raft/v3"
)

// The names of the claims.
const (
	electionSafety     = "Election Safety"
	appendOnly         = "Leader Append-Only"
	logMatching        = "Log Matching"
	leaderCompleteness = "Leader Completeness"
	stateMachine       = "State Machine Safety"
	commits            = "commit never regresses"
	linearizable       = "linearizable"
	quorums            = "quorums intersect"
)

// claims are those that the five of Figure 3 make, and two that every user relies on. That
// nothing panics is the claim of every protocol that no handler fails.
var claims = []model.Claim{
	{
		Name: electionSafety, Kind: model.Always,
		Source:  figure3 + `: "at most one leader can be elected in a given term. §5.2"`,
		Monitor: func(*model.System) model.Monitor { return &election{} },
	},
	{
		Name: appendOnly, Kind: model.Always,
		Source:  figure3 + `: "a leader never overwrites or deletes entries in its log; it only appends new entries. §5.3"`,
		Monitor: func(*model.System) model.Monitor { return &onlyAppends{} },
	},
	{
		Name: logMatching, Kind: model.Always,
		Source:    figure3 + `: "if two logs contain an entry with the same index and term, then the logs are identical in all entries up through the given index. §5.3"`,
		Invariant: logsMatch,
	},
	{
		Name: leaderCompleteness, Kind: model.Always,
		Source:  figure3 + `: "if a log entry is committed in a given term, then that entry will be present in the logs of the leaders for all higher-numbered terms. §5.4"`,
		Monitor: func(*model.System) model.Monitor { return &complete{} },
	},
	{
		Name: stateMachine, Kind: model.Always,
		Source:  figure3 + `: "if a server has applied a log entry at a given index to its state machine, no other server will ever apply a different log entry for the same index. §5.4.3"`,
		Monitor: func(*model.System) model.Monitor { return &machines{} },
	},
	{
		Name: commits, Kind: model.Always, Source: doc + ", log.go: commitTo, \"never decrease commit\"; beyond it: across crashes",
		Monitor: func(*model.System) model.Monitor { return &regresses{} },
	},
	{
		Name: linearizable, Kind: model.Linearizable,
		Source: doc + `, README.md: "Efficient linearizable read-only queries"; and appends, through the log`,
		Object: list,
	},
}

// election remembers who was elected in each term.
type election struct{ Leaders []leader }

type leader struct {
	Term uint64
	Node model.NodeID
}

func (e *election) Observe(w model.Watch, o model.Observation) {
	n, ok := o.Value.(member.Elected)
	if !ok || o.Kind != model.Noted {
		return
	}
	w.Witness()
	at, found := slices.BinarySearchFunc(e.Leaders, n.Term, func(l leader, term uint64) int { return int(l.Term) - int(term) })
	if !found {
		e.Leaders = slices.Insert(e.Leaders, at, leader{n.Term, o.Node})
	} else if first := e.Leaders[at].Node; first != o.Node {
		w.Violate("it is elected in term %d, in which p%d was", n.Term, first+1)
	}
}

// onlyAppends sees what a leader does to its log.
type onlyAppends struct{}

func (*onlyAppends) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case member.Wrote:
		w.Witness()
	case member.Overwrote:
		w.Violate("it leads, and its log was %v and is %v", n.Before, n.After)
	}
}

// regresses sees commit indices.
type regresses struct{}

func (*regresses) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case member.Committed:
		w.Witness()
	case member.Regressed:
		w.Violate("its commit index was %d and is %d", n.From, n.To)
	}
}

// machines remembers which entry was applied at each index, from index 2 on.
type machines struct{ Entries []member.Entry }

func (m *machines) Observe(w model.Watch, o model.Observation) {
	n, ok := o.Value.(member.Applied)
	if !ok {
		return
	}
	at, found := slices.BinarySearchFunc(m.Entries, n.Entry.Index, byIndex)
	if !found {
		m.Entries = slices.Insert(m.Entries, at, n.Entry)
		return
	}
	w.Witness()
	if first := m.Entries[at]; first != n.Entry {
		w.Violate("it applies %v, but %v was applied at that index", n.Entry, first)
	}
}

func byIndex(e member.Entry, index uint64) int { return int(e.Index) - int(index) }

// list is the object that the group replicates: a list, to which values are appended.
var list = model.Object{
	Name:  "list",
	Init:  member.Values(""),
	Types: []any{member.Values("")},
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		dropped := model.Effect{State: state, Result: member.Dropped{}}
		switch op := op.(type) {
		case member.Append:
			return []model.Effect{{State: with(state.(member.Values), op.Value), Result: member.Done{}}, dropped}
		case member.Read, member.ReadAgain, member.LogRead:
			return []model.Effect{{State: state, Result: state}, dropped}
		}
		return []model.Effect{{State: state, Result: member.Done{}}, dropped}
	},
}

func with(list member.Values, value string) member.Values {
	if list == "" {
		return member.Values(value)
	}
	return list + "," + member.Values(value)
}
