package world

import (
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// In a live world a handler runs on the state of its node itself, where it otherwise has a copy, and the state is not
// copied afterwards. The values that it is given and hands out are copied still, so that nodes share nothing. What a
// handler can tell is whether two fields of its node, or of a monitor, share what was assigned from one to the other, and
// whether something empty is nil within a slice or a map. Monitors share what they observe.

// done is a handler that a node ran, with the answers that it was given.
type done struct {
	call    call
	answers []answer
}

// become makes a node begin in a state.
func (n *node) become(from model.Node, codec *value.Codec) {
	n.live, n.from, n.did = codec.Fresh(from), from, n.did[:0]
}

// runLive is run in a live world. Where the state has to be as it was before the handler, the node is led there again.
func (w *World) runLive(id model.NodeID, choose Chooser, c call) error {
	n := w.nodes[id]
	before := w.opt.Purity.before(w, n, c)
	e := &environment{w: w, id: id, choose: choose, call: c, effects: w.opt.Live.effects[:0]}
	failed := e.run(n.live, c, w.Codec.Copy(c.given))
	n.left = w.opt.Purity.check(e, n.live, c, before, failed)
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
	n.did = append(n.did, done{c, e.answers})
	w.opt.Live.did[id], w.opt.Live.effects = n.did, e.effects
	for _, f := range e.effects {
		if f(); w.failed {
			break
		}
	}
	return nil
}

// rebuild leads a node back to its state before the handler that ran last.
func (w *World) rebuild(id model.NodeID) { w.nodes[id].live = w.rebuilt(id) }

// rebuilt runs the handlers of a node once more, from its beginning on, without their effects, on a state of its own. It shows no
// calls: whoever watches the handler that runs now may ask for it.
func (w *World) rebuilt(id model.NodeID) model.Node {
	n := w.nodes[id]
	state := w.Codec.Fresh(n.from)
	for _, d := range n.did {
		e := &environment{w: w, id: id, call: d.call, loan: guard.Lend(false, w.strays()), heard: heard{second: true, follows: d.answers}}
		guard.Call(func() { d.call.run(state, w.System.Drift.Env(e), e, w.Codec.Copy(d.call.given)) })
		w.Codec.Tidy(state)
	}
	return state
}

// A Room is what the steps of live worlds are taken in, where other worlds make it anew for each. It serves one world
// at a time: as the next one starts in it, the one before is of no more use.
type Room struct {
	moves   []Move
	record  Record
	did     [][]done
	effects []func()
	events  [][]Event // that were made, and room for more
	made    int       // in this run
}

// begin is called as a run begins.
func (r *Room) begin(nodes int) {
	r.made = 0
	for len(r.did) < nodes {
		r.did = append(r.did, nil)
	}
}

// block is how many events are made at a time.
const block = 64

// event makes an event.
func (w *World) event(e Event) *Event {
	r := w.opt.Live
	if r == nil {
		made := e
		return &made
	}
	if r.made == block*len(r.events) {
		r.events = append(r.events, make([]Event, block))
	}
	made := &r.events[r.made/block][r.made%block]
	r.made++
	*made = e
	return made
}

// roomForMoves is an empty list of moves.
func (w *World) roomForMoves() []Move {
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
