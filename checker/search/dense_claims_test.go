package search

import (
	"fmt"
	"slices"
	"testing"

	"contend/impl/backoff"
	"contend/model"
)

// A hold that nobody asks about, and windows without an end, in systems that go round and
// round: dense time is finite, whether classes are merged or not.
func TestDenseLoopsAreFinite(t *testing.T) {
	// spinning arms its alarm anew each time, for ever, and holds now and then.
	spinning := func(w model.Window, d model.Bound, holds func(s int) bool) scripted {
		turn := func(n *scripted, env model.Env) {
			if holds(n.S) {
				env.Hold("lease", d)
			}
			n.S = (n.S + 1) % 3
			env.After("again", w)
		}
		return scripted{start: turn, timeout: func(n *scripted, env model.Env, _ any) { turn(n, env) }}
	}
	once := func(s int) bool { return s == 0 }
	for _, c := range []struct {
		name   string
		nodes  []model.NodeSpec
		faults model.Faults
		states int64 // classes, merged
	}{
		{"a hold of two ticks, an alarm every tick", []model.NodeSpec{
			peer("p", spinning(model.Exactly(1), model.Through(2), once))}, model.Faults{}, 3},
		{"a hold that is long over", []model.NodeSpec{
			peer("p", spinning(model.Exactly(5), model.Below(1), once))}, model.Faults{}, 3},
		{"alarms without an end", []model.NodeSpec{
			peer("p", spinning(model.Anytime(), model.Through(2), once))}, model.Faults{}, 5},
		{"two, out of step", []model.NodeSpec{
			peer("p", spinning(model.Between(1, 2), model.Through(1), once)),
			peer("q", spinning(model.Anytime(), model.Below(2), once))}, model.Faults{}, 45},
		{"a hold set once, before all", []model.NodeSpec{
			peer("p", scripted{start: func(_ *scripted, env model.Env) {
				env.Hold("for long", model.Through(7))
				env.After("again", model.Between(1, 2))
			}, timeout: func(_ *scripted, env model.Env, _ any) { env.After("again", model.Between(1, 2)) }})}, model.Faults{}, 9},
		{"a hold that outlasts a crash of another", []model.NodeSpec{
			peer("p", spinning(model.Between(0, 1), model.Through(3), once)),
			peer("q", scripted{start: func(_ *scripted, env model.Env) { env.Hold("mine", model.Below(2)) }})}, model.Faults{Crashes: 1}, 17},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := system(c.nodes...)
			s.Faults = c.faults
			for _, merge := range []bool{true, false} {
				r := explore(t, s, Options{Timed: true, Dense: true, Merge: merge, MaxStates: 20_000}, never(1))
				if !r.Complete {
					t.Errorf("merging %v: not complete: %s", merge, r.Limit)
				}
				if merge && r.States != c.states {
					t.Errorf("%d classes, want %d", r.States, c.states)
				}
			}
		})
	}
}

// The mutants of the backoff protocol at the boundary of the lease, in dense time: what is
// found, after how many steps, and how many classes there are.
func TestBackoffInDenseTime(t *testing.T) {
	for _, c := range []struct {
		variant string
		config  model.Config
		states  int64
		steps   int // of the counterexample; 0: none
	}{
		{"", model.Config{N: 1}, 26, 0},
		{"", model.Config{N: 2}, 195, 0},
		{"", model.Config{N: 3}, 821, 0},
		{"lease-delta", model.Config{N: 1}, 24, 8},
		{"lease-delta", model.Config{N: 2}, 130, 12},
		{"lease-short", model.Config{N: 1}, 26, 0},
		{"lease-short", model.Config{N: 2}, 215, 0},
		{"lease-short", model.Config{N: 3}, 869, 0},
		{"lease-at-least", model.Config{N: 1}, 26, 0},
		{"lease-at-least", model.Config{N: 2}, 213, 0},
		{"lease-at-least", model.Config{N: 3}, 880, 0},
		{"", model.Config{N: 3}.With(model.Clients.Is(3), backoff.Tries.Is(1)), 9576, 0},
		{"lease-short", model.Config{N: 3}.With(model.Clients.Is(3), backoff.Tries.Is(1)), 12204, 19},
		{"lease-at-least", model.Config{N: 3}.With(model.Clients.Is(3), backoff.Tries.Is(1)), 11629, 19},
	} {
		if c.states > 11_000 && !*full {
			continue
		}
		t.Run(fmt.Sprintf("%s/n=%d/clients=%d", c.variant, c.config.N, model.Clients.Of(c.config)), func(t *testing.T) {
			s, claims := built(t, backoff.Protocol, c.variant, c.config, "Lemma 1")
			r := explore(t, s, Options{Timed: true, Dense: true, Merge: true, Symmetry: true, Clients: true, Stale: true, Workers: 2}, claims...)
			found, violated := r.violation(0)
			if r.States != c.states || violated != (c.steps > 0) || len(found.Steps) != c.steps || !violated && !r.Complete {
				t.Errorf("%d classes, %d steps, complete %v; want %d classes, %d steps", r.States, len(found.Steps), r.Complete, c.states, c.steps)
			}
			if !violated && !slices.Contains(r.Reductions, "convex merging") {
				t.Errorf("reductions %v", r.Reductions)
			}
		})
	}
}
