package search

import (
	"fmt"
	"slices"

	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/visited"
	"contend/model"
)

// judgedWhenStopped is how many steps a graph may have, times the claims, to be judged when the search is
// stopped from outside: that takes a fraction of a second.
const judgedWhenStopped = 1 << 21

// judgeLiveness judges the liveness claims, and makes candidates of what refutes them: once the state space
// is there, or what of it was met when the search stopped.
func (x *explorer) judgeLiveness(beat func()) {
	g := x.graph
	g.edges.Beat.Call = beat
	if x.res.Complete {
		for _, l := range g.all() {
			x.res.Witnessed[l.claim] = x.res.Witnessed[l.claim] || slices.Contains(l.reached, false)
		}
	} else if x.stopped() && g.edges.Size()*len(g.all()) > judgedWhenStopped {
		return
	}
	g.leaveRest()
	for _, l := range g.possible {
		x.judgePossible(l)
	}
	for _, l := range g.fairly {
		x.judgeEventually(l)
	}
	if g.process != nil && x.res.Complete {
		x.judgeSurely(beat)
	}
}

// leaveLiveness leaves open the liveness claims that what was met of the state space does not refute, when
// that is not all.
func (x *explorer) leaveLiveness() {
	for _, l := range x.graph.all() {
		if _, violated := x.res.Violated[l.claim]; !violated && !x.res.Complete {
			x.res.Undecided[l.claim] = x.res.Limit
		}
	}
}

// judgePossible looks for a doomed state. On the closing grid one counts if the way to it
// is real at the very times of the grid: closing has only added to what can follow. That
// there is none shows nothing unless real steps alone lead to the goal.
func (x *explorer) judgePossible(l goals) {
	p := x.graph.edges.Possible(l.reached)
	if p.Cut {
		x.res.Undecided[l.claim] = decide.Cut
	}
	open := p.Closed || x.Strict.Windows && x.Closing()
	if open {
		x.res.Undecided[l.claim] = decide.StrictBound
	}
	x.tryEach(l.claim, p.Doomed, "from here the goal cannot be reached any more")
	if open && x.res.Spurious[l.claim] == 0 && x.res.Complete {
		x.refineClaim(l.claim)
	}
}

// tryEach takes states that refute a claim to the interpreter, until one is confirmed or
// too many were not.
func (x *explorer) tryEach(claim int, states []uint32, text string) {
	for _, s := range states {
		x.graph.edges.Beat.Call()
		x.confirm(candidate{claim: claim, text: text, key: x.graph.keys[s], pinned: x.Closing() && x.Strict.Any()})
		if _, violated := x.res.Violated[claim]; violated {
			delete(x.res.Undecided, claim)
			return
		}
		if x.res.Spurious[claim] >= x.opt.MaxSpurious || x.res.Disputed[claim] != "" {
			return
		}
	}
}

// judgeEventually looks for a fair run that never reaches the goal: one that ends short of
// it, or one that goes round. With time only runs that end refute, since a round need not
// let time pass; other rounds leave the claim undecided. Closing only adds runs, so that
// there is none holds on the closing grid as well.
func (x *explorer) judgeEventually(l goals) {
	g := x.graph
	if g.edges.CutShort(l.reached) {
		x.res.Undecided[l.claim] = decide.Cut
	}
	x.tryEach(l.claim, g.edges.Ends(l.reached), "nothing more can happen, and the goal is not reached")
	if _, violated := x.res.Violated[l.claim]; violated {
		return
	}
	round, ok := g.edges.FairRound(l.reached)
	switch {
	case !ok:
	case x.Timed:
		x.res.Undecided[l.claim] = decide.TimedRound
	default:
		delete(x.res.Undecided, l.claim)
		x.confirmRound(l.claim, round)
	}
}

// judgeSurely judges the claims of probability.
func (x *explorer) judgeSurely(beat func()) {
	game := x.graph.process.Game()
	game.Beat.Call = beat
	for _, l := range x.graph.surely {
		x.judgeSure(l, game)
	}
	x.res.Notes = append(x.res.Notes, fmt.Sprintf("almost surely: against %s adversary; a draw from a window is uniform over its whole ticks", x.Coins.Adversary()))
}

// graph feeds [liveness] while states are found and expanded, for claims that no single
// run can refute. States are numbered as they are found and expanded in that order.
type graph struct {
	edges    *liveness.Graph
	process  *liveness.Process // where coins are tossed
	possible []goals
	fairly   []goals // of claims under fairness
	surely   []goals
	expanded uint32                   // states so far
	keys     []fingerprint.Print      // of the states, by number
	parents  []uint32                 // of the states; ^0 for a first one
	reach    map[int][]liveness.Reach // of the states, by claim, once it was asked for
}

// goals are those of a claim in each state.
type goals struct {
	goal
	reached []bool
}

// newGraph returns the graph that claims need, or nil. In dense time, where none of them
// is decided, they need none.
func newGraph(claims []model.Claim, dense bool) *graph {
	g := &graph{reach: map[int][]liveness.Reach{}}
	for _, goal := range goalsOf(claims) {
		l := goals{goal: goal}
		switch claims[goal.claim].Kind {
		case model.PossibleFromEverywhere:
			g.possible = append(g.possible, l)
		case model.Eventually:
			g.fairly = append(g.fairly, l)
		case model.AlmostSurely:
			g.surely = append(g.surely, l)
		}
	}
	if dense || len(g.all()) == 0 {
		return nil
	}
	g.edges = liveness.New(len(g.fairly) > 0)
	if len(g.surely) > 0 {
		g.process = liveness.NewProcess(&g.edges.Sets)
	}
	return g
}

// all are the claims that the graph is kept for.
func (g *graph) all() []goals { return slices.Concat(g.possible, g.fairly, g.surely) }

// fair reports whether it matters which events a step takes and makes anew.
func (g *graph) fair() bool { return g != nil && len(g.fairly)+len(g.surely) > 0 }

// met takes note of a successor, or a first state, by the number that its note in the
// table holds, less one.
func (g *graph) met(note *uint32, l *visited.Lookup, s *searcher) {
	if l.Fresh {
		g.keys = append(g.keys, l.Print)
		parent := ^uint32(0)
		if !s.rooted {
			parent = g.expanded
		}
		g.parents = append(g.parents, parent)
		*note = uint32(len(g.keys))
	}
	if s.rooted {
		return
	}
	e := s.Edge()
	e.To = *note - 1
	g.edges.Edge(e)
	if g.process != nil {
		g.process.Move(liveness.Move{From: s.Turns.At, To: e.To, Step: liveness.Step{Event: e.Event, Renewed: e.Renewed, Passes: s.Move.Delay > 0}})
	}
}

// leaveRest ends the states that were met and not expanded, when the search stopped: what follows them lies
// behind a cut, as it were. So what refutes a claim all the same refutes it.
func (g *graph) leaveRest() {
	for ; int(g.expanded) < len(g.keys); g.expanded++ {
		g.edges.Close([]uint32{^uint32(0)}, 0)
	}
}

// parent returns the key of a state's parent.
func (g *graph) parent(n uint32) []fingerprint.Print {
	return []fingerprint.Print{g.keys[g.parents[n]]}
}

// state notes the goals of a new state.
func (g *graph) state(s *searcher, v []uint32) {
	if g.process != nil {
		g.process.State(s.Undecided(v) >= 0, s.Owed(v))
	}
	for _, list := range [][]goals{g.possible, g.fairly, g.surely} {
		for i := range list {
			list[i].reached = append(list[i].reached, list[i].in(s, v))
		}
	}
}

// close ends the edges of the state that was expanded, and what the process knows of its
// turns. Where time is locked something is owed that cannot happen, as behind a cut.
func (g *graph) close(s *searcher, locked bool) {
	if g.process != nil {
		for i, t := range s.Turns.All[1:] {
			g.process.Move(liveness.Move{From: t.From, To: uint32(i + 1), Inner: true, Chance: t.Chance, Step: t.Step})
		}
		g.process.Close()
	}
	if locked {
		s.Withheld = append(s.Withheld, ^uint32(0))
	}
	g.expanded++
	g.edges.Close(s.Withheld, s.Kept)
}
