package claims

import "contend/model"

// A Place is a position in the log of a server.
type Place struct {
	Node  model.NodeID
	Index int
}

// An Entry is an entry of a log: the term of the leader that created it, and its data.
type Entry struct {
	Term int
	Data string
}

// Logs has the entries of all servers. It is the state of a monitor.
type Logs struct {
	Of   map[Place]Entry
	Last map[model.NodeID]int // a server has no entry after this position
}

// follow updates the logs by an event of a server.
func (l *Logs) follow(n model.NodeID, e LogEvent) {
	if l.Of == nil {
		l.Of, l.Last = map[Place]Entry{}, map[model.NodeID]int{}
	}
	switch e.Kind {
	case LogOpened:
		l.cut(n, 0, l.Last[n])
	case EntriesDeleted:
		l.cut(n, e.Index, min(e.Last, l.Last[n]))
	case EntryStored:
		l.cut(n, e.Index, l.Last[n])
		l.Of[Place{n, e.Index}], l.Last[n] = Entry{e.Term, e.Data}, e.Index
	}
}

// cut removes the entries of a server between two positions.
func (l *Logs) cut(n model.NodeID, from, to int) {
	for i := from; i <= to; i++ {
		delete(l.Of, Place{n, i})
	}
}

// LogMatching claims that two logs with an entry of the same index and term are identical up to this entry (Figure
// 3). It needs LogOpened, EntryStored and EntriesDeleted. Kind always.
func (l ReplicatedLog) LogMatching() model.Claim {
	return l.claim("log matching", func() model.Monitor { return &matching{log: l} })
}

// matching compares each stored entry and the entry before it with those of the other servers. By induction that
// compares the logs up to the entry.
type matching struct {
	log  ReplicatedLog
	Logs Logs
}

func (m *matching) Observe(w model.Watch, o model.Observation) {
	if e, ok := m.log.See(o); ok {
		m.Logs.follow(o.Node, e)
		if e.Kind == EntryStored {
			m.Logs.compare(w, o.Node, e.Index)
		}
	}
}

// compare compares the entry of a server at an index with the entries of other servers.
func (l *Logs) compare(w model.Watch, n model.NodeID, index int) {
	mine := l.Of[Place{n, index}]
	before, has := l.Of[Place{n, index - 1}]
	for _, other := range sorted(l.Last) {
		its, is := l.Of[Place{other, index}]
		if other == n || !is || its.Term != mine.Term {
			continue
		}
		w.Witness()
		itsBefore, hasToo := l.Of[Place{other, index - 1}]
		if its != mine || has && hasToo && itsBefore.Term != before.Term {
			w.Violate("it has %q of term %d at index %d, after an entry of term %d, but another server has %q of this term there, after an entry of term %d",
				mine.Data, mine.Term, index, before.Term, its.Data, itsBefore.Term)
		}
	}
}

// LeaderCompleteness claims that the leader of a term has all entries that were committed in earlier terms (Figure 3).
// An entry that a server has applied was committed. The snapshot of a leader contains the entries that its log lacks up to
// the index at which the log ends. It needs LogOpened, EntryStored, EntriesDeleted, EntryApplied and LeaderElected.
// Kind always.
func (l ReplicatedLog) LeaderCompleteness() model.Claim {
	return l.claim("leader completeness", func() model.Monitor { return &complete{log: l, Applied: map[int]Entry{}} })
}

type complete struct {
	log     ReplicatedLog
	Logs    Logs
	Applied map[int]Entry
	Term    int // the latest term with a leader: a leader of an earlier term need not have its entries
}

func (c *complete) Observe(w model.Watch, o model.Observation) {
	e, ok := c.log.See(o)
	if !ok {
		return
	}
	c.Logs.follow(o.Node, e)
	switch {
	case e.Kind == EntryApplied:
		c.Applied[e.Index] = Entry{e.Term, e.Data}
	case e.Kind == LeaderElected && e.Term > c.Term:
		c.Term = e.Term
		c.leads(w, o.Node, e.Index)
	}
}

// leads compares the log of a new leader, which ends at last, with the committed entries.
func (c *complete) leads(w model.Watch, n model.NodeID, last int) {
	for _, i := range sorted(c.Applied) {
		is := c.Applied[i]
		if is.Term >= c.Term {
			continue
		}
		w.Witness()
		if kept, has := c.Logs.Of[Place{n, i}]; i > last || has && kept.Term != is.Term {
			w.Violate("it leads term %d without entry %d of term %d, %q, which was committed", c.Term, i, is.Term, is.Data)
		}
	}
}
