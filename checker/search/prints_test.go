package search

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"contend/impl/backoff"
	"contend/model"
	"contend/model/value"
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
	for seed := range uint64(few(300, 100)) {
		s := somewhere(seed)
		opt := Options{Timed: seed/3%2 == 0, Stale: seed/6%2 == 0}
		claims := gossiping
		if seed%5 == 0 {
			claims = append([]model.Claim{causally}, gossiping...)
		}
		walked(t, s, claims, opt, 400, func(w *worker, v []uint32) {
			if w.sum != w.printOfState(v) {
				t.Fatalf("seed %d, %+v, %v, %+v, after %+v: the print is %x, but that of the components %x",
					seed, opt, s.Network.Channel, s.Faults, w.move, w.sum, w.printOfState(v))
			}
			successors[opt.Timed]++
			channels[s.Network.Channel]++
			faults[s.Faults]++
			if w.move.kind != model.Forge && len(w.move.picks) > 1 {
				branches++
			}
			if w.move.kind == model.Restart || w.move.kind == model.Crash {
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
	for seed := range uint64(few(150, 40)) {
		r, _ := walked(t, somewhere(seed), gossiping, Options{Timed: seed/3%2 == 0}, 1000, func(*worker, []uint32) {})
		firsts, seconds := map[uint64]bool{}, map[uint64]bool{}
		for _, p := range r.keys {
			firsts[p.A], seconds[p.B] = true, true
		}
		if len(firsts) != len(r.keys) || len(seconds) != len(r.keys) {
			t.Fatalf("seed %d: %d states have %d prints, and %d second halves", seed, len(r.keys), len(firsts), len(seconds))
		}
	}
}

// So it is of pending events, which may differ in any one thing.
func TestEventsHavePrintsOfTheirOwn(t *testing.T) {
	s := system(peer("p", scripted{}))
	codec, err := value.New(s)
	if err != nil {
		t.Fatal(err)
	}
	st := newStore(s, codec, nil, true, closing)
	one := base{kind: kind(model.Deliver), slot: 1, from: 2, op: 3, pos: 4, value: st.value(5), past: st.pastID([]int32{6})}
	bases := []base{one}
	for _, change := range []func(b *base){
		func(b *base) { b.kind = delivered }, func(b *base) { b.optional = true }, func(b *base) { b.slot = 2 }, func(b *base) { b.from = 1 },
		func(b *base) { b.op = 4 }, func(b *base) { b.pos = 3 }, func(b *base) { b.value = st.value(6) }, func(b *base) { b.past = st.pastID([]int32{5}) },
	} {
		b := one
		change(&b)
		bases = append(bases, b)
	}
	prints, parts := map[print]bool{}, 0
	for _, b := range bases {
		for _, w := range []model.Window{model.Between(0, 1), model.Between(1, 1), model.Between(0, 2), model.Anytime()} {
			prints[st.flats[st.pending(st.base(b), w)].print] = true
			parts++
		}
	}
	if len(prints) != parts {
		t.Errorf("%d events have %d prints", parts, len(prints))
	}
}

// A state's print is of its content: it is the same whatever numbers components have.
func TestPrintsAreOfContent(t *testing.T) {
	for seed := range uint64(few(60, 20)) {
		var all [2]map[print]bool
		for i := range all {
			r, ok := walked(t, somewhere(seed), gossiping, Options{Timed: seed/3%2 == 0}, 1000, func(w *worker, _ []uint32) {
				w.ask(func() {
					for k := range i * 3 { // what takes up numbers
						w.store.local(0, fmt.Append(nil, "local", k, len(w.locals.items)))
						w.store.pending(w.store.base(base{value: w.value(fmt.Sprint(k, len(w.locals.items)))}), model.Anytime())
					}
				})
			})
			if all[i] = map[print]bool{}; !ok {
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
		if crowding < 1 || crowding > 1 && !opt.Symmetry && !opt.Clients || wide.Omission != math.Ldexp(narrow.Omission, -64) {
			t.Errorf("%s: the omission probability is %g with 64 bits, %g with 128", name, narrow.Omission, wide.Omission)
		}
	}
	for seed := range uint64(few(60, 15)) {
		reduce := seed%2 == 0
		compare(fmt.Sprint("seed ", seed), somewhere(seed), gossiping,
			Options{Timed: seed/3%2 == 0, Symmetry: reduce, Clients: reduce, Stale: reduce})
	}
	s, claims := built(t, backoff.Protocol, "", model.Config{N: 2, Tries: 1}, "Lemma 1", "Lemma 1, grants")
	for _, timed := range []bool{false, true} {
		compare("backoff", s, claims, Options{Timed: timed})
		compare("backoff, reduced", s, claims, Options{Timed: timed, Symmetry: true, Clients: true, Stale: true})
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
