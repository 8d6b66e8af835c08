package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/model"
)

// A Step is one move of a run as the search names it: by the event that it takes, without
// times.
type Step struct {
	Kind  model.EventKind
	Node  model.NodeID // -1 for an Expire
	From  model.NodeID
	Op    int
	Value any
	// Occurrence is the event's number among those of its kind, nodes and type, as traces
	// count them; 0 when no event is taken. What arrives once more after a restart keeps
	// its number.
	Occurrence int
	Claim      int // whose monitor's alarm an Expire is
	Picks      []Pick
	Delay      int // grid ticks before it
}

// A Pick is one answer that a step gave to a handler.
type Pick struct {
	Of, Is int
	Held   bool // of Held, about Key: 0 says that it lasts
	Key    any
	Node   model.NodeID // who held it; -1 for a monitor
	Claim  int          // whose monitor
}

// way takes a shortest way to a state again.
func (x *explorer) way(to print) route {
	for _, keys := range x.chains(to) {
		if r, ok := x.follow(keys); ok {
			return r
		}
	}
	panic(Disagreement{errors.New("a state was met, but no way to it is found again")})
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

// A route is a run that is being taken again: its steps, the messages in flight at the
// start and after each, and the state at its end.
type route struct {
	steps   []Step
	flights [][]Message
	v       []uint32
	cast    cast
}

// then is the route with a step more.
func (x *explorer) then(r route, s *successor) route {
	if r.v != nil {
		r.steps = append(r.steps, x.step(s.by, s.occurrence))
	}
	r.v, r.cast = s.v, x.after(r.cast, s.trail)
	sortCast(r.v[x.head:], r.cast.is)
	r.flights = append(r.flights, x.inFlight(r.v, r.cast))
	return r
}

// follow takes the steps that lead along the keys of states; false when there are none.
func (x *explorer) follow(keys []print) (route, bool) {
	var r route
	for i, key := range keys {
		next := x.successor(r, i == 0, func(w *worker, _ []uint32, k print) bool { return k == key })
		if next == nil {
			return r, false
		}
		r = x.then(r, next)
	}
	return r, true
}

// further takes a step more.
func (x *explorer) further(r route, wanted func(w *worker, v []uint32, key print) bool) (route, move) {
	next := x.successor(r, r.v == nil, wanted)
	if next == nil {
		panic(Disagreement{errors.New("a step was taken, but it is not found again")})
	}
	return x.then(r, next), next.by
}

// A successor is one of a state of a run that is taken again, or a first state, and the
// move to it.
type successor struct {
	v          []uint32
	trail      trail
	by         move
	occurrence int32 // of the event that the move takes
	sum        print
	name       string
}

func (s *successor) compare(t *successor) int {
	return cmp.Or(cmp.Compare(s.by.delay, t.by.delay), fingerprint.Compare(s.sum, t.sum), cmp.Compare(s.name, t.name))
}

// successor returns the wanted successor of a run's state, or first state; nil when there
// is none: of several the soonest, and then the least by print, so that it is the same
// whatever the numbers of the components.
func (x *explorer) successor(r route, first bool, wanted func(w *worker, v []uint32, key print) bool) (best *successor) {
	w, orbits := x.workers[0].worker, x.workers[0].orbits
	emit := w.emit
	defer func() { w.emit = emit }()
	w.emit = func(next []uint32) {
		key := w.sum
		if orbits != nil {
			key = orbits.key(next, key)
		}
		if !wanted(w, next, x.set.Stored(key)) {
			return
		}
		s := successorOf(w, next)
		if s.name = x.nameOf(s.by); best == nil || s.compare(best) < 0 {
			best = s
		}
	}
	w.track(r.cast, func() {
		if first {
			w.initial()
		} else {
			w.expand(r.v, w.printOfState(r.v))
		}
	})
	return best
}

// successor keeps the successor that was just made.
func successorOf(w *worker, v []uint32) *successor {
	m := w.move
	m.picks, m.broken = slices.Clone(m.picks), slices.Clone(m.broken)
	return &successor{v: slices.Clone(v), trail: w.tracker.saved(), by: m, occurrence: w.takes(m), sum: w.sum}
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
		r = x.way(c.key)
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
	pinned := c.pinned && x.workers[0].pendingEvent(r.v)
	return Candidate{Claim: c.claim, Text: c.text, Steps: r.steps, Nodes: x.nodeBytes(r.v), InFlight: r.flights, Loop: -1,
		Pinned: pinned, Parts: int64(x.refine.parts)}
}

func (x *explorer) step(m move, occurrence int32) Step {
	if m.kind >= passing {
		return Step{Kind: m.kind, Delay: int(m.delay)}
	}
	s := Step{Kind: m.kind, Delay: int(m.delay), Node: model.NodeID(m.slot), Occurrence: int(occurrence)}
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
func (x *explorer) inFlight(v []uint32, named cast) []Message {
	var out []Message
	for i, id := range v[x.head:] {
		if b := x.store.bases.items[x.store.flats[id].base]; model.EventKind(b.kind) == model.Deliver {
			out = append(out, Message{model.NodeID(b.from), model.NodeID(b.slot), x.decoded(b.value), int(named.is[i])})
		}
	}
	return out
}
