package liveness

// A Possibility summarizes the reachability of a goal over all states.
type Possibility struct {
	// Doomed are the states from which no path leads to the goal or to a cut, not even with steps
	// that need closed bounds.
	Doomed []uint32
	Cut    bool // from some state every path to the goal leads through a cut
	Closed bool // from some state every path to the goal needs a closed bound
}

// A Reach is the reachability of a goal from a state without moves of the environment other than repairs.
type Reach uint8

// Reaches: by real steps. ReachesClosed: only by steps that need closed bounds. BehindCut: perhaps, through a
// cut. Never: not at all.
const (
	Reaches Reach = iota
	ReachesClosed
	BehindCut
	Never
)

// Possible summarizes Reach over all states.
func (g *Graph) Possible(goal []bool) Possibility {
	var p Possibility
	for s, r := range g.Reach(goal) {
		switch r {
		case ReachesClosed:
			p.Closed = true
		case BehindCut:
			p.Cut = true
		case Never:
			p.Doomed = append(p.Doomed, uint32(s))
		}
	}
	return p
}

// Reach returns the reachability of a goal from each state, by paths without Environment edges.
//
// It computes three backward closures over such edges: of the goal, of the goal without Closed edges, and of
// the states where a cut withholds a step of the protocol. Closing adds steps. So the first set is too large,
// and the second contains only real paths. A state outside the first set is doomed whatever the bounds, unless
// a cut is reachable. If all states are in the second set, the goal is possible from each.
//
// A sweep from the last state to the first is repeated until nothing changes. Mostly numbers grow along edges,
// so few sweeps suffice, each linear in the number of edges. In the worst case there are as many sweeps as
// states.
func (g *Graph) Reach(goal []bool) []Reach {
	reaches, really := g.backward(goal, 0), []bool(nil)
	if g.hasClosed() {
		really = g.backward(goal, Closed)
	}
	cut := make([]bool, len(goal))
	for s := range cut {
		cut[s] = g.withheldFlags[s]&(owed|Spare|Repair) != 0
	}
	beyond := g.backward(cut, 0)
	all := make([]Reach, len(goal))
	for s := range all {
		switch {
		case reaches[s] && really != nil && !really[s]:
			all[s] = ReachesClosed
		case reaches[s]:
		case beyond[s]:
			all[s] = BehindCut
		default:
			all[s] = Never
		}
	}
	return all
}

func (g *Graph) hasClosed() bool {
	for _, f := range g.flags {
		if f&Closed != 0 {
			return true
		}
	}
	return false
}

// backward returns the states from which some state of a set is reachable over edges with none of the flags
// without, and without Environment.
func (g *Graph) backward(set []bool, without Flags) []bool {
	in := append([]bool(nil), set...)
	without |= Environment
	for changed := true; changed; {
		changed = false
		for s := len(in) - 1; s >= 0; s-- {
			g.Beat.step()
			for k := g.begin(uint32(s)); k < g.ends[s] && !in[s]; k++ {
				if g.flags[k]&without == 0 && in[g.targets[k]] {
					in[s], changed = true, true
				}
			}
		}
	}
	return in
}
