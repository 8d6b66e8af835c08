package search

import (
	"fmt"
	"math"
	"testing"

	"contend/checker/search/component"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/value"
)

// A search whose table and layers do not fit into the memory goes on with files, and
// finds the same states, layer by layer, and the same counterexample.
func TestSpill(t *testing.T) {
	for name, c := range map[string]struct {
		p       *model.Protocol
		variant string
		config  model.Config
		claims  []string
		opt     Options
	}{
		"untimed":   {ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)), safety, Options{}},
		"grid":      {backoff.Protocol, "", model.Config{N: 2}.With(backoff.Tries.Is(2)), []string{"Lemma 1"}, Options{Timed: true}},
		"reduced":   {backoff.Protocol, "", model.Config{N: 3}.With(backoff.Tries.Is(2)), []string{"Lemma 1"}, Options{Timed: true, Symmetry: true, Clients: true, Stale: true}},
		"violation": {ricartagrawala.Protocol, "defer-on-tie", model.Config{N: 3}.With(model.Ops.Is(2)), safety, Options{}},
	} {
		s, claims := built(t, c.p, c.variant, c.config, c.claims...)
		whole := explore(t, s, c.opt, claims...)
		for _, workers := range []int{1, 3} {
			for _, wide := range []bool{false, true} {
				if !*full && wide == (workers == 1) {
					continue
				}
				t.Run(fmt.Sprintf("%s/workers=%d/wide=%v", name, workers, wide), func(t *testing.T) {
					opt := c.opt
					opt.Wide, opt.Workers = wide, workers
					opt.MaxMemory, opt.table, opt.chunks = 1<<40, 1<<16, 1<<14
					var spilled *Result
					tuned(t, atLeast, 5000, func() { spilled = explore(t, s, opt, claims...) }) // so that some begin again
					if spilled.DiskBytes == 0 {
						t.Fatal("nothing was spilled")
					}
					if a, b := fmt.Sprint(spilled.size(), spilled.Widths), fmt.Sprint(whole.size(), whole.Widths); a != b || spilled.Complete != whole.Complete {
						t.Errorf("with files %s, without %s", a, b)
					}
					for i := range claims {
						if a, b := fmt.Sprint(spilled.broken(i).Steps), fmt.Sprint(whole.broken(i).Steps); a != b {
							t.Errorf("claim %d is violated by %s, without files by %s", i, a, b)
						}
					}
				})
			}
		}
	}
}

// sorted has what was found in a layer sorted in stretches of about so many.
func sorted(most int64, what func()) {
	defer func(was int64) { mostSorted = was }(mostSorted)
	mostSorted = most
	what()
}

// States that are met again in later layers, as only files know, are told from new ones, in however many stretches they are sorted.
func TestSpillWhereStatesComeAgain(t *testing.T) {
	spilled := 0
	for seed := range uint64(few(40, 8)) {
		s, claims := somewhere(seed), []model.Claim{quiet(2), never(0)}
		if seed == 0 {
			s = turning()
		}
		opt := Options{Exact: true, MaxStates: 3_000}
		want := explore(t, s, opt, claims...)
		if !want.Limit.None() {
			continue
		}
		opt.MaxMemory, opt.table, opt.chunks = 1<<40, 1, 1
		for most, workers := range map[int64]int{1 << 20: 1, 29: 3, 3: 1} {
			opt.Workers = workers
			sorted(most, func() {
				tuned(t, 1, math.MaxInt64, func() {
					got := explore(t, s, opt, claims...)
					got.HandlerCalls = want.HandlerCalls
					if a, b := findings(got), findings(want); a != b {
						t.Errorf("system %d, %d sorted at once, %d workers: with files\n%s\nwithout\n%s", seed, most, workers, a, b)
					}
					if got.DiskBytes > 0 {
						spilled++
					}
				})
			})
		}
	}
	if spilled < 6 {
		t.Errorf("%d searches have files", spilled)
	}
}

// A search that a limit on states stops counts each state once, though only files know some of them.
func TestStoppedAndSpilled(t *testing.T) {
	s := turning()
	codec, err := value.For(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for most := int64(100); most < 1700; most += 50 {
		x := newExplorer(s, codec, nil, pure(Options{MaxStates: most, MaxMemory: 1 << 40, table: 1, chunks: 1}).withDefaults(), component.Closing, newGuesses())
		files, _, err := x.opt.directory()
		if err != nil {
			t.Fatal(err)
		}
		x.files, x.held.Directory = files, files
		met := map[string]bool{}
		x.observer = eachState(func(v []uint32) { met[vectorKey(v)] = true })
		r, err := x.attempt(nil)
		if err != nil || r.States != int64(len(met)) {
			t.Errorf("at most %d states: %d are counted, %d are there, %v", most, r.States, len(met), err)
		}
		files.Close()
	}
}

// When a layer ends no note says any more that its state is of the present layer, whoever of
// several workers found it, in a layer that is wide or narrow.
func TestNotesAreSettled(t *testing.T) {
	s, claims := built(t, backoff.Protocol, "", model.Config{N: 3}.With(backoff.Tries.Is(2)), "Lemma 1")
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	x := newExplorer(s, codec, claims, Options{Timed: true, Symmetry: true, Clients: true, Workers: 3}.withDefaults(), component.Closing, newGuesses())
	x.traversal.open()
	defer x.traversal.close()
	x.workers[0].begin()
	for more := true; more; {
		x.discrete().endLayer()
		for e := range x.set.Sorted {
			if e.Note&1 != 0 {
				t.Fatalf("after layer %d the note of %x says that it is of the present layer", len(x.res.Widths), e.A)
			}
		}
		if more = x.goesOn() && x.discrete().promote(); more {
			x.discrete().expandLayer()
		}
	}
}
