package liveness

// A Possibility says from where a goal can be reached without the environment's help.
type Possibility struct {
	// Doomed lists states from which it cannot, and from which no way leads to a cut
	// either: by number, and not even over steps that only closed bounds allow.
	Doomed []uint32
	Cut    bool // from some state every way leads through a cut
	Closed bool // from some state every way rests on a closed bound
}

// A Reach says whether a goal can be reached from a state without the environment's help.
type Reach uint8

// A goal is reached over real steps, over steps of which one rests on a closed bound at the best,
// perhaps behind a cut, or never.
const (
	Reaches Reach = iota
	ReachesClosed
	BehindCut
	Never
)

// Possible finds the states from which a goal can be reached over edges that are not the
// environment's.
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

// Reach says of each state whether a goal can be reached from it.
//
// It goes backward, three times: from the goal over all edges that are not the environment's,
// from the goal over those
// that rest on no closed bound, and from the states where a cut kept a step of the
// protocol. Where closing adds steps, the first set is too large and the second is of real
// ways only. So a state outside the first is doomed whatever the bounds, if no cut is to
// blame; and if all states are in the second the goal is possible from each. A sweep from
// the last state to the first is repeated until nothing changes: numbers mostly grow along
// edges, so a few sweeps do, each in the time of the edges; there are at most as many as
// states.
func (g *Graph) Reach(goal []bool) []Reach {
	reaches, really := g.backward(goal, 0), []bool(nil)
	if g.closes() {
		really = g.backward(goal, Closed)
	}
	cut := make([]bool, len(goal))
	for s := range cut {
		cut[s] = g.cut[s]&(owed|Spare|Repair) != 0
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

func (g *Graph) closes() bool {
	for _, f := range g.flags {
		if f&Closed != 0 {
			return true
		}
	}
	return false
}

// backward returns the states from which one of a set can be reached over edges that are
// not the environment's and have none of the given flags.
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
