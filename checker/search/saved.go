package search

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"contend/checker/search/checkpoint"
	"contend/checker/search/frontier"
	"contend/checker/search/visited"
)

// saved is what a checkpoint keeps of a search, from which it goes on at the beginning of a layer.
type saved struct {
	header *checkpoint.Header

	Components components
	Absorbed   absorbed

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

// describe lists everything but the states.
func (x *explorer) describe() *saved {
	c := &saved{
		Components: x.store.save(),
		Spared:     slices.Sorted(maps.Keys(x.guessed.spared)), Unlike: x.guessed.unlikeNames(), Notes: x.guessed.notes, Exact: x.opt.Exact,
		Generated: x.before.generated, States: x.states, HandlerCalls: x.before.calls, Widths: x.res.Widths, Cut: x.res.Cut, Witnessed: x.res.Witnessed,
		Reached: x.res.Reached, Spurious: x.res.Spurious, Disputed: x.res.Disputed, Locked: x.locked, Roots: savedPrints(x.roots), Finals: savedPrints(x.finals),
	}
	if x.absorber != nil {
		c.Absorbed = x.absorber.save()
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
		x.absorber.restore(&c.Absorbed)
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
	}
	if err := x.restoreStates(c); err != nil {
		return badCheckpoint("resume: %w", err)
	}
	for _, broken := range c.Broken {
		x.confirm(candidate{claim: broken.Claim, monitor: broken.Monitor, text: broken.Text, key: print{A: broken.KeyA, B: broken.KeyB}, step: broken.Step, boot: broken.Boot})
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
