package search

import (
	"slices"

	"contend/checker/search/visited"
	"contend/model"
)

// graph keeps the edges of the state space, for claims that no single run can
// refute. States are numbered as they are found and expanded in that order.
//
// For PossibleFromEverywhere only the edges that are not the environment's own are
// kept: the goal must be reachable without its help. Eventually needs them all,
// each with the event that it takes. For AlmostSurely there is a process besides.
type graph struct {
	possible, eventually []liveness
	surely               []liveness
	process              *process // where coins are tossed
	ends                 []int    // where each expanded state's edges end
	targets              []uint32 // of the edges
	labels               []uint32 // of the edges: the event's base, or one of the labels below
	cut                  []bool   // expanded states from which a step was cut
	keys                 []print  // of the states, by number
	parents              []uint32 // of the states; ^0 for a first one
}

// Labels of edges that fairness does not cover: the adversary's moves, and restarts,
// which a goal may wait for all the same.
const (
	adversary uint32 = 0
	restarted uint32 = ^uint32(0)
)

// liveness is a claim with its goal in each state.
type liveness struct {
	claim, monitor int // the monitor is -1 for a Done claim
	reached        []bool
	known          map[uint32]bool
}

func newGraph(claims []model.Claim) *graph {
	g := &graph{}
	monitor := 0
	for i, c := range claims {
		l := liveness{claim: i, monitor: monitor, known: map[uint32]bool{}}
		if c.Monitor != nil {
			monitor++
		} else {
			l.monitor = -1
		}
		switch c.Kind {
		case model.PossibleFromEverywhere:
			g.possible = append(g.possible, l)
		case model.Eventually:
			g.eventually = append(g.eventually, l)
		case model.AlmostSurely:
			g.surely = append(g.surely, l)
		}
	}
	if len(g.all()) == 0 {
		return nil
	}
	return g
}

// all are the claims that the graph is kept for.
func (g *graph) all() []liveness { return slices.Concat(g.possible, g.eventually, g.surely) }

// met takes note of a successor, or a first state, by the number that its note in the
// table holds, less one.
func (g *graph) met(note *uint32, l *visited.Lookup, s *searcher) {
	if l.Fresh {
		g.keys = append(g.keys, l.Print)
		parent := ^uint32(0)
		if !s.rooted {
			parent = uint32(len(g.ends))
		}
		g.parents = append(g.parents, parent)
		*note = uint32(len(g.keys))
	}
	if !s.rooted {
		g.edge(*note-1, s.move)
		if g.process != nil {
			g.process.edge(s.turns.at, *note-1, s.move)
		}
	}
}

// parent returns the key of a state's parent.
func (g *graph) parent(n uint32) []print { return []print{g.keys[g.parents[n]]} }

// state notes the goals of a new state.
func (g *graph) state(s *searcher, v []uint32) {
	if g.process != nil {
		g.process.state(s.worker, v)
	}
	for _, list := range [][]liveness{g.possible, g.eventually, g.surely} {
		for i := range list {
			list[i].reached = append(list[i].reached, list[i].met(s, v))
		}
	}
}

func (l *liveness) met(s *searcher, v []uint32) bool {
	if l.monitor < 0 {
		return s.done(v)
	}
	return goal{monitor: l.monitor, reached: l.known}.met(s, v[s.monitorAt+l.monitor])
}

// edge notes a successor of the state that is being expanded.
func (g *graph) edge(to uint32, m move) {
	if len(g.eventually) == 0 {
		if !m.kind.Adversarial() || m.kind == model.Restart {
			g.targets = append(g.targets, to)
		}
		return
	}
	g.targets = append(g.targets, to)
	g.labels = append(g.labels, labelOf(m))
}

// labelOf is the label of the edge that a move takes.
func labelOf(m move) uint32 {
	switch {
	case m.kind == model.Restart:
		return restarted
	case m.kind.Adversarial():
		return adversary
	}
	return m.base
}

// close ends the edges of the state that was expanded, in which it was so much the turn
// of one and the other.
func (g *graph) close(cut bool, turns []position) {
	if g.process != nil {
		g.process.close(turns)
	}
	g.ends = append(g.ends, len(g.targets))
	g.cut = append(g.cut, cut)
}

func (g *graph) begin(s uint32) int {
	if s == 0 {
		return 0
	}
	return g.ends[s-1]
}

func (g *graph) successors(s uint32) []uint32 { return g.targets[g.begin(s):g.ends[s]] }

// decide judges the liveness claims once the state space is there.
func (g *graph) decide(x *explorer) {
	for _, l := range g.all() {
		if !x.res.Complete {
			x.res.Undecided[l.claim] = x.res.Limit
			continue
		}
		for _, r := range l.reached {
			if !r {
				x.res.Witnessed[l.claim] = true
				break
			}
		}
	}
	if !x.res.Complete {
		return
	}
	for _, l := range g.possible {
		g.decidePossible(x, l)
	}
	for _, l := range g.eventually {
		g.decideEventually(x, l)
	}
	if g.process != nil {
		g.decideSurely(x)
	}
}

// decidePossible looks for a doomed state: one from which neither the goal nor a
// cut can be reached. Where every way to the goal leads through a cut, the claim is
// left undecided.
func (g *graph) decidePossible(x *explorer, l liveness) {
	live := g.backward(l.reached)
	beyond := g.backward(g.cut)
	for s := range live {
		switch {
		case live[s]:
		case beyond[s]:
			x.res.Undecided[l.claim] = "cut"
		default:
			delete(x.res.Undecided, l.claim)
			x.confirm(candidate{claim: l.claim, text: "from here the goal cannot be reached any more", key: g.keys[s]})
			return
		}
	}
}

// backward returns the states from which a state of the set can be reached without
// the adversary. The numbers mostly grow along edges, so a few sweeps from the end suffice.
func (g *graph) backward(set []bool) []bool {
	in := append([]bool(nil), set...)
	for changed := true; changed; {
		changed = false
		for s := len(in) - 1; s >= 0; s-- {
			if in[s] {
				continue
			}
			if slices.ContainsFunc(g.unaided(uint32(s)), func(t uint32) bool { return in[t] }) {
				in[s], changed = true, true
			}
		}
	}
	return in
}

// unaided returns the successors of a state over edges that are not the
// adversary's.
func (g *graph) unaided(s uint32) []uint32 {
	if len(g.labels) == 0 {
		return g.successors(s) // no others were kept
	}
	var out []uint32
	for k, t := range g.successors(s) {
		if g.labels[g.begin(s)+k] != adversary {
			out = append(out, t)
		}
	}
	return out
}
