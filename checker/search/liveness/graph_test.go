package liveness

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomGraph is a small graph with edges of all sorts, and a goal.
func randomGraph(r *rand.Rand) (*Graph, []bool) {
	g := New(true)
	n := 1 + r.IntN(4)
	goal := make([]bool, n)
	for s := range n {
		goal[s] = r.IntN(5) == 0
		for range r.IntN(4) {
			e := Edge{To: uint32(r.IntN(n)), Event: 1 + uint32(r.IntN(3))}
			switch r.IntN(8) {
			case 0:
				e.Event, e.Flags = 0, Environment
			case 1:
				e.Event, e.Flags = 0, Repair
			case 2:
				e.Flags = Spare
			case 3:
				e.Flags = Closed
			}
			if e.Event > 0 && r.IntN(3) == 0 {
				e.Renewed = g.Sets.Of([]uint32{1 + uint32(r.IntN(3)), 1 + uint32(r.IntN(3))})
			}
			g.Edge(e)
		}
		var withheld []uint32
		if r.IntN(6) == 0 {
			withheld = []uint32{1 + uint32(r.IntN(3))}
		}
		g.Close(withheld, []Flags{Environment, Spare, 0, 0, 0, 0}[r.IntN(6)])
	}
	return g, goal
}

// A goal can be reached exactly where trying all ways as long as there are states finds
// one.
func TestPossible(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(3000) {
		g, goal := randomGraph(rand.New(rand.NewPCG(seed, 1)))
		got := g.Possible(goal)
		var want Possibility
		for s := range goal {
			cut := func(t int) bool { return len(g.Sets.Events(g.withheld[t])) > 0 || g.withheldFlags[t]&Spare != 0 }
			switch {
			case reaches(g, s, len(goal), Environment|Closed, func(t int) bool { return goal[t] }):
				seen["possible"]++
			case reaches(g, s, len(goal), Environment, func(t int) bool { return goal[t] }):
				want.Closed = true
				seen["closed"]++
			case reaches(g, s, len(goal), Environment, cut):
				want.Cut = true
				seen["cut"]++
			default:
				want.Doomed = append(want.Doomed, uint32(s))
				seen["doomed"]++
			}
		}
		if !slices.Equal(got.Doomed, want.Doomed) || got.Cut != want.Cut || got.Closed != want.Closed {
			t.Fatalf("seed %d: %+v; want %+v", seed, got, want)
		}
	}
	if len(seen) < 4 {
		t.Errorf("too little was met: %v", seen)
	}
}

// reaches tries all ways of so many steps over edges without some flags.
func reaches(g *Graph, s, steps int, without Flags, is func(t int) bool) bool {
	if is(s) {
		return true
	}
	for k := g.begin(uint32(s)); k < g.ends[s] && steps > 0; k++ {
		if g.flags[k]&without == 0 && reaches(g, int(g.targets[k]), steps-1, without, is) {
			return true
		}
	}
	return false
}

// owedAt are the events that fairness owes in a state.
func owedAt(g *Graph, s int) []uint32 {
	owed := slices.Clone(g.Sets.Events(g.withheld[s]))
	for k := g.begin(uint32(s)); k < g.ends[s]; k++ {
		if g.flags[k]&(Environment|Repair|Spare) == 0 {
			owed = append(owed, g.events[k])
		}
	}
	return owed
}

// fairSubset tries every set of edges short of the goal: whether one is a round, all of it
// connected, that leaves no event out.
func fairSubset(g *Graph, goal []bool) bool {
	var from []int
	for s := range goal {
		for range g.successors(uint32(s)) {
			from = append(from, s)
		}
	}
	for set := 1; set < 1<<len(from); set++ {
		if fairEdges(g, goal, from, set) {
			return true
		}
	}
	return false
}

func fairEdges(g *Graph, goal []bool, from []int, set int) bool {
	var nodes, reach [4]bool
	first := bits.TrailingZeros(uint(set))
	always := owedAt(g, from[first])
	for k, s := range from {
		if set>>k&1 == 1 {
			if goal[s] || goal[g.targets[k]] {
				return false
			}
			nodes[s], nodes[g.targets[k]] = true, true
		}
	}
	closure := [4][4]bool{}
	for k, s := range from {
		if set>>k&1 == 1 {
			closure[s][g.targets[k]] = true
			always = slices.DeleteFunc(always, func(e uint32) bool {
				return g.events[k] == e || slices.Contains(g.Sets.Events(g.renewed[k]), e)
			})
		}
	}
	for m := range closure {
		for i := range closure {
			for j := range closure {
				closure[i][j] = closure[i][j] || closure[i][m] && closure[m][j]
			}
		}
	}
	reach = closure[from[first]]
	for s := range goal {
		if !nodes[s] {
			continue
		}
		if !reach[s] || !closure[s][from[first]] {
			return false
		}
		here := owedAt(g, s)
		always = slices.DeleteFunc(always, func(e uint32) bool { return !slices.Contains(here, e) })
	}
	return len(always) == 0
}

// A fair round is found exactly where some set of edges makes one, and the round that is
// returned is fair and comes back.
func TestFairRounds(t *testing.T) {
	found, none := 0, 0
	for seed := range uint64(2000) {
		g, goal := randomGraph(rand.New(rand.NewPCG(seed, 2)))
		if len(g.targets) > 9 {
			continue
		}
		round, got := g.FairRound(goal)
		if want := fairSubset(g, goal); got != want {
			t.Fatalf("seed %d: a fair round %v; want %v: %+v, goal %v", seed, got, want, g, goal)
		}
		if !got {
			none++
			continue
		}
		found++
		set, from, at := 0, make([]int, len(g.targets)), round.Entry
		for s := range goal {
			for k := g.begin(uint32(s)); k < g.ends[s]; k++ {
				from[k] = s
			}
		}
		for _, ordinal := range round.Edges {
			k := g.begin(at) + int(ordinal)
			set |= 1 << k
			at = g.targets[k]
		}
		if at != round.Entry || set == 0 || !fairEdges(g, goal, from, set) {
			t.Fatalf("seed %d: the round %+v ends at %d, or is not fair", seed, round, at)
		}
	}
	if found < 200 || none < 200 {
		t.Errorf("%d rounds in %d graphs", found, found+none)
	}
}

// A run may end where no event is owed, whatever else might happen.
func TestEnds(t *testing.T) {
	ends := 0
	for seed := range uint64(1000) {
		g, goal := randomGraph(rand.New(rand.NewPCG(seed, 3)))
		var want []uint32
		for s := range goal {
			if !goal[s] && len(owedAt(g, s)) == 0 {
				want = append(want, uint32(s))
			}
		}
		if got := g.Ends(goal); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v; want %v", seed, got, want)
		}
		ends += len(want)
	}
	if ends < 200 {
		t.Errorf("%d ends", ends)
	}
}

// What is possible, and where a cut is in the way, is the same with fairness and without.
func TestFairnessMakesNoDifferenceToWhatIsPossible(t *testing.T) {
	cut := 0
	for seed := range uint64(1000) {
		fair, goal := randomGraph(rand.New(rand.NewPCG(seed, 4)))
		g := New(false)
		for s := range goal {
			for k := fair.begin(uint32(s)); k < fair.ends[s]; k++ {
				g.Edge(Edge{To: fair.targets[k], Event: fair.events[k], Renewed: fair.renewed[k], Flags: fair.flags[k]})
			}
			g.Close(fair.Sets.Events(fair.withheld[s]), fair.withheldFlags[s]&^owed)
		}
		if got, want := g.Reach(goal), fair.Reach(goal); !slices.Equal(got, want) || g.CutShort(goal) != fair.CutShort(goal) {
			t.Fatalf("seed %d: %v; with fairness %v", seed, got, want)
		} else if slices.Contains(got, BehindCut) {
			cut++
		}
	}
	if cut < 100 {
		t.Errorf("only in %d graphs a goal is behind a cut", cut)
	}
}

// Without fairness the environment's edges are not kept, and nothing else changes.
func TestWithoutFairness(t *testing.T) {
	g := New(false)
	g.Edge(Edge{To: 1, Flags: Environment})
	g.Edge(Edge{To: 2, Flags: Repair})
	g.Close(nil, 0)
	for range 2 {
		g.Close(nil, Environment)
	}
	if p := g.Possible([]bool{false, false, true}); !slices.Equal(p.Doomed, []uint32{1}) || p.Cut || p.Closed {
		t.Errorf("%+v", p)
	}
	if !g.CutShort([]bool{false, true, false}) || g.CutShort([]bool{false, true, true}) || len(g.targets) != 1 {
		t.Errorf("%+v", g)
	}
}
