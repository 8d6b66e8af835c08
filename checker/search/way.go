package search

import (
	"slices"

	"contend/model"
)

// A Step is one move of a run as the search names it: by content, without times.
type Step struct {
	Kind  model.EventKind
	Node  model.NodeID // -1 for an Expire
	From  model.NodeID
	Op    int
	Value any
	Claim int // whose monitor's alarm an Expire is
	Picks []Pick
	Delay int // grid ticks before it
}

// A Pick is one answer that a step gave to a handler.
type Pick struct {
	Of, Is int
	Held   bool // of Held, about Key: 0 says that it lasts
	Key    any
	Node   model.NodeID // who held it; -1 for a monitor
	Claim  int          // whose monitor
}

// way takes the way to a state again, from the root along the recorded numbers of
// successors, and with ordinal one step further. It returns the steps, the messages
// in flight at the start and after each, and the vector at the end.
func (x *explorer) way(to, ordinal uint32) ([]Step, [][]Message, []uint32) {
	if ordinal != none {
		return x.wayOn(to, []uint32{ordinal})
	}
	return x.wayOn(to, nil)
}

// wayOn is way with any number of steps further.
func (x *explorer) wayOn(to uint32, further []uint32) ([]Step, [][]Message, []uint32) {
	var ordinals []uint32
	for n := to; n != root; n = x.set.parents[n] {
		ordinals = append(ordinals, x.set.ordinal[n])
	}
	slices.Reverse(ordinals)
	ordinals = append(ordinals, further...)
	saved, movable, cuts, emitted := x.emit, x.movable, x.cuts, x.emitted
	defer func() { x.emit, x.movable, x.cuts, x.emitted = saved, movable, cuts, emitted }()
	var v []uint32
	var steps []Step
	var flights [][]Message
	for i, want := range ordinals {
		got, m := x.successor(v, i == 0, want)
		if i > 0 {
			steps = append(steps, x.step(m))
		}
		flights = append(flights, x.inFlight(got))
		v = got
	}
	return steps, flights, v
}

// successor returns the successor of a state with a number, and the move to it.
func (x *explorer) successor(v []uint32, first bool, want uint32) ([]uint32, move) {
	var got []uint32
	var by move
	x.emitted = 0
	x.emit = func(next []uint32) {
		if x.emitted == want {
			got, by = slices.Clone(next), x.move
			by.picks = slices.Clone(by.picks)
		}
	}
	if first {
		x.initial()
	} else {
		x.expand(v)
	}
	return got, by
}

func (x *explorer) step(m move) Step {
	s := Step{Kind: m.kind, Delay: int(m.delay), Node: model.NodeID(m.slot)}
	if m.kind != model.Crash && m.kind != model.Restart {
		b := x.bases.items[m.base]
		s.Node, s.From, s.Op, s.Value = model.NodeID(b.slot), model.NodeID(b.from), int(b.op), x.decoded(b.value)
		if m.kind == model.Expire {
			s.Node, s.Claim = -1, x.claimOf[int(b.slot)-x.n]
		}
	}
	for _, p := range m.picks {
		s.Picks = append(s.Picks, x.picked(p))
	}
	return s
}

func (x *explorer) picked(p pick) Pick {
	out := Pick{Of: int(p.of), Is: int(p.is)}
	if p.held == 0 {
		return out
	}
	b := x.bases.items[p.held]
	out.Held, out.Key, out.Node = true, x.decoded(b.value), model.NodeID(b.slot)
	if int(b.slot) >= x.n {
		out.Node, out.Claim = -1, x.claimOf[int(b.slot)-x.n]
	}
	return out
}

// nodeBytes returns the canonical states of the nodes in a vector; nil when down.
func (x *explorer) nodeBytes(v []uint32) [][]byte {
	out := make([][]byte, x.n)
	for i := range out {
		if v[i] != down {
			out[i] = []byte(x.locals.items[v[i]].bytes)
		}
	}
	return out
}

// inFlight returns the messages pending in a vector.
func (x *explorer) inFlight(v []uint32) []Message {
	var out []Message
	for _, id := range v[x.head:] {
		if b := x.bases.items[x.flat[id].base]; model.EventKind(b.kind) == model.Deliver {
			out = append(out, Message{model.NodeID(b.from), model.NodeID(b.slot), x.decoded(b.value)})
		}
	}
	return out
}
