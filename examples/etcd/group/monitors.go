package group

import (
	"fmt"
	"strings"

	"contend/model"
)

// said scans what a program said.
func said(o model.Observation, kind model.ObservationKind, format string, into ...any) bool {
	text, is := o.Value.(string)
	if !is || o.Kind != kind {
		return false
	}
	_, err := fmt.Sscanf(text, format, into...)
	return err == nil
}

// leads reads the note of a server that leads a term.
func leads(o model.Observation) (term int, ok bool) {
	ok = said(o, model.Noted, "leader %d", &term)
	return term, ok
}

// An at is a state of the store: its revision, and that of the last compaction.
type at struct{ Revision, Compacted int }

// sameHash claims that stores with the same revision and compaction have the same hash.
type sameHash struct{ Of map[at]int }

func (m *sameHash) Observe(w model.Watch, o model.Observation) {
	var now at
	var hash int
	if !said(o, model.Noted, "hash %d %d %d", &now.Revision, &now.Compacted, &hash) {
		return
	}
	if m.Of == nil {
		m.Of = map[at]int{}
	}
	earlier, seen := m.Of[now]
	if seen {
		w.Witness()
	}
	if seen && earlier != hash {
		w.Violate("its store at revision %d has the hash %d, but there was one with %d", now.Revision, hash, earlier)
	}
	m.Of[now] = hash
}

// A change is a change that the holder of a lock has made.
type change struct{ Lock, Revision int }

// order claims that changes of holders are in the order of the revisions of their locks.
type order struct{ Of map[string][]change }

func (m *order) Observe(w model.Watch, o model.Observation) {
	var lock string
	var now change
	if !said(o, model.Returned, "held %s %d %d", &lock, &now.Lock, &now.Revision) {
		return
	}
	if m.Of == nil {
		m.Of = map[string][]change{}
	}
	for _, c := range m.Of[lock] {
		w.Witness()
		if c.Lock < now.Lock && c.Revision > now.Revision || c.Lock > now.Lock && c.Revision < now.Revision {
			w.Violate("the holder of %s %d changes revision %d, that of %d revision %d", lock, now.Lock, now.Revision, c.Lock, c.Revision)
		}
	}
	m.Of[lock] = append(m.Of[lock], now)
}

// answered is reached when two changes have been answered.
type answered struct{ Changes int }

func (a *answered) Observe(_ model.Watch, o model.Observation) {
	text, _ := o.Value.(string)
	if o.Kind == model.Returned && (strings.HasPrefix(text, "ok ") || strings.HasPrefix(text, "held ")) {
		a.Changes++
	}
}

// Reached implements [model.Goal].
func (a *answered) Reached() bool { return a.Changes >= 2 }
