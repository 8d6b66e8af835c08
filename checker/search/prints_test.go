package search

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/impl/backoff"
	"contend/model"
)

// causally adds causal pasts to the states.
var causally = model.Claim{
	Name: "informed", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &informed{} },
	Causal: func(o model.Observation) bool { return o.Kind == model.Invoked || o.Kind == model.Noted },
}

// The print that a successor is handed on with is summed up step by step. It is that of
// its components, summed up anew: with every channel, fault and timer, with causal
// pasts, and where monitors have a choice.
func TestPrintsAreKeptUp(t *testing.T) {
	successors, channels, faults, branches, crashed := map[bool]int{}, map[model.Channel]int{}, map[model.Faults]int{}, 0, 0
	for seed := range uint64(100) {
		s := somewhere(seed)
		opt := Options{Timed: seed/3%2 == 0, Stale: seed/6%2 == 0}
		claims := gossiping
		if seed%5 == 0 {
			claims = append([]model.Claim{causally}, gossiping...)
		}
		walked(t, s, claims, opt, 400, func(w *step.Worker, v []uint32) {
			if w.Sum != w.PrintOfState(v) {
				t.Fatalf("seed %d, %+v, %v, %+v, after %+v: the print is %x, but that of the components %x",
					seed, opt, s.Network.Channel, s.Faults, w.Move, w.Sum, w.PrintOfState(v))
			}
			successors[opt.Timed]++
			channels[s.Network.Channel]++
			faults[s.Faults]++
			if w.Move.Kind != model.Forge && len(w.Move.Picks) > 1 {
				branches++
			}
			if w.Move.Kind == model.Restart || w.Move.Kind == model.Crash {
				crashed++
			}
		})
	}
	t.Logf("%d successors untimed, %d timed; %v; %v; %d after several choices, %d crashes and restarts",
		successors[false], successors[true], channels, faults, branches, crashed)
	if len(channels) < 3 || len(faults) < 5 || min(successors[false], successors[true], branches, crashed) < 100 {
		t.Error("too few successors of some kind")
	}
}

// No two states of a system have one print, nor one half of it.
func TestPrintsTellStatesApart(t *testing.T) {
	for seed := range uint64(few(50, 40)) {
		r, _ := walked(t, somewhere(seed), gossiping, Options{Timed: seed/3%2 == 0}, 1000, func(*step.Worker, []uint32) {})
		firsts, seconds := map[uint64]bool{}, map[uint64]bool{}
		for _, p := range r.keys {
			firsts[p.A], seconds[p.B] = true, true
		}
		if len(firsts) != len(r.keys) || len(seconds) != len(r.keys) {
			t.Fatalf("seed %d: %d states have %d prints, and %d second halves", seed, len(r.keys), len(firsts), len(seconds))
		}
	}
}

// A state's print is of its content: it is the same whatever numbers components have.
func TestPrintsAreOfContent(t *testing.T) {
	for seed := range uint64(20) {
		var all [2]map[fingerprint.Print]bool
		for i := range all {
			r, ok := walked(t, somewhere(seed), gossiping, Options{Timed: seed/3%2 == 0}, 1000, func(w *step.Worker, _ []uint32) {
				w.Ask(func() {
					for k := range i * 3 { // what takes up numbers
						w.Store.Local(0, fmt.Append(nil, "local", k, len(w.Store.Locals.Items)))
						w.Store.Pending(w.Store.Base(component.Base{Value: w.Value(fmt.Sprint(k, len(w.Store.Locals.Items)))}), model.Anytime())
					}
				})
			})
			if all[i] = map[fingerprint.Print]bool{}; !ok {
				continue
			}
			for _, p := range r.keys {
				all[i][p] = true
			}
		}
		if !maps.Equal(all[0], all[1]) {
			t.Fatalf("seed %d: the prints of %d states depend on numbers", seed, len(all[0]))
		}
	}
}

// Fingerprints of 128 bits change no count.
func TestWideFingerprintsChangeNoCount(t *testing.T) {
	crowded := 0
	compare := func(name string, s *model.System, claims []model.Claim, opt Options) {
		opt.MaxStates = 3000
		narrow := explore(t, s, opt, claims...)
		opt.Wide = true
		wide := explore(t, s, opt, claims...)
		if narrow.size() != wide.size() || !maps.Equal(narrow.Cut, wide.Cut) || verdicts(claims, narrow) != verdicts(claims, wide) {
			t.Errorf("%s: %+v with 64 bits, %+v with 128", name, narrow.size(), wide.size())
		}
		// Names of orbits are the least of several prints, and so more crowded.
		crowding := narrow.Omission / omission(narrow.States, narrow.Transitions, false)
		if crowding > 1 {
			crowded++
		}
		if crowding < 1 || crowding > 1 && !opt.Symmetry && !opt.Clients || wide.Omission != math.Ldexp(narrow.Omission, -64) {
			t.Errorf("%s: the omission probability is %g with 64 bits, %g with 128", name, narrow.Omission, wide.Omission)
		}
	}
	for seed := range uint64(few(20, 15)) {
		reduce := seed%2 == 0
		compare(fmt.Sprint("seed ", seed), somewhere(seed), gossiping,
			Options{Timed: seed/3%2 == 0, Symmetry: reduce, Clients: reduce, Stale: reduce})
	}
	s, claims := built(t, backoff.Protocol, "", model.Config{N: 2}.With(backoff.Tries.Is(1)), "Lemma 1", "Lemma 1, grants")
	for _, timed := range []bool{false, true} {
		compare("backoff", s, claims, Options{Timed: timed})
		compare("backoff, reduced", s, claims, Options{Timed: timed, Symmetry: true, Clients: true, Stale: true})
	}
	if crowded == 0 {
		t.Error("no names are crowded")
	}
}

// Of d distinct states, of which g were generated, d·(g − d/2) pairs are compared, and
// each is taken for one state with probability 2⁻⁶⁴, or 2⁻¹²⁸.
func TestOmission(t *testing.T) {
	for _, c := range []struct {
		distinct, generated int64
		pairs               float64
	}{
		{0, 0, 0},
		{1, 1, 0.5},
		{1000, 5000, 4_500_000},
		{1 << 20, 1 << 22, 7 << 39}, // 2²⁰·(2²² − 2¹⁹)
		{100, 60, 5000},             // first states are not generated: at least as many as are distinct
	} {
		for wide, bits := range map[bool]int{false: 64, true: 128} {
			if got, want := omission(c.distinct, c.generated, wide), math.Ldexp(c.pairs, -bits); got != want {
				t.Errorf("%d distinct of %d generated, %d bits: %g, want %g", c.distinct, c.generated, bits, got, want)
			}
		}
	}
}

// What is said of states that may be missed: of d states that s steps led to, about d(s-d/2) of 2⁶⁴, or of 2¹²⁸ where fingerprints are wide, as
// the keys of classes are.
func TestOmissionOfSearches(t *testing.T) {
	for seed := range uint64(6) {
		s := somewhere(seed)
		s.Faults.Duplication, s.Faults.Restarts = 0, 0
		for bits, opt := range map[int]Options{-64: {}, -128: {Wide: true}, -127: {Timed: true, Dense: true}} {
			opt.MaxStates = 3000
			r := explore(t, s, opt)
			d := r.States
			if bits == -127 {
				classes := 0
				if _, err := fmt.Sscanf(r.Notes[0], "dense time: %d classes of %d states", &classes, &d); err != nil || int64(classes) != r.States {
					t.Fatal(r.Notes, err)
				}
				bits = -128
			}
			if want := math.Ldexp(float64(d)*(float64(max(r.Transitions, d))-float64(d)/2), bits); math.Abs(r.Omission/want-1) > 1e-9 {
				t.Errorf("system %d: %v, want %v", seed, r.Omission, want)
			}
		}
	}
}
