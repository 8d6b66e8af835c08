// Package exemplar measures what a run shows: overlapping operations, faults, and progress after faults. The
// measures apply to any protocol (measure.go). A kind of run that a user can ask for is a condition and an
// order on measures (kinds.go).
package exemplar

import (
	"contend/model"
	"contend/model/describe"
	"contend/model/world"
)

// A Measures is the measures of one run.
type Measures struct {
	Steps      int
	Finished   bool // every script is complete, except on nodes that are down for good
	Operations int  // completed operations
	// Overlaps is the number of pairs of concurrent operations of different nodes. A critical
	// section is part of the operation that enters it.
	Overlaps   int
	InFlight   int                   // maximum number of messages in flight
	Deliveries int                   // of messages and of values to applications
	Faults     [model.EventKinds]int // moves of the environment, by kind
	// Heeded is the number of forged messages that changed their receiver or were answered.
	Heeded int
	// Within is the number of faults during some operation.
	Within int
	// After is the number of returns, delivered values and notes after the last fault.
	After int
}

// Of returns the measures of a run.
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

// A meter measures a run, record by record.
type meter struct {
	Measures
	system  *model.System
	running map[model.NodeID]bool // nodes with a running operation
	flying  map[*world.Event]bool
}

// operation processes the events of applications.
func (m *meter) operation(r world.Record) {
	switch r.Move.Kind {
	case model.Invoke:
		m.Overlaps += len(m.running) // pairs with operations that began earlier
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

// messages processes sends and deliveries.
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

// fault processes moves of the environment. A repair is no fault.
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
