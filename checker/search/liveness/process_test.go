package liveness

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomGame is a small game in which every position has a way on.
func randomGame(r *rand.Rand) *Game {
	n := 2 + r.IntN(5)
	sets := newSets()
	g := &Game{sets: &sets, begins: []int{0}}
	for i := range n {
		g.chance, g.states = append(g.chance, r.IntN(3) == 0), append(g.states, uint32(i))
		for range 1 + r.IntN(3) {
			g.targets = append(g.targets, uint32(r.IntN(n)))
			step := Step{Event: uint32(r.IntN(4)), Passes: r.IntN(3) > 0}
			if r.IntN(3) == 0 {
				step.Renewed = sets.Of([]uint32{1 + uint32(r.IntN(3))})
			}
			g.steps, g.ordinals = append(g.steps, step), append(g.ordinals, int32(len(g.targets)-1-g.begins[i]))
		}
		g.begins = append(g.begins, len(g.targets))
		var owed []uint32
		for e := uint32(1); e <= 3; e++ {
			if r.IntN(3) == 0 {
				owed = append(owed, e)
			}
		}
		g.owed = append(g.owed, sets.Of(owed))
	}
	return g
}

// avoided says by trying it all whether some adversary avoids the goal: for every way
// to allow some of the edges of each of its positions and take these by chance, a
// Markov chain, and of this every set of positions that is closed, connected, short of
// the goal, lets time pass, and takes what it always owes. A finite memory, or coins of
// the adversary's own, makes of each such set a strategy, and of each strategy that
// avoids the goal comes such a set.
func avoided(g *Game, goal []bool) bool {
	n := len(g.states)
	allowed := make([]bool, len(g.targets))
	var try func(p int) bool
	try = func(p int) bool {
		if p == n {
			return closedSet(g, goal, allowed)
		}
		edges := g.begins[p+1] - g.begins[p]
		for mask := 1; mask < 1<<edges; mask++ {
			for k := range edges {
				allowed[g.begins[p]+k] = g.chance[p] || mask>>k&1 == 1
			}
			if try(p + 1) {
				return true
			}
			if g.chance[p] {
				break
			}
		}
		return false
	}
	return try(0)
}

// closedSet looks for such a set in one chain.
func closedSet(g *Game, goal, allowed []bool) bool {
	n := len(g.states)
	reach := make([][]bool, n)
	for p := range n {
		reach[p] = make([]bool, n)
		for k := g.begins[p]; k < g.begins[p+1]; k++ {
			if allowed[k] {
				reach[p][g.targets[k]] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for p := range n {
		closed, passes := true, false
		owed, taken := []uint32{1, 2, 3}, []uint32{}
		for q := range n {
			if !reach[p][q] {
				continue
			}
			closed = closed && reach[q][p] && !goal[q]
			owed = slices.DeleteFunc(owed, func(e uint32) bool { return !g.owes(uint32(q), e) })
			for k := g.begins[q]; k < g.begins[q+1]; k++ {
				if allowed[k] {
					passes, taken = passes || g.steps[k].Passes, append(taken, g.steps[k].Event)
					taken = append(taken, g.sets.Events(g.steps[k].Renewed)...)
				}
			}
		}
		if closed && passes && !slices.ContainsFunc(owed, func(e uint32) bool { return !slices.Contains(taken, e) }) {
			return true
		}
	}
	return false
}

// The maximal end components say of random games what trying all strategies says.
func TestEndComponents(t *testing.T) {
	avoids := 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 21))
		g := randomGame(r)
		goal := make([]bool, len(g.states))
		for i := range goal {
			goal[i] = r.IntN(4) == 0
		}
		place, got := g.Stay(goal)
		want := avoided(g, goal)
		if got != want {
			t.Fatalf("seed %d: an end component %v, a strategy %v: %+v, goal %v", seed, got, want, g, goal)
		}
		if got {
			avoids++
			checkStay(t, seed, g, goal, place)
		}
	}
	if avoids < 200 {
		t.Errorf("in %d games the goal can be avoided", avoids)
	}
}

// checkStay follows the round through an end component: it comes back, time passes, and it
// serves what is owed all along it.
func checkStay(t *testing.T, seed uint64, g *Game, goal []bool, place []uint32) {
	t.Helper()
	r := g.Round(place)
	at, passes := r.Entry, false
	owed, taken := []uint32{1, 2, 3}, []uint32{}
	for _, ordinal := range r.Edges {
		owed = slices.DeleteFunc(owed, func(e uint32) bool { return !g.owes(at, e) })
		k := g.begins[at] + int(ordinal)
		passes, taken = passes || g.steps[k].Passes, append(append(taken, g.steps[k].Event), g.sets.Events(g.steps[k].Renewed)...)
		at = g.targets[k]
		if goal[at] || !slices.Contains(place, at) {
			t.Fatalf("seed %d: the round leaves the place", seed)
		}
	}
	if at != r.Entry || !passes || slices.ContainsFunc(owed, func(e uint32) bool { return !slices.Contains(taken, e) }) {
		t.Fatalf("seed %d: the round ends at %d, not %d, time passes: %v, owed %v, taken %v", seed, at, r.Entry, passes, owed, taken)
	}
}
