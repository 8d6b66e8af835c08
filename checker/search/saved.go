package search

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/visited"
	"contend/model"
)

// saved is what a checkpoint keeps of a search, from which it goes on at the beginning of a layer.
type saved struct {
	header *checkpoint.Header

	Components components
	Held       map[uint32][]uint32
	After      map[uint32][]uint32
	Echoes     []savedEcho
	Calls      []savedEcho // of those, the ones that were absorbed in a state

	Spared, Unlike, Notes []string
	Exact                 bool
	Generated, States     int64
	HandlerCalls          int64
	Widths                []int64
	Cut                   map[string]int64
	Witnessed, Reached    map[int]bool
	Spurious              map[int]int
	Broken                []savedCandidate // that the interpreter confirmed
	Disputed              map[int]string
	Locked                int64
	Roots, Finals         [][2]uint64

	Set   []visited.Saved
	Layer frontier.Saved
}

// components are the contents of a store as a checkpoint keeps them: in the order of
// their numbers.
type components struct {
	Values []string
	Bases  [][8]int64
	Parts  [][3]int64
	Slots  []int16
	Locals []string
	Seen   [][5]int64
	Pasts  []string
}

// A savedEcho is an echo, and whether it is one.
type savedEcho struct {
	State, Trigger, Answered uint32
	Is                       bool
}

// A savedCandidate is a candidate.
type savedCandidate struct {
	Claim, Monitor int
	Text           string
	KeyA, KeyB     uint64
	Step, Boot     bool
}

func savedPrints(list []print) [][2]uint64 {
	var out [][2]uint64
	for _, p := range list {
		out = append(out, [2]uint64{p.A, p.B})
	}
	return out
}

func loadedPrints(list [][2]uint64) []print {
	var out []print
	for _, p := range list {
		out = append(out, print{A: p[0], B: p[1]})
	}
	return out
}

func (st *store) save() components {
	c := components{Values: st.values.items, Pasts: st.pasts.items}
	for _, b := range st.bases.items {
		optional := int64(0)
		if b.optional {
			optional = 1
		}
		c.Bases = append(c.Bases, [8]int64{int64(b.kind), optional, int64(b.slot), int64(b.from), int64(b.op), int64(b.pos), int64(b.value), int64(b.past)})
	}
	for _, p := range st.parts.items {
		c.Parts = append(c.Parts, [3]int64{int64(p.base), int64(p.lo), int64(p.hi)})
	}
	for _, l := range st.locals.items {
		c.Slots, c.Locals = append(c.Slots, l.slot), append(c.Locals, l.bytes)
	}
	for _, o := range st.seen.items {
		c.Seen = append(c.Seen, [5]int64{int64(o.kind), int64(o.node), int64(o.op), int64(o.value), int64(o.past)})
	}
	return c
}

func loadedBase(b [8]int64) base {
	return base{kind(b[0]), b[1] == 1, int16(b[2]), int16(b[3]), int16(b[4]), int16(b[5]), uint32(b[6]), uint32(b[7])}
}

// restore gives every component the number that it had. What a new store holds already
// comes first in any.
func (st *store) restore(c *components) {
	for _, v := range c.Values {
		st.values.id(v)
	}
	for _, p := range c.Pasts[len(st.pasts.items):] {
		st.pasts.id(p)
		st.pastPrints = append(st.pastPrints, fingerprint.Of(append([]byte{'A'}, p...)))
	}
	for _, b := range c.Bases {
		st.bases.id(loadedBase(b))
	}
	for _, b := range st.bases.items[len(st.triggers):] {
		b.optional, b.pos, b.past = false, 0, 0
		st.triggers = append(st.triggers, st.bases.id(b))
	}
	for _, p := range c.Parts[1:] {
		st.part(part{base: uint32(p[0]), lo: int32(p[1]), hi: int32(p[2])})
	}
	for i, l := range c.Locals[1:] {
		st.local(c.Slots[i+1], []byte(l))
	}
	for _, o := range c.Seen {
		st.seen.id(observation{model.ObservationKind(o[0]), int16(o[1]), int16(o[2]), uint32(o[3]), uint32(o[4])})
	}
}

// save writes what was absorbed so far into a checkpoint, and restore takes it from there.
func (a *absorber) save(c *saved) {
	c.Held, c.After = a.held, a.after
	for e, is := range a.echoes {
		c.Echoes = append(c.Echoes, savedEcho{e.state, e.trigger, e.answered, is})
	}
	for _, echoes := range a.calls {
		for _, e := range echoes {
			c.Calls = append(c.Calls, savedEcho{e.state, e.trigger, e.answered, true})
		}
	}
}

func (a *absorber) restore(c *saved) {
	a.held, a.after = notNil(c.Held), notNil(c.After)
	for _, e := range c.Echoes {
		a.echoes[echo{e.State, e.Trigger, e.Answered}] = e.Is
	}
	for _, e := range c.Calls {
		a.calls[e.State] = append(a.calls[e.State], echo{e.State, e.Trigger, e.Answered})
	}
}

// describe lists everything but the states.
func (x *explorer) describe() *saved {
	c := &saved{
		Components: x.store.save(),
		Spared:     slices.Sorted(maps.Keys(x.guessed.spared)), Unlike: x.guessed.unlikeNames(), Notes: x.guessed.notes, Exact: x.opt.Exact,
		Generated: x.before.generated, States: x.states, HandlerCalls: x.before.calls, Widths: x.res.Widths, Cut: x.res.Cut, Witnessed: x.res.Witnessed,
		Reached: x.res.Reached, Spurious: x.res.Spurious, Disputed: x.res.Disputed, Locked: x.locked, Roots: savedPrints(x.roots), Finals: savedPrints(x.finals),
	}
	if x.absorber != nil {
		x.absorber.save(c)
	}
	for _, b := range x.confirmed {
		c.Broken = append(c.Broken, savedCandidate{b.claim, b.monitor, b.text, b.key.A, b.key.B, b.step, b.boot})
	}
	return c
}

// restore makes the explorer what it was when it wrote a checkpoint. Every file is read from its
// beginning to its end before the search goes on.
func (x *explorer) restore(c *saved) error {
	x.store.restore(&c.Components)
	if x.absorber != nil {
		x.absorber.restore(c)
	}
	x.generated.Store(c.Generated)
	x.states, x.calls, x.roots, x.finals, x.judged = c.States, c.HandlerCalls, loadedPrints(c.Roots), loadedPrints(c.Finals), len(c.Finals)
	x.before, x.spent = counts{c.Generated, c.HandlerCalls}, c.header.Spent
	r := x.res
	r.Widths, r.Depth, r.Cut = c.Widths, len(c.Widths)-1, notNil(c.Cut)
	r.Witnessed, r.Reached, r.Spurious, r.Disputed = notNil(c.Witnessed), notNil(c.Reached), notNil(c.Spurious), notNil(c.Disputed)
	x.locked = c.Locked
	r.Notes = append(r.Notes, fmt.Sprintf("it went on from layer %d, with %d states and after %v", c.header.Layer, c.States, c.header.Spent.Round(time.Second)))
	x.exact = x.opt.Exact || x.states < exactUntil
	for _, s := range x.workers {
		s.refresh()
		for i := range x.claims {
			s.reached[i] = r.Reached[i]
		}
	}
	if err := x.restoreStates(c); err != nil {
		return badCheckpoint("resume: %w", err)
	}
	for _, broken := range c.Broken {
		x.confirm(candidate{broken.Claim, broken.Monitor, broken.Text, print{A: broken.KeyA, B: broken.KeyB}, broken.Step, broken.Boot})
	}
	return nil
}

// restoreStates loads the set and the layer.
func (x *explorer) restoreStates(c *saved) error {
	x.set.BeginLayer(len(c.Widths))
	if err := x.set.Load(x.files, c.Set); err != nil {
		return err
	}
	if err := x.set.Verify(); err != nil {
		return err
	}
	if err := x.layer.Load(&x.held, c.Layer); err != nil {
		return err
	}
	return x.layer.Verify()
}

func notNil[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

func (g guesses) unlikeNames() []string { return slices.Sorted(maps.Keys(g.unlike)) }

func (c *saved) guesses() guesses {
	g := newGuesses()
	for _, name := range c.Spared {
		g.spared[name] = true
	}
	for _, name := range c.Unlike {
		g.unlike[name] = true
	}
	g.notes = c.Notes
	return g
}
