package world

import (
	"cmp"
	"slices"

	"contend/model"
)

// A Frozen is the state of an untimed run without claims, as a plain value: it determines what can happen next.
// It has indexes of nodes in place of node ids, so that a renaming does not change it.
type Frozen struct {
	Nodes   []FrozenNode
	Pending FrozenEvents
	Past    FrozenEvents // delivered to a node that may still crash and restart
	Budget  model.Faults
}

// A FrozenNode is a node with its application. Its states are results of [value.Codec.State].
type FrozenNode struct {
	State any // nil if down or Byzantine
	Kept  any // the state after a restart, if the node is down; nil if it does not restart
	Down  bool
	Holds Keys // the holds that may last
	Op    int  // the number of operations that have begun
	Busy  bool
}

// A FrozenEvent is a pending or a delivered event.
type FrozenEvent struct {
	Kind       model.EventKind
	Node, From int
	Value      any
	Op         int
	Optional   bool
	Place      int // the index of a message in its FIFO channel, from 1; otherwise 0
}

// FrozenEvents is a multiset of events.
type FrozenEvents []FrozenEvent

// Unordered implements [value.Unordered].
func (FrozenEvents) Unordered() {}

// Keys is a multiset of keys.
type Keys []any

// Unordered implements [value.Unordered].
func (Keys) Unordered() {}

// Frozen returns the state of the run. It panics with a Misuse if the world is timed or live, or has monitors.
func (w *World) Frozen() Frozen {
	if w.opt.Timed || len(w.monitors) > 0 || w.opt.Live != nil {
		model.Misused("a world that keeps time, watches claims or is live is not frozen")
	}
	f := Frozen{Budget: w.budget, Pending: w.frozenEvents(w.pending, true), Past: w.frozenEvents(w.past, false)}
	for _, n := range w.nodes {
		frozen := FrozenNode{Down: n.down, Op: n.op, Busy: n.busy}
		if n.live != nil {
			frozen.State = w.Codec.State(n.live)
		}
		if n.restart != nil {
			frozen.Kept = w.Codec.State(n.restart)
		}
		for _, h := range w.countdowns(n.holds) {
			frozen.Holds = append(frozen.Holds, h.Key)
		}
		f.Nodes = append(f.Nodes, frozen)
	}
	return f
}

func (w *World) frozenEvents(events []*Event, pending bool) (all FrozenEvents) {
	places := map[[2]model.NodeID]int{}
	for _, e := range events {
		f := FrozenEvent{Kind: e.Kind, Node: int(e.Node), From: int(e.From), Value: e.Value, Op: e.Op, Optional: e.Optional && pending}
		if pending && e.Kind == model.Deliver && !e.Optional && w.System.Network.Channel == model.FIFO {
			channel := [2]model.NodeID{e.From, e.Node}
			places[channel]++
			f.Place = places[channel]
		}
		all = append(all, f)
	}
	return all
}

// Thaw is the inverse of [World.Frozen]. The steps of the new world are numbered from 0, and its violations are
// lost.
func (x *Setting) Thaw(f Frozen) *World {
	w := &World{System: x.system, Codec: x.codec, opt: Options{Parts: 1}, setting: x, budget: f.Budget,
		Witnessed: map[string]bool{}, Cut: map[string]bool{}, names: map[name]int{}, current: &Record{}, informs: x.informs}
	for i, frozen := range f.Nodes {
		n := &node{down: frozen.Down, op: frozen.Op, busy: frozen.Busy, past: make([]int32, len(f.Nodes))}
		if frozen.State != nil {
			n.live = x.codec.WithState(x.nodes[i], frozen.State)
		}
		if frozen.Kept != nil {
			n.restart = x.codec.WithState(x.nodes[i], frozen.Kept)
		}
		for _, key := range frozen.Holds {
			w.setHold(&n.holds, string(x.codec.Any(key, nil)), model.Through(model.Forever))
		}
		w.nodes = append(w.nodes, n)
	}
	for _, id := range x.atBoot {
		if n := w.nodes[id]; n.op == 0 && !n.down {
			w.atBoot = append(w.atBoot, id)
		}
	}
	w.pending, w.past = w.thawed(f.Pending), w.thawed(f.Past)
	return w
}

func (w *World) thawed(events FrozenEvents) (all []*Event) {
	inPlace := slices.SortedStableFunc(slices.Values(events), func(a, b FrozenEvent) int { return cmp.Compare(a.Place, b.Place) })
	for _, f := range inPlace {
		all = append(all, &Event{Kind: f.Kind, Node: model.NodeID(f.Node), From: model.NodeID(f.From), Value: f.Value, Op: f.Op, Optional: f.Optional})
	}
	return all
}

// Drive adds an invocation or a release to the pending events of a node without a script, and returns its move.
// The caller acts as the application. It reports false if an operation of the node runs, the node is down, or
// operations at boot have yet to begin.
func (w *World) Drive(kind model.EventKind, id model.NodeID, op int, call any) (m Move, ok bool) {
	n := w.nodes[id]
	if w.Booting() || n.live == nil || n.busy || len(w.System.Nodes[id].Script) > 0 {
		return Move{}, false
	}
	e := w.event(Event{Kind: kind, Node: id, Op: op, Value: call})
	w.add(e)
	return Move{Kind: kind, Event: e}, true
}
