package world

import (
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// In a live world a handler runs on the state of its node itself, without copies of the state. Arguments and
// results are still copied, so nodes share nothing. A handler can detect the difference in two cases. Two
// fields of a node or a monitor may share a value that was assigned from one field to the other. An empty
// value within a slice or a map may be nil. Monitors share their observations.

// A handlerRun is a handler that a node ran, with its choices.
type handlerRun struct {
	call    call
	answers []answer
}

// become sets the initial state of a node.
func (n *node) become(from model.Node, codec *value.Codec) {
	n.live, n.shared, n.from, n.runs = codec.Fresh(from), false, from, n.runs[:0]
}

// runLive is run in a live world. If the handler fails or is cut, the previous state is computed again.
func (w *World) runLive(id model.NodeID, choose Chooser, c call) error {
	n := w.nodes[id]
	if w.setting.apart { // the object behind the node cannot go through its handlers again, but the node is small
		n.from, n.runs = w.Codec.Fresh(n.live), n.runs[:0]
	}
	before := w.opt.Purity.encodeInput(w, n, c)
	e := &environment{w: w, id: id, choose: choose, call: c, effects: w.opt.Live.effects[:0]}
	failed := e.run(n.live, c, w.Codec.Copy(c.arg))
	n.last = w.opt.Purity.check(e, n.live, c, before, failed)
	if failed != nil {
		w.rebuild(id)
		w.fail(e.describe(nil), failed)
		return nil
	}
	for _, c := range w.System.Cuts {
		if guard.Beyond(c, n.live) {
			w.Cut[c.Name] = true
			w.rebuild(id)
			return ErrCut{c.Name}
		}
	}
	w.Codec.Tidy(n.live)
	n.runs = append(n.runs, handlerRun{c, e.answers})
	w.opt.Live.runs[id], w.opt.Live.effects = n.runs, e.effects
	for _, f := range e.effects {
		if f(); w.failed {
			break
		}
	}
	return nil
}

// rebuild restores the state of a node before its last handler.
func (w *World) rebuild(id model.NodeID) { w.nodes[id].live = w.rebuilt(id) }

// rebuilt computes the present state of a node again by running its handlers without their effects. It does not
// set the cell, since it may run while another handler does.
func (w *World) rebuilt(id model.NodeID) model.Node {
	n := w.nodes[id]
	state := w.Codec.Fresh(n.from)
	for _, d := range n.runs {
		e := &environment{w: w, id: id, call: d.call, transcript: transcript{second: true, follows: d.answers}}
		e.loan.Begin(false, w.strays())
		guard.Call(func() { d.call.run(state, w.System.Drift.Env(e), e, w.Codec.Copy(d.call.arg)) })
		w.Codec.Tidy(state)
	}
	return state
}

// Buffers is the reusable memory of live worlds. It serves one world at a time: the start of a world ends the
// use of the previous one.
type Buffers struct {
	moves   []Move
	record  Record
	runs    [][]handlerRun
	effects []func()
	events  [][]Event // blocks of events
	used    int       // the number of events used in this run
}

// begin resets the buffers at the start of a run.
func (r *Buffers) begin(nodes int) {
	r.used = 0
	for len(r.runs) < nodes {
		r.runs = append(r.runs, nil)
	}
}

// Enliven makes a branch of a world a live world from here on: see [Options.Live].
func (w *World) Enliven(r *Buffers) {
	r.begin(len(w.nodes))
	w.opt.Live, w.opt.Trace, w.ToByzantine = r, false, nil
	for i, n := range w.nodes {
		if n.runs = r.runs[i]; n.live != nil {
			n.become(n.live, w.Codec)
		}
	}
}

// block is the number of events in a block.
const block = 64

// event allocates an event.
func (w *World) event(e Event) *Event {
	r := w.opt.Live
	if r == nil {
		made := e
		return &made
	}
	if r.used == block*len(r.events) {
		r.events = append(r.events, make([]Event, block))
	}
	made := &r.events[r.used/block][r.used%block]
	r.used++
	*made = e
	return made
}

// moveBuffer returns an empty slice of moves.
func (w *World) moveBuffer() []Move {
	r := w.opt.Live
	if r == nil {
		return make([]Move, 0, len(w.pending)+len(w.nodes))
	}
	r.moves = slices.Grow(r.moves[:0], 2*len(w.pending)+len(w.nodes))
	return r.moves
}

// record begins the record of a step.
func (w *World) record(r Record) {
	if w.opt.Live == nil {
		begun := r
		w.current = &begun
		return
	}
	was := &w.opt.Live.record
	r.Choices, r.Sent, r.Observations, r.Held, r.Armed = was.Choices[:0], was.Sent[:0], was.Observations[:0], was.Held[:0], was.Armed[:0]
	*was, w.current = r, was
}
