package search

import (
	"fmt"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/visited"
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
						if a, b := fmt.Sprint(spilled.Violated[i].Steps), fmt.Sprint(whole.Violated[i].Steps); a != b {
							t.Errorf("claim %d is violated by %s, without files by %s", i, a, b)
						}
					}
				})
			}
		}
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
	x := newExplorer(s, codec, claims, Options{Timed: true, Symmetry: true, Clients: true, Workers: 3}, component.Closing, newGuesses())
	x.set = visited.New(false, 3)
	defer x.set.Close()
	x.workers[0].begin()
	for more := true; more; {
		x.endLayer()
		for e := range x.set.Sorted {
			if e.Note&1 != 0 {
				t.Fatalf("after layer %d the note of %x says that it is of the present layer", len(x.res.Widths), e.A)
			}
		}
		if more = x.goesOn() && x.promote(); more {
			x.expandLayer()
		}
	}
}
