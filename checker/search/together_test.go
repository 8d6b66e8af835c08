package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"contend/lab/random"
	"contend/model"
)

// ownWindows gives each message of a channel a window of its own, by what it is.
func ownWindows(r *rand.Rand, timing random.Timing, s *model.System) {
	var windows [3]model.Window
	for i := range windows {
		windows[i] = timing.Window(r)
	}
	s.Network.Messages = func(from, to model.NodeID, m any) model.Window {
		text := fmt.Sprint(m)
		return windows[int(text[len(text)-2])%len(windows)]
	}
}

// Every reduction alone, and all together, change no verdict and lose no observation of
// random systems in time, whatever their channels, windows, faults, monitors and alarms.
func TestReductionsOfTimedSystems(t *testing.T) {
	compared, absorbed, symmetric, own := map[string]int{}, 0, 0, 0
	for seed := range uint64(few(26, 20)) {
		r := rand.New(rand.NewPCG(seed, 23))
		timing := random.Timing{Open: seed%3 == 0, Holds: seed%2 == 0}
		s := random.Timed(r, timing)
		if seed%4 == 3 {
			s = alike(r)
		}
		if seed%2 == 1 {
			ownWindows(r, timing, s)
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		claims := append(timing.Paced(r), gossiping...)
		claims = append(claims, model.Claim{Name: "can stop", Kind: model.PossibleFromEverywhere, Done: true})
		for name, reading := range map[string]Options{"untimed": {}, "grid": onGrid, "dense": {Timed: true, Dense: true}} {
			if reading.Dense && RefuseUndense(s) != nil {
				continue
			}
			most := reading
			most.MaxStates = 800
			x, whole, _ := attempts(t, s, claims, most, func(*explorer) {})
			if !whole.Complete {
				continue
			}
			compared[name]++
			want := seen{verdicts(claims, whole), labels(x, oneOfEach(s)), nil}
			for _, opt := range append(reductions, Options{Merge: true}, Options{Merge: true, Symmetry: true, Clients: true, Stale: true}) {
				opt.Timed, opt.Dense = reading.Timed, reading.Dense
				x, reduced, _ := attempts(t, s, claims, opt, func(*explorer) {})
				got := seen{verdicts(claims, reduced), labels(x, oneOfEach(s)), nil}
				if got.verdicts != want.verdicts || !maps.Equal(got.labels, want.labels) {
					t.Fatalf("seed %d, %s, %v, symmetry %v, clients %v, stale %v, merge %v: verdicts\n%snot\n%sonly with it %v, only without %v",
						seed, name, s.Network.Channel, opt.Symmetry, opt.Clients, opt.Stale, opt.Merge, got.verdicts, want.verdicts,
						missing(got.labels, want.labels), missing(want.labels, got.labels))
				}
				if x.Uses.Stale && reduced.States < whole.States && !opt.Symmetry && !opt.Merge {
					absorbed++
				}
				if x.groups() != nil {
					symmetric++
				}
				if s.Network.Messages != nil {
					own++
				}
			}
		}
	}
	t.Logf("compared %v: %d absorb, %d are symmetric, %d have windows of their own", compared, absorbed, symmetric, own)
}
