package claims

import "contend/model"

// A LogEventKind is the kind of a [LogEvent]: LogOpened, EntryStored, EntriesDeleted, EntryApplied, StateShown,
// TermEntered or LeaderElected.
type LogEventKind int

// The kinds of events.
const (
	// LogOpened: a server reads its log after a start. Its log is empty until it stores entries.
	LogOpened LogEventKind = iota + 1
	// EntryStored: the entry is in the log of the server, and the entries after it are not.
	EntryStored
	// EntriesDeleted: the entries from Index through Last are not in the log of the server. A snapshot may
	// contain their effects.
	EntriesDeleted
	// EntryApplied: the server applies the entry to its state machine, because the entry is committed.
	EntryApplied
	// StateShown: the state machine of the server has the state Data after the entry at Index.
	StateShown
	// TermEntered: the server is in the term Term.
	TermEntered
	// LeaderElected: the server leads the term Term, and its log ends at Index.
	LeaderElected
)

// A LogEvent is an event of a server that replicates a log, as Raft does. An entry has a position in the log, the
// term of the leader that created it, and its data. Fields that a kind does not name are zero.
type LogEvent struct {
	Kind  LogEventKind
	Index int // the position of an entry, 1 for the first
	Last  int // for EntriesDeleted
	Term  int
	Data  string
}

// A ReplicatedLog has claims about servers that replicate a log, as Raft does. The servers note what they store,
// apply and lead. Each claim needs the events that its comment names.
type ReplicatedLog struct {
	// See returns the event of the observed node in an observation, and false if there is none. The monitors
	// call it for each observation. It must be a pure function. [LogNotes] reads the notes of programs.
	See func(o model.Observation) (LogEvent, bool)
}

// claim returns a claim of kind always without assumptions.
func (l ReplicatedLog) claim(name string, monitor func() model.Monitor) model.Claim {
	return model.Claim{Name: name, Kind: model.Always, Monitor: func(*model.System) model.Monitor { return monitor() }}
}

// ElectionSafety claims that each term has at most one leader (Ongaro and Ousterhout 2014, Figure 3). It needs
// LeaderElected. Kind always.
func (l ReplicatedLog) ElectionSafety() model.Claim {
	c := OneLeaderATerm(func(o model.Observation) (int, bool) {
		e, ok := l.See(o)
		return e.Term, ok && e.Kind == LeaderElected
	})
	c.Name = "election safety"
	return c
}

// TermsGrow claims that the term of a server never decreases, also over a crash (Figure 2: currentTerm is on stable
// storage). It needs TermEntered. Kind always.
func (l ReplicatedLog) TermsGrow() model.Claim {
	return l.claim("terms grow", func() model.Monitor { return &terms{log: l, Of: map[model.NodeID]int{}} })
}

type terms struct {
	log ReplicatedLog
	Of  map[model.NodeID]int
}

func (t *terms) Observe(w model.Watch, o model.Observation) {
	e, ok := t.log.See(o)
	if !ok || e.Kind != TermEntered {
		return
	}
	w.Witness()
	if before := t.Of[o.Node]; e.Term < before {
		w.Violate("it was in term %d, and is in term %d", before, e.Term)
	}
	t.Of[o.Node] = e.Term
}

// StateMachineSafety claims that all servers apply the same data at an index (Figure 3). It needs EntryApplied. Kind
// always.
func (l ReplicatedLog) StateMachineSafety() model.Claim {
	return l.alike("state machine safety", EntryApplied)
}

// SameState claims that the state machines of all servers have the same state after the same entry. It needs
// StateShown. Kind always.
func (l ReplicatedLog) SameState() model.Claim { return l.alike("same state", StateShown) }

// alike claims that all events of a kind have the same data at an index.
func (l ReplicatedLog) alike(name string, kind LogEventKind) model.Claim {
	return l.claim(name, func() model.Monitor { return &alike{log: l, kind: kind, At: map[int]string{}} })
}

type alike struct {
	log  ReplicatedLog
	kind LogEventKind
	At   map[int]string // the first data at each index
}

func (a *alike) Observe(w model.Watch, o model.Observation) {
	e, ok := a.log.See(o)
	if !ok || e.Kind != a.kind {
		return
	}
	w.Witness()
	first, is := a.At[e.Index]
	switch {
	case !is:
		a.At[e.Index] = e.Data
	case first != e.Data:
		w.Violate("it has %q at index %d, but the first server there had %q", e.Data, e.Index, first)
	}
}
