package search

import (
	"cmp"
	"fmt"
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

// way takes a shortest way to a state again. It returns the steps, the messages in
// flight at the start and after each, and the vector at the end.
func (x *explorer) way(to print) ([]Step, [][]Message, []uint32) {
	for _, keys := range x.chains(to) {
		if r, ok := x.follow(keys); ok {
			return r.steps, r.flights, r.v
		}
	}
	panic("a state was met, but no way to it is found again")
}

// chains returns the keys on the ways to a state that the parents' names allow: one way,
// unless two states go by one name.
func (x *explorer) chains(to print) [][]print {
	if slices.Contains(x.roots, to) {
		return [][]print{{to}}
	}
	var all [][]print
	for _, parent := range x.parents(to) {
		for _, c := range x.chains(parent) {
			all = append(all, append(c, to))
		}
	}
	return all
}

func (x *explorer) parents(of print) []print {
	note, ok, err := x.set.NoteOf(of)
	must(err)
	switch {
	case !ok:
		return nil
	case x.graph != nil:
		return x.graph.parent(note - 1)
	}
	all, err := x.set.Named(note >> 1)
	must(err)
	return all
}

// A route is a run that is being taken again.
type route struct {
	steps   []Step
	flights [][]Message
	v       []uint32
}

// follow takes the steps that lead along the keys of states; false when there are none.
func (x *explorer) follow(keys []print) (route, bool) {
	var r route
	for i, key := range keys {
		next, by, ok := x.successor(r.v, i == 0, func(w *worker, _ []uint32, k print) bool { return k == key })
		if !ok {
			return r, false
		}
		if i > 0 {
			r.steps = append(r.steps, x.step(by))
		}
		r.v, r.flights = next, append(r.flights, x.inFlight(next))
	}
	return r, true
}

// further takes a step more.
func (x *explorer) further(r route, wanted func(w *worker, v []uint32, key print) bool) (route, move) {
	next, by, ok := x.successor(r.v, r.v == nil, wanted)
	if !ok {
		panic("a step was taken, but it is not found again")
	}
	if r.v != nil {
		r.steps = append(r.steps, x.step(by))
	}
	return route{r.steps, append(r.flights, x.inFlight(next)), next}, by
}

// successor returns the wanted successor of a state, or first state, and the move to it:
// of several the soonest, and then the least by print, so that it is the same whatever
// the numbers of the components.
func (x *explorer) successor(v []uint32, first bool, wanted func(w *worker, v []uint32, key print) bool) (got []uint32, by move, ok bool) {
	w, orbits := x.workers[0].worker, x.workers[0].orbits
	emit := w.emit
	defer func() { w.emit = emit }()
	var sum print
	var name string
	w.emit = func(next []uint32) {
		key := w.sum
		if orbits != nil {
			key = orbits.key(next, key)
		}
		if !wanted(w, next, x.set.Stored(key)) {
			return
		}
		m := w.move
		m.picks = slices.Clone(m.picks)
		if ok {
			if c := cmp.Or(cmp.Compare(m.delay, by.delay), cmp.Compare(w.sum.A, sum.A)); c > 0 || c == 0 && x.nameOf(m) >= name {
				return
			}
		}
		got, by, sum, name, ok = w.sorted(next), m, w.sum, x.nameOf(m), true
	}
	if first {
		w.initial()
	} else {
		w.expand(v, w.printOfState(v))
	}
	return got, by, ok
}

// nameOf names a move by its content.
func (x *explorer) nameOf(m move) string {
	if m.kind >= passing {
		return fmt.Sprint(int(m.kind), m.delay)
	}
	b := x.store.bases.items[m.base]
	name := fmt.Sprint(m.kind, m.delay, m.slot, b.kind, b.slot, b.from, b.op, b.pos, b.optional, x.values.items[b.value])
	for _, p := range m.picks {
		held := x.store.bases.items[p.held]
		name += fmt.Sprint(p.of, p.is, held.slot, x.values.items[held.value])
	}
	return name
}

// retrace makes the run of a candidate.
func (x *explorer) retrace(c candidate) Candidate {
	var r route
	if !c.boot {
		r.steps, r.flights, r.v = x.way(c.key)
	}
	if c.step {
		breaks := func(b broken) bool { return b.monitor == c.monitor }
		var by move
		r, by = x.further(r, func(w *worker, _ []uint32, _ print) bool { return slices.ContainsFunc(w.move.broken, breaks) })
		b := by.broken[slices.IndexFunc(by.broken, breaks)]
		if c.text = b.text; b.who >= 0 {
			c.text = x.sys.Name(model.NodeID(b.who)) + ": " + b.text
		}
	} else if x.claims[c.claim].Invariant != nil {
		for k, i := range x.workers[0].invs.claims {
			if i == c.claim {
				c.text = x.workers[0].invs.judge(k, r.v)
			}
		}
	}
	return Candidate{Claim: c.claim, Text: c.text, Steps: r.steps, Nodes: x.nodeBytes(r.v), InFlight: r.flights, Loop: -1}
}

func (x *explorer) step(m move) Step {
	if m.kind >= passing {
		return Step{Kind: m.kind, Delay: int(m.delay)}
	}
	s := Step{Kind: m.kind, Delay: int(m.delay), Node: model.NodeID(m.slot)}
	if m.kind != model.Crash && m.kind != model.Restart {
		b := x.store.bases.items[m.base]
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
	b := x.store.bases.items[p.held]
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
		if b := x.store.bases.items[x.store.flats[id].base]; model.EventKind(b.kind) == model.Deliver {
			out = append(out, Message{model.NodeID(b.from), model.NodeID(b.slot), x.decoded(b.value)})
		}
	}
	return out
}
