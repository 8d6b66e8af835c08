package search

import (
	"fmt"
	"testing"

	"contend/impl/backoff"
	"contend/impl/maekawa"
	"contend/impl/quorumlock"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// spaces are searches that are small, of every sort that has a space: with reductions and without, on the
// grid, with faults, with a graph for liveness, of a claim that breaks and of one that is cut.
var spaces = []struct {
	p       *model.Protocol
	variant string
	config  model.Config
	claim   string
	opt     Options
}{
	{ricartagrawala.Protocol, "", model.Config{N: 2}.With(model.Ops.Is(1)), "mutual exclusion", Options{}},
	{ricartagrawala.Protocol, "", model.Config{N: 2}.With(model.Ops.Is(1)), "deadlock freedom", Options{}},
	{ricartagrawala.Protocol, "defer-on-tie", model.Config{N: 2}.With(model.Ops.Is(1)), "deadlock freedom", Options{}},
	{ricartagrawala.Protocol, "no-tie-break", model.Config{N: 2}.With(model.Ops.Is(1)), "mutual exclusion", Options{}},
	{ricartagrawala.Protocol, "", model.Config{N: 2, Faults: model.Faults{Loss: 1, Duplication: 1}}.With(model.Ops.Is(1)), "mutual exclusion", Options{}},
	{quorumlock.Protocol, "", model.Config{N: 3}, "mutual exclusion", Options{Symmetry: true, Clients: true, Stale: true}},
	{backoff.Protocol, "", model.Config{N: 1}.With(backoff.Tries.Is(1)), "Lemma 1", Options{Timed: true}},
	{backoff.Protocol, "", model.Config{N: 2}.With(backoff.Tries.Is(1)), "Lemma 1", Options{Timed: true, Symmetry: true, Clients: true, Stale: true}},
	{backoff.Protocol, "gives-up", model.Config{N: 1}.With(backoff.Tries.Is(1)), "Corollary 2", Options{Timed: true}},
	{maekawa.Protocol, "", model.Config{}.With(model.Ops.Is(1)), "mutual exclusion", Options{MaxStates: 100}},
}

// spaceOf is the result of a small search.
func spaceOf(t *testing.T, k int, draw bool) *Result {
	t.Helper()
	c := spaces[k]
	s, claims := built(t, c.p, c.variant, c.config, c.claim)
	c.opt.Workers, c.opt.Draw = 2, draw
	res, err := Run(s, claims, pure(c.opt))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// The space has the states and the steps that the search counts, each state is met from one before it, and
// to keep it changes nothing about what is found.
func TestSpaceIsWhatIsCounted(t *testing.T) {
	for k, c := range spaces {
		t.Run(fmt.Sprintf("%d %s %s", k, c.p.Name, c.claim), func(t *testing.T) {
			drawn, plain := spaceOf(t, k, true), spaceOf(t, k, false)
			sp := drawn.Space
			if plain.Space != nil || drawn.Workers != 1 {
				t.Errorf("undrawn it has the space %v; drawn it is searched by %d workers", plain.Space, drawn.Workers)
			}
			steps := 0
			for _, e := range sp.Edges {
				if e.To >= 0 {
					steps++
				}
			}
			if int64(len(sp.States)) != drawn.States || int64(steps) != drawn.Transitions {
				t.Errorf("%d states and %d steps are kept, but %d and %d are counted", len(sp.States), steps, drawn.States, drawn.Transitions)
			}
			if c.opt.MaxStates == 0 && (plain.States != drawn.States || plain.Transitions != drawn.Transitions || plain.Complete != drawn.Complete || len(plain.Violated()) != len(drawn.Violated())) {
				t.Errorf("undrawn the search is another: %d states, %d steps", plain.States, plain.Transitions)
			}
			checkSpace(t, drawn)
		})
	}
}

func checkSpace(t *testing.T, r *Result) {
	reached := map[[2]int]bool{}
	for _, e := range r.Space.Edges {
		reached[[2]int{e.From, e.To}] = true
		if !r.Space.States[e.From].Expanded && r.Complete {
			t.Errorf("a step leads from state %d, which was not expanded", e.From)
		}
	}
	cut := int64(0)
	for n, m := range r.Space.States {
		if m.From >= n || m.From >= 0 && !reached[[2]int{m.From, n}] {
			t.Errorf("state %d was met from %d, but no step leads there", n, m.From)
		}
		if r.Complete && !m.Expanded {
			t.Errorf("the search is complete, but state %d was not expanded", n)
		}
		if m.Cut {
			cut++
		}
	}
	for name, states := range r.Cut {
		if len(r.Cut) == 1 && states != cut {
			t.Errorf("the cut %s shortens %d states, but %d are marked", name, states, cut)
		}
	}
}

// A claim that breaks is marked where it breaks, and nowhere else: a lock on a step or a state, a deadlock
// on states that are stuck, a goal that is out of reach on those that are doomed.
func TestSpaceMarks(t *testing.T) {
	for k, c := range spaces {
		r := spaceOf(t, k, true)
		marks, ends := 0, 0
		for _, m := range r.Space.States {
			marks += len(m.Violates) + len(m.Doomed)
			if m.Stuck && m.Done {
				t.Errorf("%d: a state is done and stuck", k)
			}
			if m.Stuck && c.claim == "deadlock freedom" {
				marks++
			}
			if m.Stuck || m.Done {
				ends++
			}
		}
		for _, e := range r.Space.Edges {
			marks += len(e.Violates)
		}
		if (marks > 0) != (len(r.Violated()) > 0) {
			t.Errorf("%d %s %s: %d marks, but violated is %v", k, c.variant, c.claim, marks, len(r.Violated()) > 0)
		}
		if r.Complete && ends == 0 {
			t.Errorf("%d: no state is done, or stuck", k)
		}
	}
}
