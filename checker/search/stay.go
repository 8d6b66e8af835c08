package search

import (
	"errors"
	"fmt"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/step"
	"contend/model"
)

// judgeSure looks for a place short of the goal where the adversary can keep the run for
// ever. Closing the bound of a hold gives the adversary an answer more, so that there is no
// such place holds on the closing grid as well; a place is looked for again where bounds
// are read exactly. Open windows are another matter: whole ticks may miss them, and against
// a nonadaptive adversary it is chance that closing gives more to.
func (x *explorer) judgeSure(l goals, game *liveness.Game) {
	g := x.graph
	if g.edges.CutShort(l.reached) {
		x.res.Undecided[l.claim] = decide.Cut
	}
	place, ok := game.Stay(l.reached)
	switch {
	case !ok:
		x.judgeNoPlace(l, game)
	case x.Closing() && x.Strict.Any():
		x.readExactly(l.claim)
	case x.Strict.Windows && x.Coins.Against == model.Nonadaptive:
		x.res.Undecided[l.claim] = decide.StrictBound
	default:
		delete(x.res.Undecided, l.claim)
		x.confirmStay(l.claim, game, place)
	}
}

func (x *explorer) judgeNoPlace(l goals, game *liveness.Game) {
	if _, cut := x.res.Undecided[l.claim]; cut {
		return
	}
	switch {
	case x.Strict.Windows:
		x.res.Undecided[l.claim] = decide.StrictBound
	case game.StandsStill(l.reached):
		x.res.Undecided[l.claim] = decide.TimeStandsStill
	}
}

// readExactly looks for an end component once more where strict bounds are not closed:
// that it is one must not rest on what only closing allows.
func (x *explorer) readExactly(claim int) {
	found := x.searchAgain(claim, component.ExactGrid(1))
	if found == nil {
		return
	}
	c, broken := found.Violated[0]
	switch {
	case broken:
		c.Claim = claim
		delete(x.res.Undecided, claim)
		x.res.Violated[claim] = c
	case found.Complete:
		x.res.Undecided[claim] = decide.StrictBound
	default:
		x.res.Undecided[claim] = decide.StrictBound + ", and on the exact grid " + found.Limit
	}
}

// confirmRound makes a run of a fair round: the shortest way to where it begins, and once
// round.
func (x *explorer) confirmRound(claim int, round liveness.Round) {
	x.confirmLoop(claim, func() Candidate {
		r := x.way(x.graph.keys[round.Entry])
		loop := len(r.steps)
		for _, ordinal := range round.Edges {
			r, _ = x.further(r, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return w.Emitted == ordinal })
		}
		return Candidate{Claim: claim, Text: "the run goes round here for ever, and the goal is not reached", Boot: r.boot, Steps: r.steps,
			Nodes: x.nodeBytes(r.v), InFlight: r.flights, Loop: loop, NoReturn: x.noReturn(claim, r)}
	})
}

// confirmStay makes a run of an end component: the shortest way into it and a round
// through it. Chance might go another way round; the adversary would stay all the same.
func (x *explorer) confirmStay(claim int, game *liveness.Game, component []uint32) {
	x.confirmLoop(claim, func() Candidate {
		found, r := x.stay(game, component)
		found.Claim, found.NoReturn = claim, x.noReturn(claim, r)
		return found
	})
}

// confirmLoop takes a run for ever to the interpreter, which has to agree: what it was
// found by is exact.
func (x *explorer) confirmLoop(claim int, run func() Candidate) {
	if x.try(claim, run) == StrictBound {
		x.dispute(claim, errors.New("no times make a run of the exact grid"))
	}
}

// stay makes the run, and the route that it was made of.
func (x *explorer) stay(game *liveness.Game, component []uint32) (found Candidate, r route) {
	round := game.Round(component)
	r = x.way(x.graph.keys[round.Entry])
	before, closes, young := len(r.steps), 0, false
	take := func(ordinals []uint32, each func(taken int)) {
		for i, ordinal := range ordinals {
			r, _ = x.further(r, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return w.Emitted == ordinal })
			each(i + 1)
		}
	}
	// The round is closed behind a step of the run, if it can be one at which no coin is
	// pending: such an alarm may be older when the round is entered than when it is taken
	// again, and then it is taken once more before.
	take(round.Edges, func(taken int) {
		if r.steps[len(r.steps)-1].Kind < step.Passing && !young {
			young = !slices.ContainsFunc(r.v[x.Head:], func(id uint32) bool { return x.Store.Flats[id].Coin })
			if young || closes == 0 {
				closes = taken
			}
		}
	})
	if closes == 0 {
		steps, flights, _ := stepsOnly(r, 0)
		return Candidate{Text: "nothing more has to happen, and the goal is not reached", Boot: r.boot, Steps: steps, Nodes: x.nodeBytes(r.v), InFlight: flights, Loop: -1}, r
	}
	loop := before + closes
	if !young {
		loop += len(round.Edges)
		take(round.Edges, func(int) {})
	}
	take(round.Edges[:closes], func(int) {})
	steps, flights, loop := stepsOnly(r, loop)
	text := fmt.Sprintf("%s; steps %d to %d go round once", x.stays(game, component), loop+1, len(steps))
	return Candidate{Text: text, Boot: r.boot, Steps: steps, Nodes: x.nodeBytes(r.v), InFlight: flights, Loop: loop}, r
}

// stays says what an end component is.
func (x *explorer) stays(game *liveness.Game, component []uint32) string {
	text := fmt.Sprintf("%s adversary keeps the run for ever among %d positions short of the goal", x.Coins.Adversary(), len(component))
	if tossed := game.Tossed(component); tossed > 0 {
		return text + fmt.Sprintf(", whatever comes of the draws in %d of them", tossed)
	}
	return text + ", where nothing is drawn"
}

// stepsOnly leaves out the moves that are no steps of a run, and says which step the
// given move has become. The time that they take is that of the step after them.
func stepsOnly(r route, move int) (steps []Step, flights [][]Message, is int) {
	flights = r.flights[:1]
	delay := 0
	for i, s := range r.steps {
		if i == move {
			is = len(steps)
		}
		if s.Kind >= step.Passing {
			delay += s.Delay
			continue
		}
		s.Delay += delay
		delay = 0
		steps, flights = append(steps, s), append(flights, r.flights[i+1])
	}
	return steps, flights, is
}
