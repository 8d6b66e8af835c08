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

// A merged class has many ways into it, and not every one of them leads to every point.
// So a run to a class is found backwards, from the points that matter, by what each step
// does to zones; and then taken forwards, since on the way back every class is in a frame
// of its own.

// Dense takes runs of a search in dense time again.
type Dense struct {
	*Taker
	Classes *classes.Set
	Framer  *symmetry.Framer // of the worker's states
}

// A goal of a retrace is a class, and the points in it from which the run goes on as it
// must.
type goalZone struct {
	class  uint32
	points zone.Zone
}

// Boots is a run whose beginning breaks a claim, with the move that does.
func (c *Dense) Boots(fails bool, breaks func(w *step.Worker) bool) (Route, step.Move) {
	r := c.first(fails, func(w *step.Worker, _ []uint32) bool { return breaks(w) })
	return r.Route, r.by
}

// Breaking is a run through a class to a step from there which breaks a claim, with the step's move.
func (c *Dense) Breaking(class uint32, fails bool, breaks func(w *step.Worker) bool) (Route, step.Move) {
	r := c.follow(c.back(goalZone{class, c.leadingOn(class, fails, breaks)}))
	r = c.further(r, fails, func(w *step.Worker, _ []uint32) bool { return breaks(w) })
	return r.Route, r.by
}

// To is a run to a class.
func (c *Dense) To(class uint32) Route {
	return c.follow(c.back(goalZone{class, c.Classes.List[class].Zone})).Route
}

// leadingOn returns the points of a class that a step which breaks a claim takes.
func (c *Dense) leadingOn(id uint32, fails bool, breaks func(w *step.Worker) bool) (points zone.Zone) {
	if !c.expandFor(id, fails, func(w *step.Worker, v []uint32) (ok bool) {
		if breaks(w) {
			points, ok = w.Zones.Unmake(w.Zones.Made)
		}
		return ok
	}) {
		panic(errNotFound)
	}
	return points
}

// expandFor expands a class until one of its successors, or of the steps that end in a handler
// that fails, is what is wanted.
func (c *Dense) expandFor(id uint32, fails bool, wanted func(w *step.Worker, v []uint32) bool) bool {
	w := c.Worker
	w.Refresh()
	done := false
	defer c.hear(fails, func(v []uint32) {
		if !done {
			done = wanted(w, v)
		}
	})()
	w.Zones.At = c.Classes.List[id].Zone
	v := c.Classes.States[c.Classes.List[id].State].V
	w.Expand(v, w.PrintOfState(v))
	return done
}

// hear has the successors of the worker told, or the steps that end in a handler that fails. It
// returns what undoes that.
func (c *Dense) hear(fails bool, tell func(v []uint32)) (undo func()) {
	w := c.Worker
	emit, fail := w.Emit, w.Fail
	w.Emit, w.Fail = tell, nil
	if fails {
		w.Emit, w.Fail = func([]uint32) {}, tell
	}
	return func() { w.Emit, w.Fail = emit, fail }
}

// back returns the classes and points of a way to a goal, from the beginning of the run.
func (c *Dense) back(goal goalZone) []goalZone {
	goals := []goalZone{goal}
	for {
		to := goals[len(goals)-1]
		from := *c.Classes.List[to.class].From
		if from[0] == classes.NoClass {
			break
		}
		goals = append(goals, c.before(to, from))
	}
	slices.Reverse(goals)
	return goals
}

// before returns a class and its points from which a step leads to a goal.
func (c *Dense) before(to goalZone, from []uint32) goalZone {
	state := &c.Classes.States[c.Classes.List[to.class].State]
	around := classes.Images(to.points, state.Exchanges)
	for _, id := range from {
		var points zone.Zone
		if c.expandFor(id, false, func(w *step.Worker, v []uint32) (ok bool) {
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

// partIn returns the points of the successor, its rows as they were made, that in its
// frame are points of a goal.
func partIn(w *step.Worker, f *symmetry.Frame, goal zone.Zone) (zone.Zone, bool) {
	back := make([]int, len(f.Order))
	for k, row := range f.Order {
		back[row] = k
	}
	var part zone.Zone
	part.Arrange(goal, back)
	return part, part.Meet(w.Zones.Made)
}

// concrete is a run that is being taken again, with the zone of just this run.
type concrete struct {
	Route
	zone zone.Zone
	by   step.Move
	boot bool
}

// follow takes a run through goals.
func (c *Dense) follow(goals []goalZone) concrete {
	var r concrete
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
			r = c.further(r, false, wanted)
		}
	}
	return r
}

func (c *Dense) first(fails bool, wanted func(w *step.Worker, v []uint32) bool) concrete {
	return c.choose(concrete{boot: true}, fails, wanted, func(w *step.Worker) { w.Initial() })
}

// further takes a step more; whether it ends in a handler that fails is given.
func (c *Dense) further(r concrete, fails bool, wanted func(w *step.Worker, v []uint32) bool) concrete {
	return c.choose(r, fails, wanted, func(w *step.Worker) {
		w.Zones.At = r.zone
		w.Expand(r.V, w.PrintOfState(r.V))
	})
}

// choose takes of the wanted successors the least by name.
func (c *Dense) choose(r concrete, fails bool, wanted func(w *step.Worker, v []uint32) bool, expand func(w *step.Worker)) concrete {
	w := c.Worker
	w.Refresh()
	var best *successor
	var left zone.Zone
	undo := c.hear(fails, func(v []uint32) {
		if !wanted(w, v) {
			return
		}
		next := successorOf(w, v)
		if next.name = c.nameOf(next.by); best == nil || cmp.Or(cmp.Compare(next.name, best.name), cmp.Compare(next.occurrence, best.occurrence)) < 0 {
			best, left = next, w.Zones.Made.Clone()
		}
	})
	w.Zones.Either = true
	defer func() { undo(); w.Zones.Either = false }()
	w.Track(r.cast, func() { expand(w) })
	if best == nil {
		panic(errNotFound)
	}
	next := concrete{Route: r.Route, zone: left, by: best.by}
	next.V, next.cast = best.v, c.After(r.cast, best.trail)
	if !r.boot {
		next.Steps = append(next.Steps, c.Step(next.by, best.occurrence))
	} else {
		next.Boot = pickedAll(best.by.Picks)
	}
	next.Flights = append(next.Flights, c.inFlight(next.V, next.cast))
	return next
}
