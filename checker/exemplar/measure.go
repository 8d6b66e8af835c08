// Package exemplar says what a run shows: how much its operations overlap, which faults strike, what
// follows them. Everything is measured on the run itself, of any protocol (measure.go), and the kinds of
// runs that people ask for are chosen by these measures (kinds.go).
package exemplar

import (
	"contend/model"
	"contend/model/describe"
	"contend/model/world"
)

// Measures are those of one run.
type Measures struct {
	Steps      int
	Finished   bool // every script is done, but those of nodes that are down for good
	Operations int  // that returned
	// Overlaps counts the pairs of operations of different nodes each of which began before the other
	// was over. A critical section is part of the operation that entered it.
	Overlaps   int
	InFlight   int                   // most messages at once
	Deliveries int                   // of messages and of values to applications
	Faults     [model.EventKinds]int // moves of the environment, by kind
	// Heeded counts the forged messages that changed their receiver, or that it answered.
	Heeded int
	// Within counts the faults that struck while an operation ran.
	Within int
	// After counts what came of the run after its last fault: operations that return, values that
	// are delivered, and what nodes note.
	After int
}

// Of measures a run.
func Of(s *model.System, records []world.Record, finished bool) Measures {
	m := &meter{system: s, running: map[model.NodeID]bool{}, flying: map[*world.Event]bool{}}
	m.Steps, m.Finished = len(records), finished
	for _, r := range records {
		m.fault(r) // before the operation that it may end
		m.operation(r)
		m.messages(r)
	}
	return m.Measures
}

// meter follows a run.
type meter struct {
	Measures
	system  *model.System
	running map[model.NodeID]bool // nodes with an operation that is not over
	flying  map[*world.Event]bool
}

// operation takes in what begins and ends at an application.
func (m *meter) operation(r world.Record) {
	switch r.Move.Kind {
	case model.Invoke:
		m.Overlaps += len(m.running) // those that began before it; later ones count it
		m.running[r.Node] = true
	case model.Return:
		m.Operations++
		if m.system.Nodes[r.Node].Script[r.Move.Event.Op].Release == nil {
			delete(m.running, r.Node)
		}
	case model.Release, model.Crash, model.Stop:
		delete(m.running, r.Node)
	}
	for _, o := range r.Observations {
		switch o.Kind {
		case model.Delivered:
			m.Deliveries++
			m.After++
		case model.Returned, model.Noted:
			m.After++
		}
	}
}

// messages takes in what is sent and arrives.
func (m *meter) messages(r world.Record) {
	if r.Move.Kind == model.Deliver {
		delete(m.flying, r.Move.Event)
	}
	for _, e := range r.Gone {
		delete(m.flying, e)
	}
	for _, e := range r.Sent {
		if e.Kind == model.Deliver {
			m.flying[e] = true
		}
	}
	m.InFlight = max(m.InFlight, len(m.flying))
}

// fault takes in what the environment does. What undoes a fault is none.
func (m *meter) fault(r world.Record) {
	kind := r.Move.Kind
	if !kind.Adversarial() {
		return
	}
	m.Faults[kind]++
	if kind == model.Restart {
		return
	}
	m.After = 0
	if kind == model.Forge && (len(r.Sent) > 0 || len(describe.Diff(r.Before, r.After, m.system.Name)) > 0) {
		m.Heeded++
	}
	if len(m.running) > 0 {
		m.Within++
	}
}
