package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
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

// mostTried is how many states and steps are tried before no way to a state counts as found.
const mostTried = 1 << 20

// way takes a shortest way to a state again.
func (x *explorer) way(to fingerprint.Print) route {
	s := &seeker[route]{roots: x.roots, parents: x.parents, step: func(r route, key fingerprint.Print) (route, bool) {
		if r.v == nil && x.opt.From != nil {
			return x.beginning(), true
		}
		next := x.successor(r, r.v == nil, false, func(_ *step.Worker, _ []uint32, k fingerprint.Print) bool { return k == key })
		if next == nil {
			return route{}, false
		}
		return route{v: next.v, cast: x.then(r, next).cast}, true
	}}
	if keys, ok := s.seek(to); ok {
		if r, ok := x.follow(keys); ok {
			return r
		}
	}
	if s.tried >= mostTried {
		panic(Disagreement{fmt.Errorf("a state was met, but of the states and steps before it that names allow the first %d tried make no way", s.tried)})
	}
	panic(Disagreement{errors.New("a state was met, but no way to it is found again")})
}

// A seeker looks for a way from a root to a state, of which each key names its parents: one,
// unless two states go by one name. A parent that only goes by the name is a state that was met
// too, with a way of its own; that it is not the parent shows where no step leads on from it. So
// each state on the way is reached first, once, and then its step is tried: what is done grows
// with the length of the way and with how many names are shared, and not with the number of ways
// that names allow.
type seeker[S any] struct {
	roots   []fingerprint.Print
	parents func(of fingerprint.Print) []fingerprint.Print
	// step takes a state to its successor of a key, and the zero state to the first of that key.
	step  func(from S, key fingerprint.Print) (S, bool)
	tried int

	reached map[fingerprint.Print]*reached[S]
	further map[fingerprint.Print]bool // states of which a way is being sought: none leads through them
}

// reached is a state to which there is a way, by the state before it; nil before a root.
type reached[S any] struct {
	at   S
	key  fingerprint.Print
	from *reached[S]
}

// seek returns the keys of the states on a way.
func (s *seeker[S]) seek(to fingerprint.Print) (keys []fingerprint.Print, ok bool) {
	s.reached, s.further = map[fingerprint.Print]*reached[S]{}, map[fingerprint.Print]bool{}
	for r := s.reach(to); r != nil; r = r.from {
		keys = append(keys, r.key)
	}
	slices.Reverse(keys)
	return keys, len(keys) > 0
}

// reach returns a state with a way to it; nil where there is none.
func (s *seeker[S]) reach(key fingerprint.Print) *reached[S] {
	if r := s.reached[key]; r != nil {
		return r
	}
	s.tried++
	if slices.Contains(s.roots, key) {
		return s.then(nil, key)
	}
	s.further[key] = true
	defer delete(s.further, key)
	for _, parent := range s.parents(key) {
		if s.further[parent] || s.tried >= mostTried {
			continue
		}
		if from := s.reach(parent); from != nil {
			if r := s.then(from, key); r != nil {
				return r
			}
		}
	}
	return nil
}

// then tries the step from a state to a key, or to the root of that key; nil where there is none.
func (s *seeker[S]) then(from *reached[S], key fingerprint.Print) *reached[S] {
	var before S
	if from != nil {
		before = from.at
	}
	s.tried++
	at, ok := s.step(before, key)
	if !ok {
		return nil
	}
	r := &reached[S]{at, key, from}
	s.reached[key] = r
	return r
}

func (x *explorer) parents(of fingerprint.Print) []fingerprint.Print {
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
	boot    []Pick // the answers that Start was given as the run began
	steps   []Step
	flights [][]Message
	keys    []fingerprint.Print // of the states, the first one's first
	v       []uint32
	cast    step.Cast
}

// then is the route with a step more.
func (x *explorer) then(r route, s *successor) route {
	if r.v != nil {
		r.steps = append(r.steps, x.step(s.by, s.occurrence))
	} else {
		r.boot = x.pickedAll(s.by.Picks)
	}
	r.v, r.cast = s.v, x.After(r.cast, s.trail)
	step.SortCast(r.v[x.Head:], r.cast.Is)
	r.flights, r.keys = append(r.flights, x.inFlight(r.v, r.cast)), append(r.keys, s.key)
	return r
}

// follow takes the steps that lead along the keys of states; false when there are none.
func (x *explorer) follow(keys []fingerprint.Print) (route, bool) {
	var r route
	if x.opt.From != nil {
		r, keys = x.beginning(), keys[1:]
	}
	for _, key := range keys {
		next := x.successor(r, r.v == nil, false, func(w *step.Worker, _ []uint32, k fingerprint.Print) bool { return k == key })
		if next == nil {
			return r, false
		}
		r = x.then(r, next)
	}
	return r, true
}

// further takes a step more; whether it ends in a handler that fails is given.
func (x *explorer) further(r route, fails bool, wanted func(w *step.Worker, v []uint32, key fingerprint.Print) bool) (route, step.Move) {
	next := x.successor(r, r.v == nil, fails, wanted)
	if next == nil {
		panic(Disagreement{errors.New("a step was taken, but it is not found again")})
	}
	return x.then(r, next), next.by
}

// A successor is one of a state of a run that is taken again, or a first state, and the
// move to it.
type successor struct {
	v          []uint32
	trail      step.Trail
	by         step.Move
	occurrence int32 // of the event that the move takes
	sum        fingerprint.Print
	key        fingerprint.Print // by which the state is stored
	name       string
}

func (s *successor) compare(t *successor) int {
	return cmp.Or(cmp.Compare(s.by.Delay, t.by.Delay), fingerprint.Compare(s.sum, t.sum), cmp.Compare(s.name, t.name))
}

// successor returns the wanted successor of a run's state, or first state; nil when there
// is none: of several the soonest, and then the least by print, so that it is the same
// whatever the numbers of the components.
func (x *explorer) successor(r route, first, fails bool, wanted func(w *step.Worker, v []uint32, key fingerprint.Print) bool) (best *successor) {
	w, orbits := x.workers[0].Worker, x.workers[0].orbits
	emit, fail := w.Emit, w.Fail
	defer func() { w.Emit, w.Fail = emit, fail }()
	w.Emit = func(next []uint32) {
		key := w.Sum
		if orbits != nil && !fails {
			key = orbits.Key(next, key)
		}
		key = x.set.Stored(key)
		if !wanted(w, next, key) {
			return
		}
		s := successorOf(w, next)
		s.key = key
		if s.name = x.nameOf(s.by); best == nil || s.compare(best) < 0 {
			best = s
		}
	}
	if w.Fail = nil; fails {
		w.Emit, w.Fail = func([]uint32) {}, w.Emit
	}
	w.Track(r.cast, func() {
		if first {
			w.Initial()
		} else {
			w.Expand(r.v, w.PrintOfState(r.v))
		}
	})
	return best
}

// successor keeps the successor that was just made.
func successorOf(w *step.Worker, v []uint32) *successor {
	m := w.Move
	m.Picks, m.Broken = slices.Clone(m.Picks), slices.Clone(m.Broken)
	return &successor{v: slices.Clone(v), trail: w.Tracker.Saved(), by: m, occurrence: w.Takes(m), sum: w.Sum}
}

// nameOf names a move by its content.
func (x *explorer) nameOf(m step.Move) string {
	if m.Kind >= step.Passing {
		return fmt.Sprint(int(m.Kind), m.Delay)
	}
	b := x.Store.Bases.Items[m.Base]
	name := fmt.Sprint(m.Kind, m.Delay, m.Slot, b.Kind, b.Slot, b.From, b.Op, b.Pos, b.Optional, x.Values.Items[b.Value])
	for _, p := range m.Picks {
		held := x.Store.Bases.Items[p.Held]
		name += fmt.Sprint(p.Of, p.Is, held.Slot, x.Values.Items[held.Value])
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
		var by step.Move
		r, by = x.further(r, c.fails, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool {
			return slices.ContainsFunc(w.Move.Broken, c.shows)
		})
		b := by.Broken[slices.IndexFunc(by.Broken, c.shows)]
		if c.text = b.Text; b.Who >= 0 {
			c.text = x.Sys.Name(model.NodeID(b.Who)) + ": " + b.Text
		}
	} else if c.claim != x.failing() && x.claims[c.claim].Invariant != nil {
		for k, i := range x.workers[0].invs.claims {
			if i == c.claim {
				c.text, _ = x.workers[0].invs.judge(k, r.v)
			}
		}
	}
	pinned := c.pinned && x.workers[0].PendingEvent(r.v)
	out := Candidate{Claim: c.claim, Text: c.text, Boot: r.boot, Steps: r.steps, Nodes: x.nodeBytes(r.v), InFlight: r.flights, Loop: -1,
		NoReturn: x.noReturn(c.claim, r), Pinned: pinned, Parts: int64(x.Refine.Parts)}
	if c.fails {
		out.cutShort()
	}
	return out
}

// cutShort leaves open to what the last step has come, in which a handler fails.
func (c *Candidate) cutShort() { c.Nodes, c.InFlight = nil, c.InFlight[:len(c.InFlight)-1] }

func (x *explorer) step(m step.Move, occurrence int32) Step {
	if m.Kind >= step.Passing {
		return Step{Kind: m.Kind, Delay: int(m.Delay)}
	}
	s := Step{Kind: m.Kind, Delay: int(m.Delay), Node: model.NodeID(m.Slot), Occurrence: int(occurrence)}
	if m.Kind != model.Crash && m.Kind != model.Stop && m.Kind != model.Restart {
		b := x.Store.Bases.Items[m.Base]
		s.Node, s.From, s.Op, s.Value = model.NodeID(b.Slot), model.NodeID(b.From), int(b.Op), x.Decoded(b.Value)
		if m.Kind == model.Expire {
			s.Node, s.Claim = -1, x.claimOf[int(b.Slot)-x.N]
		}
	}
	s.Picks = x.pickedAll(m.Picks)
	return s
}

func (x *explorer) pickedAll(list []component.Pick) (all []Pick) {
	for _, p := range list {
		all = append(all, x.picked(p))
	}
	return all
}

func (x *explorer) picked(p component.Pick) Pick {
	out := Pick{Of: int(p.Of), Is: int(p.Is)}
	if p.Held == 0 {
		return out
	}
	b := x.Store.Bases.Items[p.Held]
	out.Held, out.Key, out.Node = true, x.Decoded(b.Value), model.NodeID(b.Slot)
	if int(b.Slot) >= x.N {
		out.Node, out.Claim = -1, x.claimOf[int(b.Slot)-x.N]
	}
	return out
}

// nodeBytes returns the canonical states of the nodes in a vector; nil when down.
func (x *explorer) nodeBytes(v []uint32) [][]byte {
	out := make([][]byte, x.N)
	for i := range out {
		if v[i] != component.Down {
			out[i] = []byte(x.Locals.Items[v[i]].Bytes)
		}
	}
	return out
}

// inFlight returns the messages pending in a vector.
func (x *explorer) inFlight(v []uint32, named step.Cast) []Message {
	var out []Message
	for i, id := range v[x.Head:] {
		if b := x.Store.Bases.Items[x.Store.Flats[id].Base]; model.EventKind(b.Kind) == model.Deliver {
			out = append(out, Message{model.NodeID(b.From), model.NodeID(b.Slot), x.Decoded(b.Value), int(named.Is[i])})
		}
	}
	return out
}
