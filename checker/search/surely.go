package search

import (
	"errors"
	"fmt"
	"slices"

	"contend/model"
)

// decideSurely judges the claims of probability. An adversary keeps the goal from being
// reached with probability one exactly when it can lead the run, with some probability,
// into an end component of states short of the goal, of runs that count: there it
// stays, and outside of such components it stays with probability zero. Every state
// that was met can be led to, so a claim holds when there is no such component.
//
// (de Alfaro, Formal verification of probabilistic systems, 1997, §3; Forejt,
// Kwiatkowska, Norman and Parker, Automated verification techniques for probabilistic
// systems, 2011, §4.)
func (g *graph) decideSurely(x *explorer) {
	game := g.process.game()
	for _, l := range g.surely {
		g.decideSure(x, l, game)
	}
	x.res.Notes = append(x.res.Notes, fmt.Sprintf("almost surely: against %s adversary; a draw from a window is uniform over its whole ticks", x.coins.adversary()))
}

// adversary names the adversary for people.
func (c coins) adversary() string {
	if c.against == model.Adaptive {
		return "an adaptive"
	}
	return fmt.Sprintf("a %v", c.against)
}

func (g *graph) decideSure(x *explorer, l liveness, game *game) {
	for s := range g.ends {
		if !l.reached[s] && g.cut[s] {
			x.res.Undecided[l.claim] = "cut"
		}
	}
	found := game.endComponents(l.reached)
	at := slices.IndexFunc(found, game.lasts)
	if at < 0 {
		if _, cut := x.res.Undecided[l.claim]; !cut && game.standsStill(l.reached) {
			x.res.Undecided[l.claim] = "time stands still"
		}
		return
	}
	if !x.refine.exact {
		x.readExactly(l.claim)
		return
	}
	delete(x.res.Undecided, l.claim)
	x.confirmStay(l.claim, g, game, found[at])
}

// readExactly looks for an end component once more where strict bounds are not closed:
// that it is one must not rest on what only closing allows.
func (x *explorer) readExactly(claim int) {
	opt := x.opt
	opt.Checkpoint = ""
	if opt.MaxStates == 0 || opt.MaxStates > refineStates {
		opt.MaxStates = refineStates
	}
	opt.Confirm = x.confirmAlone(claim)
	found, err := searchWith(x.sys, x.codec, x.claims[claim:claim+1], opt, finer[0])
	if err != nil {
		x.dispute(claim, err)
		return
	}
	c, broken := found.Violated[0]
	switch {
	case found.Disputed[0] != "":
		x.res.Disputed[claim] = found.Disputed[0]
	case broken:
		c.Claim = claim
		delete(x.res.Undecided, claim)
		x.res.Violated[claim] = c
	case found.Complete:
		x.res.Undecided[claim] = "strict bound"
	default:
		x.res.Undecided[claim] = "strict bound, and on the exact grid " + found.Limit
	}
}

// confirmStay makes a run of an end component: the shortest way into it and a round
// through it. Chance might go another way round; the adversary would stay all the same.
func (x *explorer) confirmStay(claim int, g *graph, game *game, component []uint32) {
	is := x.try(claim, func() Candidate {
		found := x.stay(g, game, component)
		found.Claim = claim
		return found
	})
	if is == StrictBound {
		x.dispute(claim, errors.New("no times make a run of the exact grid"))
	}
}

func (x *explorer) stay(g *graph, game *game, component []uint32) Candidate {
	r := x.way(g.keys[component[0]])
	before, closes, young := len(r.steps), 0, false
	take := func(round []uint32, each func(taken int)) {
		for i, ordinal := range round {
			r, _ = x.further(r, func(w *worker, _ []uint32, _ print) bool { return w.emitted == ordinal })
			each(i + 1)
		}
	}
	// The round is closed behind a step of the run, if it can be one at which no coin is
	// pending: such an alarm may be older when the round is entered than when it is taken
	// again, and then it is taken once more before.
	round := game.round(component)
	take(round, func(taken int) {
		if r.steps[len(r.steps)-1].Kind < passing && !young {
			young = !slices.ContainsFunc(r.v[x.head:], func(id uint32) bool { return x.store.flats[id].coin })
			if young || closes == 0 {
				closes = taken
			}
		}
	})
	if closes == 0 {
		steps, flights, _ := stepsOnly(r, 0)
		return Candidate{Text: "nothing more has to happen, and the goal is not reached", Steps: steps, Nodes: x.nodeBytes(r.v), InFlight: flights, Loop: -1}
	}
	loop := before + closes
	if !young {
		loop += len(round)
		take(round, func(int) {})
	}
	take(round[:closes], func(int) {})
	steps, flights, loop := stepsOnly(r, loop)
	text := fmt.Sprintf("%s; steps %d to %d go round once", x.stays(game, component), loop+1, len(steps))
	return Candidate{Text: text, Steps: steps, Nodes: x.nodeBytes(r.v), InFlight: flights, Loop: loop}
}

// stays says what an end component is.
func (x *explorer) stays(game *game, component []uint32) string {
	tossed := 0
	for _, p := range component {
		if game.chance[p] {
			tossed++
		}
	}
	text := fmt.Sprintf("%s adversary keeps the run for ever among %d positions short of the goal", x.coins.adversary(), len(component))
	if tossed == 0 {
		return text + ", where nothing is drawn"
	}
	return text + fmt.Sprintf(", whatever comes of the draws in %d of them", tossed)
}

// stepsOnly leaves out the moves that are no steps of a run, and says which step the
// given move has become. The time that they take is that of the step after them.
func stepsOnly(r route, move int) (steps []Step, flights [][]Message, step int) {
	flights = r.flights[:1]
	delay := 0
	for i, s := range r.steps {
		if i == move {
			step = len(steps)
		}
		if s.Kind >= passing {
			delay += s.Delay
			continue
		}
		s.Delay += delay
		delay = 0
		steps, flights = append(steps, s), append(flights, r.flights[i+1])
	}
	return steps, flights, step
}

// round returns the successors to take, from the component's first state, for a round
// back to it in which time passes and each event that is owed all along is taken.
func (g *game) round(component []uint32) []uint32 {
	start := component[0]
	at, round := start, []uint32(nil)
	walk := func(enough func(t uint32, edge int) bool) {
		var leg []uint32
		leg, at = g.leg(component, at, enough)
		round = append(round, leg...)
	}
	walk(func(_ uint32, edge int) bool { return edge >= 0 && g.steps[edge].passes })
	for _, e := range g.owed[start] {
		walk(func(t uint32, edge int) bool {
			if edge >= 0 {
				return g.steps[edge].label == e
			}
			if int(t) >= len(g.owed) {
				return false
			}
			_, owed := slices.BinarySearch(g.owed[t], e)
			return !owed
		})
	}
	if at != start {
		walk(func(t uint32, edge int) bool { return edge < 0 && t == start })
	}
	return round
}

// leg finds the shortest way inside a component from a turn to one that is enough, or
// over an edge that is.
func (g *game) leg(component []uint32, from uint32, enough func(t uint32, edge int) bool) ([]uint32, uint32) {
	type arrival struct {
		turn uint32
		by   int32
		via  int
	}
	queue := []arrival{{from, -1, -1}}
	seen := map[uint32]bool{from: true}
	back := func(i int, last int32) []uint32 {
		out := []uint32{}
		if last >= 0 {
			out = append(out, uint32(last))
		}
		for ; queue[i].via >= 0; i = queue[i].via {
			if queue[i].by >= 0 {
				out = append(out, uint32(queue[i].by))
			}
		}
		slices.Reverse(out)
		return out
	}
	for i := 0; i < len(queue); i++ {
		t := queue[i].turn
		if enough(t, -1) {
			return back(i, -1), t
		}
		for k := g.begins[t]; k < g.begins[t+1]; k++ {
			to := g.targets[k]
			if _, in := slices.BinarySearch(component, to); !in {
				continue
			}
			if enough(t, k) {
				return back(i, g.by[k]), to
			}
			if !seen[to] {
				seen[to] = true
				queue = append(queue, arrival{to, g.by[k], i})
			}
		}
	}
	panic("an end component is not connected")
}
