package runs

import (
	"cmp"
	"errors"
	"slices"

	"contend/checker/search/classes"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/checker/zone"
)

// A merged class has many predecessors, and not every predecessor leads to every point. So a run to a class is
// computed backward, from the wanted points, by the effect of each step on zones. It is then replayed forward,
// because on the way back every class is in a frame of its own.

// A Dense replays runs of a search in dense time.
type Dense struct {
	*Taker
	Classes *classes.Set
	Framer  *symmetry.Framer // for the worker's states
}

// A goalZone is a class of a route, and the points of the class from which the route can continue as planned.
type goalZone struct {
	class  uint32
	points zone.Zone
}

// Boots returns a run whose initial step breaks a claim, with its move. With fails, the step ends in a handler
// that fails. The worker calls breaks after each initial step.
func (c *Dense) Boots(fails bool, breaks func(w *step.Worker) bool) (Route, step.Move) {
	r := c.first(fails, func(w *step.Worker, _ []uint32) bool { return breaks(w) })
	return r.Route, r.move
}

// Breaking returns a run through a class to a step that breaks a claim, with the step's move. With fails, the
// step ends in a handler that fails.
func (c *Dense) Breaking(class uint32, fails bool, breaks func(w *step.Worker) bool) (Route, step.Move) {
	r := c.follow(c.routeTo(goalZone{class, c.pointsBreaking(class, fails, breaks)}))
	r = c.extend(r, fails, func(w *step.Worker, _ []uint32) bool { return breaks(w) })
	return r.Route, r.move
}

// To returns a run to a class.
func (c *Dense) To(class uint32) Route {
	return c.follow(c.routeTo(goalZone{class, c.Classes.List[class].Zone})).Route
}

// pointsBreaking returns the points of a class from which a step breaks a claim.
func (c *Dense) pointsBreaking(id uint32, fails bool, breaks func(w *step.Worker) bool) (points zone.Zone) {
	if !c.findSuccessor(id, fails, func(w *step.Worker, v []uint32) (ok bool) {
		if breaks(w) {
			points, ok = w.Zones.Unmake(w.Zones.Made)
		}
		return ok
	}) {
		panic(errNotFound)
	}
	return points
}

// findSuccessor expands a class and reports whether wanted returned true. It calls wanted with each successor,
// or with each step that ends in a failed handler, until wanted returns true.
func (c *Dense) findSuccessor(id uint32, fails bool, wanted func(w *step.Worker, v []uint32) bool) bool {
	w := c.Worker
	w.Refresh()
	done := false
	defer c.redirect(fails, func(v []uint32) {
		if !done {
			done = wanted(w, v)
		}
	})()
	w.Zones.At = c.Classes.List[id].Zone
	v := c.Classes.States[c.Classes.List[id].State].V
	w.Expand(v, w.PrintOfState(v))
	return done
}

// redirect makes the worker call tell with each successor, or with each step that ends in a failed handler. It
// returns a function that restores the worker.
func (c *Dense) redirect(fails bool, tell func(v []uint32)) (undo func()) {
	w := c.Worker
	emit, fail := w.Emit, w.Fail
	w.Emit, w.Fail = tell, nil
	if fails {
		w.Emit, w.Fail = func([]uint32) {}, tell
	}
	return func() { w.Emit, w.Fail = emit, fail }
}

// routeTo returns the classes and points of a route to a goal, from the beginning of the run.
func (c *Dense) routeTo(goal goalZone) []goalZone {
	goals := []goalZone{goal}
	for {
		to := goals[len(goals)-1]
		from := *c.Classes.List[to.class].From
		if from[0] == classes.NoClass {
			break
		}
		goals = append(goals, c.predecessor(to, from))
	}
	slices.Reverse(goals)
	return goals
}

// predecessor returns a predecessor class and its points from which a step leads to a goal. It panics with a
// [Disagreement] if there is none.
func (c *Dense) predecessor(to goalZone, from []uint32) goalZone {
	state := &c.Classes.States[c.Classes.List[to.class].State]
	around := classes.Images(to.points, state.Exchanges)
	for _, id := range from {
		var points zone.Zone
		if c.findSuccessor(id, false, func(w *step.Worker, v []uint32) (ok bool) {
			f := c.Framer.Framed(v, w.Sum)
			if f.Key != state.Key {
				return false
			}
			for _, goal := range around {
				if part, met := partIn(w, f, goal); met {
					if points, ok = w.Zones.Unmake(part); ok {
						return true
					}
				}
			}
			return false
		}) {
			return goalZone{id, points}
		}
	}
	panic(Disagreement{errors.New("a class was met, but no way to it is found again")})
}

// partIn returns the points of the successor, with rows in the order of their creation, that are points of a
// goal in its frame f.
func partIn(w *step.Worker, f *symmetry.Frame, goal zone.Zone) (zone.Zone, bool) {
	back := make([]int, len(f.Order))
	for k, row := range f.Order {
		back[row] = k
	}
	var part zone.Zone
	part.Arrange(goal, back)
	return part, part.Meet(w.Zones.Made)
}

// A denseRoute is a run during its replay, with the zone of exactly this run.
type denseRoute struct {
	Route
	zone    zone.Zone
	move    step.Move
	initial bool
}

// follow replays a run through the goals.
func (c *Dense) follow(goals []goalZone) denseRoute {
	var r denseRoute
	for i, goal := range goals {
		state := &c.Classes.States[c.Classes.List[goal.class].State]
		around := classes.Images(goal.points, state.Exchanges)
		wanted := func(w *step.Worker, v []uint32) bool {
			return c.Framer.Framed(v, w.Sum).Key == state.Key && c.Framer.EveryFrame(v, w.Sum, func(f *symmetry.Frame) bool {
				return slices.ContainsFunc(around, func(g zone.Zone) bool {
					_, met := partIn(w, f, g)
					return met
				})
			})
		}
		if i == 0 {
			r = c.first(false, wanted)
		} else {
			r = c.extend(r, false, wanted)
		}
	}
	return r
}

func (c *Dense) first(fails bool, wanted func(w *step.Worker, v []uint32) bool) denseRoute {
	return c.choose(denseRoute{initial: true}, fails, wanted, func(w *step.Worker) { w.Initial() })
}

// extend extends a run by a wanted step; with fails, by a step that ends in a failed handler.
func (c *Dense) extend(r denseRoute, fails bool, wanted func(w *step.Worker, v []uint32) bool) denseRoute {
	return c.choose(r, fails, wanted, func(w *step.Worker) {
		w.Zones.At = r.zone
		w.Expand(r.V, w.PrintOfState(r.V))
	})
}

// choose takes the wanted successor with the least name.
func (c *Dense) choose(r denseRoute, fails bool, wanted func(w *step.Worker, v []uint32) bool, expand func(w *step.Worker)) denseRoute {
	w := c.Worker
	w.Refresh()
	var best *successor
	var left zone.Zone
	undo := c.redirect(fails, func(v []uint32) {
		if !wanted(w, v) {
			return
		}
		next := successorOf(w, v)
		if next.name = c.nameOf(next.move); best == nil || cmp.Or(cmp.Compare(next.name, best.name), cmp.Compare(next.occurrence, best.occurrence)) < 0 {
			best, left = next, w.Zones.Made.Clone()
		}
	})
	w.Zones.Either = true
	defer func() { undo(); w.Zones.Either = false }()
	w.Track(r.cast, func() { expand(w) })
	if best == nil {
		panic(errNotFound)
	}
	next := denseRoute{Route: r.Route, zone: left, move: best.move}
	next.V, next.cast = best.v, c.After(r.cast, best.trail)
	if !r.initial {
		next.Steps = append(next.Steps, c.Step(next.move, best.occurrence))
	} else {
		next.Boot = Picks(best.move.Picks)
	}
	next.Flights = append(next.Flights, c.inFlight(next.V, next.cast))
	return next
}
