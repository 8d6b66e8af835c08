package search

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"contend/model"
)

// picker is a system whose client has a set of its three servers do something: which,
// it chooses among the given ones. A server that was asked answers, and the client
// notes how many did, and 9 when one answered first that is its favourite.
func picker(favourite model.NodeID, sets ...[]model.NodeID) *model.System {
	answer := scripted{receive: func(n *scripted, env model.Env, from model.NodeID, _ any) { n.S++; env.Send(from, n.S) }}
	return system(client("c", scripted{
		invoke: func(n *scripted, env model.Env, _ any) {
			env.Broadcast(sets[env.Choose(len(sets))], 0)
			env.Return(nil)
		},
		receive: func(n *scripted, env model.Env, from model.NodeID, m any) {
			if n.S++; from == favourite {
				env.Note(mark{9})
			}
			env.Note(mark{n.S})
		},
	}, "go", "again"), server("s1", answer), server("s2", answer), server("s3", answer))
}

// A client that chooses among sets of servers may number them as it likes: renaming
// the servers must give it the same choices, not in the same order.
func TestSymmetryOfChoicesAmongSets(t *testing.T) {
	type set = []model.NodeID
	for _, c := range []struct {
		name string
		s    *model.System
		note string
	}{
		{"pairs", picker(0, set{1, 2}, set{1, 3}, set{2, 3}), ""},
		{"pairs in another order", picker(0, set{3, 2}, set{2, 1}, set{3, 1}), ""},
		{"each pair as often as the others", picker(0, set{1, 2}, set{2, 3}, set{1, 2}, set{1, 3}, set{1, 3}, set{2, 3}), ""},
		{"one", picker(0, set{2}, set{3}, set{1}), ""},
		{"one or all", picker(0, set{1, 2, 3}, set{2}, set{1}, set{3}), ""},
		{"no pair without the first", picker(0, set{1, 2}, set{1, 3}), "s1 and s2"},
		{"one pair more often", picker(0, set{1, 2}, set{2, 3}, set{1, 2}, set{1, 3}), "s2 and s3"},
		{"as many choices, other ones", picker(0, set{1, 2}, set{1, 3}, set{1, 3}), "s1 and s2"},
		{"pairs, and a favourite", picker(3, set{1, 2}, set{1, 3}, set{2, 3}), "s2 and s3"},
	} {
		late := math.MinInt / 2 // that renaming commutes is checked when all states were met
		for name, least := range map[string]int{c.name: settledAtLeast, c.name + ", late": late} {
			defer func(was int) { settledAtLeast = was }(settledAtLeast)
			settledAtLeast = least
			claims := []model.Claim{never(9), reach(model.Sometimes, 2), reach(model.Sometimes, 3), never(0)}
			off := explore(t, c.s, Options{}, claims...)
			on := explore(t, c.s, Options{Symmetry: true}, claims...)
			if verdicts(claims, off) != verdicts(claims, on) {
				t.Errorf("%s: with symmetry\n%swithout\n%s", name, verdicts(claims, on), verdicts(claims, off))
			}
			var notes []string
			if c.note != "" {
				notes = []string{"symmetry of servers is refused: *search.scripted does not treat servers " + c.note + " alike"}
			}
			if !slices.Equal(on.Notes, notes) || (on.States < off.States) != (c.note == "") {
				t.Errorf("%s: notes %q, want %q; %d states, without symmetry %d", name, on.Notes, notes, on.States, off.States)
			}
		}
	}
}

// What a handler is told about a hold is no choice of its own: a client that asks one
// server while it lasts, and the other after, prefers the one.
func TestSymmetryHeedsHolds(t *testing.T) {
	s := system(client("c", scripted{
		start: func(_ *scripted, env model.Env) { env.Hold("lock", model.Through(3)) },
		invoke: func(n *scripted, env model.Env, _ any) {
			if env.Held("lock") {
				env.Send(1, 0)
			} else {
				env.Send(2, 0)
			}
			env.Return(nil)
		},
		receive: func(_ *scripted, env model.Env, from model.NodeID, _ any) { env.Note(mark{int(from)}) },
	}, "go"),
		server("s1", scripted{receive: func(_ *scripted, env model.Env, from model.NodeID, m any) { env.Send(from, m) }}),
		server("s2", scripted{receive: func(_ *scripted, env model.Env, from model.NodeID, m any) { env.Send(from, m) }}))
	s.Nodes[0].Script[0].After, s.Network.Delay = model.Between(0, 1), model.Between(0, 1)
	r := explore(t, s, Options{Timed: true, Symmetry: true}, reach(model.Sometimes, 1), reach(model.Sometimes, 2))
	if !r.Claims[0].Reached || r.Claims[1].Reached || len(r.Notes) != 1 {
		t.Errorf("s1 answers: %v, s2 answers: %v; notes %q", r.Claims[0].Reached, r.Claims[1].Reached, r.Notes)
	}
}

// What is said of an invariant is said of the state that the run comes to, and not of one like it: here of who was asked how often.
func TestInvariantsSpeakOfTheRun(t *testing.T) {
	c := scripted{invoke: func(_ *scripted, env model.Env, _ any) { env.Send(model.NodeID(1+env.Choose(3)), 1); env.Return(nil) }}
	asked := scripted{receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) { n.S++ }}
	for most := range 5 {
		s := system(client("c", c, 1, 2, 3, 4, 5, 6), server("s1", asked), server("s2", asked), server("s3", asked))
		s.Types = append(s.Types, 0)
		often := model.Claim{Name: "seldom", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			var asked []int
			sum := 0
			for _, n := range nodes[1:] {
				asked, sum = append(asked, n.(*scripted).S), sum+n.(*scripted).S
			}
			if sum <= most || slices.Contains(asked, sum) {
				return nil
			}
			return fmt.Errorf("asked %v", asked)
		}}
		want, found := []int{0, 0, 0}, explore(t, s, Options{Symmetry: true}, often).broken(0)
		for _, step := range found.Steps {
			if step.Kind == model.Deliver {
				want[step.Node-1]++
			}
		}
		if found.Text != fmt.Sprint("asked ", want) {
			t.Errorf("more than %d: %q, but %v", most, found.Text, want)
		}
	}
}
