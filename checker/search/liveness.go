package search

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/graph"
	"contend/checker/search/liveness"
	"contend/checker/search/runs"
	"contend/checker/search/suspect"
	"contend/model"
)

// A graphNotes numbers the states in the graph of all states, for claims that no single run refutes.
type graphNotes struct {
	*explorer
	graph *graph.Graph
}

// batch is 1: the graph numbers each state when it is met.
func (*graphNotes) batch() int { return 1 }

func (x *graphNotes) write(s *searcher) (fresh int64) {
	for i := range s.batch {
		l := &s.batch[i]
		if x.graph.AddEdge(x.set.Note(l), l, s.Worker, s.rooted); l.Fresh {
			fresh++
		}
	}
	return fresh
}

func (x *graphNotes) state(s *searcher, v []uint32) { x.graph.State(s.asked, v) }

func (x *graphNotes) expanded(s *searcher, locked bool) { x.graph.Close(s.Worker, locked) }

func (x *graphNotes) parents(note uint32) []fingerprint.Print { return x.graph.Parent(note - 1) }

func (*graphNotes) settle() {}

func (*graphNotes) again([]suspect.Suspect) bool { return false }

func (*graphNotes) layer() {}

// spills is false: the table holds the numbers of all states.
func (*graphNotes) spills() bool { return false }

// mostNumbered is the number of states that a graph has numbers for, less some for the states of one layer.
var mostNumbered int64 = math.MaxUint32 - 1<<20

func (*graphNotes) limit(states int64) decide.Limit {
	if states > mostNumbered {
		return decide.Limit{Code: States, Detail: "2³² of them are numbered for a liveness claim"}
	}
	return decide.Limit{}
}

func (x *graphNotes) finish() {
	x.afterwards(x.judgeLiveness)
	x.leaveLiveness()
}

func (x *graphNotes) whole() *graph.Graph { return x.graph }

// judgedWhenStopped is the largest size of a graph, in steps times claims, that is judged when the search is
// stopped from outside. It takes a fraction of a second.
var judgedWhenStopped = 1 << 21

// judgeLiveness judges the liveness claims on the state space, or on the part that was met before the search
// stopped. It makes candidates of what refutes them.
func (x *graphNotes) judgeLiveness(beat func()) {
	g := x.graph
	g.Edges.Beat.Call = beat
	if x.res.Complete {
		for _, l := range g.All() {
			o := &x.res.Claims[l.Claim]
			o.Witnessed = o.Witnessed || slices.Contains(l.Reached, false)
		}
	} else if x.stopped() && g.Edges.Size()*len(g.All()) > judgedWhenStopped {
		return
	}
	g.LeaveRest()
	for _, l := range g.Possible {
		x.judgePossible(l)
	}
	for _, l := range g.Fairly {
		x.judgeEventually(l)
	}
	if g.Process != nil && x.res.Complete {
		x.judgeSurely(beat)
	}
}

// leaveLiveness leaves open the liveness claims that an incomplete state space does not refute.
func (x *graphNotes) leaveLiveness() {
	for _, l := range x.graph.All() {
		if o := &x.res.Claims[l.Claim]; o.Violated == nil && !x.res.Complete {
			o.Limit = x.res.Limit
		}
	}
}

// judgePossible looks for a doomed state. On the closing grid, it counts if the run to it is real at the very
// times of the grid: closing has only added continuations. If there is none, the claim holds only if real steps
// alone lead to the goal.
func (x *graphNotes) judgePossible(l graph.Goals) {
	o, p := &x.res.Claims[l.Claim], x.graph.Edges.Possible(l.Reached)
	if p.Cut {
		o.Limit = decide.Limited(decide.Cut)
	}
	open := p.Closed || x.Strict.Windows && x.Closing()
	if open {
		o.Limit = decide.Limited(decide.StrictBound)
	}
	x.tryEach(l.Claim, p.Doomed, "from here the goal cannot be reached any more")
	if open && o.Spurious == 0 && x.res.Complete {
		x.refineClaim(l.Claim)
	}
}

// tryEach passes states that refute a claim to the interpreter, until it confirms one or too many are spurious.
func (x *graphNotes) tryEach(claim int, states []uint32, text string) {
	for _, s := range states {
		x.graph.Edges.Beat.Call()
		x.confirm(suspect.Suspect{Claim: claim, Text: text, Key: x.graph.Keys[s], Pinned: x.Closing() && x.Strict.Any()})
		o := &x.res.Claims[claim]
		if o.Violated != nil {
			o.Limit = decide.Limit{}
			return
		}
		if o.Spurious >= x.opt.MaxSpurious {
			return
		}
	}
}

// judgeEventually looks for a fair run that never reaches the goal: one that ends, or a round. With time, only
// runs that end refute the claim, since a round need not let time pass; other rounds leave the claim open. Closing
// only adds runs. So if the closing grid has no such run, the claim holds.
func (x *graphNotes) judgeEventually(l graph.Goals) {
	g, o := x.graph, &x.res.Claims[l.Claim]
	if g.Edges.CutShort(l.Reached) {
		o.Limit = decide.Limited(decide.Cut)
	}
	x.tryEach(l.Claim, g.Edges.Ends(l.Reached), "nothing more can happen, and the goal is not reached")
	if o.Violated != nil {
		return
	}
	round, ok := g.Edges.FairRound(l.Reached)
	switch {
	case !ok:
	case x.Timed:
		o.Limit = decide.Limited(decide.TimedRound)
	default:
		o.Limit = decide.Limit{}
		x.confirmRound(l.Claim, round)
	}
}

// judgeSurely judges the claims of probability.
func (x *graphNotes) judgeSurely(beat func()) {
	game := x.graph.Process.Game()
	game.Beat.Call = beat
	for _, l := range x.graph.Surely {
		x.judgeSure(l, game)
	}
	x.res.Notes = append(x.res.Notes, fmt.Sprintf("almost surely: against %s adversary; a draw from a window is uniform over its whole ticks", x.Coins.Adversary()))
}

// judgeSure looks for an end component short of the goal: the adversary can keep the run there forever. Closing
// the bound of a hold gives the adversary one more answer. So if the closing grid has no end component, the claim
// holds; one that exists is searched for again with exact bounds. Open windows differ: whole ticks may miss them,
// and against a nonadaptive adversary closing gives more to chance.
func (x *graphNotes) judgeSure(l graph.Goals, game *liveness.Game) {
	g, o := x.graph, &x.res.Claims[l.Claim]
	if g.Edges.CutShort(l.Reached) {
		o.Limit = decide.Limited(decide.Cut)
	}
	place, ok := game.Stay(l.Reached)
	switch {
	case !ok:
		x.judgeNoPlace(l, game)
	case x.Closing() && x.Strict.Any():
		x.readExactly(l.Claim)
	case x.Strict.Windows && x.Coins.Against == model.Nonadaptive:
		o.Limit = decide.Limited(decide.StrictBound)
	default:
		o.Limit = decide.Limit{}
		x.confirmStay(l.Claim, game, place)
	}
}

func (x *graphNotes) judgeNoPlace(l graph.Goals, game *liveness.Game) {
	o := &x.res.Claims[l.Claim]
	left := !o.Limit.None()
	switch {
	case left && x.wasCut():
	case x.Strict.Windows:
		if !left {
			o.Limit = decide.Limited(decide.StrictBound)
		}
	case !left && !game.StandsStill(l.Reached):
	case x.goesOnExactly(l.Claim):
		o.Limit = decide.Limit{}
	case !left:
		o.Limit = decide.Limited(decide.TimeStandsStill)
	}
}

// goesOnExactly reports whether time stands still only behind an answer that closing the end of a hold allows.
func (x *graphNotes) goesOnExactly(claim int) bool {
	if !x.Closing() || !x.Strict.Any() || !x.wholeInstants() {
		return false
	}
	found := x.searchAgain(claim, component.ExactGrid(1))
	return found != nil && holdsExactly(found)
}

// wholeInstants reports whether all steps are at whole ticks, so that the exact grid has every run. An event
// between two ticks may find one hold over and another not over, as at neither tick.
func (x *graphNotes) wholeInstants() bool {
	return !x.Strict.Spread && x.Sys.Faults == (model.Faults{}) && x.Sys.Detector.Kind == model.NoDetector && x.Sys.Forge == nil
}

func holdsExactly(found *Result) bool {
	return found.Complete && len(found.Violated()) == 0 && found.Claims[0].Limit.None()
}

// readExactly searches for an end component again without closing strict bounds. It must not depend on closing.
func (x *graphNotes) readExactly(claim int) {
	found := x.searchAgain(claim, component.ExactGrid(1))
	if found == nil {
		return
	}
	o := &x.res.Claims[claim]
	switch c := found.Claims[0].Violated; {
	case c != nil:
		o.violate(c.of(claim))
	case holdsExactly(found) && x.wholeInstants():
		o.Limit = decide.Limit{}
	case found.Complete:
		o.Limit = decide.Limited(decide.StrictBound)
	default:
		o.Limit = decide.Limit{Code: decide.StrictBound, Detail: "and on the exact grid " + found.Limit.String()}
	}
}

// confirmLoop passes an infinite run to the interpreter. The two must agree, since the search is exact.
func (x *graphNotes) confirmLoop(claim int, run func() Candidate) {
	if x.try(claim, run) == StrictBound {
		x.dispute(claim, errors.New("no times make a run of the exact grid"))
	}
}

// confirmRound passes a fair round to the interpreter.
func (x *graphNotes) confirmRound(claim int, round liveness.Round) {
	x.confirmLoop(claim, func() Candidate {
		r, loop := x.graph.Around(x.taker, round)
		return Candidate{Claim: claim, Text: "the run goes round here for ever, and the goal is not reached", Boot: r.Boot, Steps: r.Steps,
			Nodes: x.taker.NodeBytes(r.V), InFlight: r.Flights, Loop: loop, NoReturn: x.noReturn(claim, r)}
	})
}

// confirmStay passes a run that stays in an end component to the interpreter.
func (x *graphNotes) confirmStay(claim int, game *liveness.Game, component []uint32) {
	x.confirmLoop(claim, func() Candidate {
		r, behind := x.graph.Stay(x.taker, game, component)
		steps, flights, is := r.StepsOnly(behind)
		loop, text := -1, "nothing more has to happen, and the goal is not reached"
		if behind >= 0 {
			loop = is
			text = fmt.Sprintf("%s; steps %d to %d go round once", x.stays(game, component), loop+1, len(steps))
		}
		return Candidate{Claim: claim, Text: text, Boot: r.Boot, Steps: steps, Nodes: x.taker.NodeBytes(r.V), InFlight: flights, Loop: loop,
			NoReturn: x.noReturn(claim, r)}
	})
}

// stays returns a description of an end component.
func (x *graphNotes) stays(game *liveness.Game, component []uint32) string {
	text := fmt.Sprintf("%s adversary keeps the run for ever among %d positions short of the goal", x.Coins.Adversary(), len(component))
	if tossed := game.Tossed(component); tossed > 0 {
		return text + fmt.Sprintf(", whatever comes of the draws in %d of them", tossed)
	}
	return text + ", where nothing is drawn"
}

// noReturn returns a run's point of no return.
func (x *graphNotes) noReturn(claim int, r runs.Route) *graph.NoReturn {
	if !graph.Ahead(x.kind(claim)) {
		return nil
	}
	return x.graph.NoReturn(claim, r, graph.Context{
		Number: func(key fingerprint.Print) (uint32, bool) {
			note, met, err := x.set.NoteOf(key)
			must(err)
			return note - 1, met
		},
		Limit: cmp.Or(x.res.Limit.String(), decide.Cut), Exact: x.Refine.Exact}) // the grid is exact only after a strict bound
}
