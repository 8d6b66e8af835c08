package group

import (
	"slices"

	"contend/examples/etcdraft/member"
	"contend/model"
	claimed "contend/model/claims"
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
	inOrder            = "each entry is applied once, in order"
	handsOver          = "leadership is handed to who has the log"
	keepsTerm          = "PreVote and CheckQuorum keep the term"
	comesBack          = "what is written can be read"
	linearizable       = "linearizable"
)

// claims are the five claims of Figure 3, and two claims that every user relies on. The claim of every
// protocol that no handler fails covers panics.
var claims = []model.Claim{
	{
		Name: electionSafety, Kind: model.Always,
		Source:  figure3 + `: "at most one leader can be elected in a given term. §5.2"`,
		Monitor: func(*model.System) model.Monitor { return &election{} },
	},
	idle(model.Claim{
		Name: appendOnly, Kind: model.Always,
		Source:  figure3 + `: "a leader never overwrites or deletes entries in its log; it only appends new entries. §5.3"`,
		Monitor: sees(appends),
	}, func(c model.Config) bool { return Proposals.Of(c) == 0 }, "no value is appended"),
	{
		Name: logMatching, Kind: model.Always,
		Source:    figure3 + `: "if two logs contain an entry with the same index and term, then the logs are identical in all entries up through the given index. §5.3"`,
		Invariant: logsMatch,
	},
	idle(model.Claim{
		Name: leaderCompleteness, Kind: model.Always,
		Source:  figure3 + `: "if a log entry is committed in a given term, then that entry will be present in the logs of the leaders for all higher-numbered terms. §5.4"`,
		Monitor: func(*model.System) model.Monitor { return &complete{} },
	}, func(c model.Config) bool { return Led.Of(c)+Candidates.Of(c)*Campaigns.Of(c) < 2 }, "there is one leader at most"),
	{
		Name: stateMachine, Kind: model.Always,
		Source:  figure3 + `: "if a server has applied a log entry at a given index to its state machine, no other server will ever apply a different log entry for the same index. §5.4.3"`,
		Monitor: func(*model.System) model.Monitor { return &machines{} },
	},
	{
		Name: commits, Kind: model.Always, Source: doc + ", log.go: commitTo, \"never decrease commit\"; beyond it: across crashes",
		Monitor: sees(regresses),
	},
	{
		Name: inOrder, Kind: model.Always, Source: doc + ", doc.go: CommittedEntries are applied to the state machine",
		Monitor: sees(func(w model.Watch, v any) {
			switch n := v.(type) {
			case member.Applied:
				w.Witness()
			case member.Strayed:
				w.Violate("it applies the entry at %d after that at %d", n.Index, n.After)
			}
		}),
	},
	idle(model.Claim{
		Name: handsOver, Kind: model.Always,
		Source: `Ongaro, dissertation, 2014, §3.10: "The prior leader sends a TimeoutNow request" when the target's log matches its own`,
		Monitor: sees(func(w model.Watch, v any) {
			if n, ok := v.(member.Handed); ok {
				w.Witness()
				if n.Match < n.Last {
					w.Violate("it tells p%d to campaign, which has entries through %d of %d", n.To, n.Match, n.Last)
				}
			}
		}),
	}, func(c model.Config) bool { return Transfers.Of(c) == 0 }, "nobody hands over"),
	idle(model.Claim{
		Name: keepsTerm, Kind: model.Always,
		Source: `Ongaro, dissertation, 2014, §9.6; §4.2.3: "if a server receives a RequestVote request within the minimum election timeout of hearing from a current leader, it does not update its term or grant its vote"`,
		Monitor: sees(func(w model.Watch, v any) {
			if n, ok := v.(member.Granted); ok {
				w.Witness()
				if n.Did {
					w.Violate("it is asked for a vote, and changes its term or vote where it is to keep both")
				}
			}
		}),
	}, func(c model.Config) bool { return Ticks.Of(c) == 0 }, "no clock ticks"),
	idle(model.Claim{
		Name: comesBack, Kind: model.Always, Source: doc + ", README.md: the order in which the parts of a Ready are written",
		Monitor: sees(returns),
	}, func(c model.Config) bool { return Compact.Of(c) == 0 }, "nothing is compacted"),
	idle(model.Claim{
		Name: linearizable, Kind: model.Linearizable,
		Source: doc + `, README.md: "Efficient linearizable read-only queries"; and appends, through the log`,
		Object: list,
	}, func(c model.Config) bool { return Proposals.Of(c)+Reads.Of(c)+LogReads.Of(c) == 0 }, "nothing is appended or read"),
}

// idle returns the claim with a reason why some workloads do not exercise it.
func idle(c model.Claim, in func(c model.Config) bool, why string) model.Claim {
	return claimed.Vacuous(c, func(s *model.System) bool { return in(s.Config) }, why)
}

// election stores the elected peers of each term.
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

// A watcher remembers nothing: each observation is judged alone.
type watcher struct{ judge func(w model.Watch, v any) }

func (j *watcher) Observe(w model.Watch, o model.Observation) { j.judge(w, o.Value) }

func sees(judge func(w model.Watch, v any)) func(*model.System) model.Monitor {
	return func(*model.System) model.Monitor { return &watcher{judge} }
}

// appends witnesses that a leader appends to its log. It reports a violation if a leader overwrites entries.
func appends(w model.Watch, v any) {
	switch n := v.(type) {
	case member.Wrote:
		w.Witness()
	case member.Overwrote:
		w.Violate("it leads, and its log was %v and is %v", n.Before, n.After)
	}
}

// regresses sees commit indices.
func regresses(w model.Watch, v any) {
	switch n := v.(type) {
	case member.Committed:
		w.Witness()
	case member.Regressed:
		w.Violate("its commit index was %d and is %d", n.From, n.To)
	}
}

// returns counts peers that recover after a power failure between two writes.
func returns(w model.Watch, v any) {
	switch n := v.(type) {
	case member.Back:
		w.Witness()
	case member.Stranded:
		w.Violate("power failed between two writes, and the library panics at what is written: %s", n.Why)
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

// list is the object that the group replicates: a list with an append operation.
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
