package search

import (
	"cmp"
	"errors"
	"slices"

	"contend/checker/zone"
	"contend/model"
)

// A merged class has many ways into it, and not every one of them leads to every point.
// So a run to a class is found backwards, from the points that matter, by what each step
// does to zones; and then taken forwards, since on the way back every class is in a frame
// of its own.

// framer is that of the searcher which takes runs again.
func (c *classes) framer() *framer { return c.x.workers[0].framer }

// A goal of a retrace is a class, and the points in it from which the run goes on as it
// must.
type goalZone struct {
	class  uint32
	points zone.Zone
}

// retrace makes the run of a candidate.
func (c *classes) retrace(found candidate) Candidate {
	x := c.x
	out := Candidate{Claim: found.claim, Text: found.text, Loop: -1}
	breaks := func(w *worker) bool {
		return slices.ContainsFunc(w.move.broken, func(b broken) bool { return b.monitor == found.monitor })
	}
	var r concrete
	switch {
	case found.boot:
		r = c.boots(breaks)
	case found.step:
		id := uint32(found.key.A)
		r = c.follow(c.back(goalZone{id, c.leadingOn(id, breaks)}))
		r = c.further(r, func(w *worker, _ []uint32) bool { return breaks(w) })
	default:
		id := uint32(found.key.A)
		r = c.follow(c.back(goalZone{id, c.list[id].zone}))
	}
	if found.step {
		b := r.by.broken[slices.IndexFunc(r.by.broken, func(b broken) bool { return b.monitor == found.monitor })]
		if out.Text = b.text; b.who >= 0 {
			out.Text = x.sys.Name(model.NodeID(b.who)) + ": " + b.text
		}
	}
	if k := slices.Index(x.workers[0].invs.claims, found.claim); k >= 0 {
		out.Text = x.workers[0].invs.judge(k, r.v)
	}
	out.Steps, out.InFlight, out.Nodes = r.steps, r.flights, x.nodeBytes(r.v)
	return out
}

// way returns the steps of a run to a class.
func (c *classes) way(key print) []Step {
	id := uint32(key.A)
	return c.follow(c.back(goalZone{id, c.list[id].zone})).steps
}

// leadingOn returns the points of a class that a step which breaks a claim takes.
func (c *classes) leadingOn(id uint32, breaks func(w *worker) bool) (points zone.Zone) {
	c.expandFor(id, func(w *worker, v []uint32) bool {
		if !breaks(w) {
			return false
		}
		var ok bool
		points, ok = w.zones.unmake(w.zones.made)
		return ok
	})
	return points
}

// expandFor expands a class until one of its successors is what is wanted.
func (c *classes) expandFor(id uint32, wanted func(w *worker, v []uint32) bool) bool {
	s := c.x.workers[0]
	s.refresh()
	done := false
	s.emit = func(v []uint32) {
		if !done {
			done = wanted(s.worker, v)
		}
	}
	defer func() { s.emit = s.foundClass }()
	s.zones.at = c.list[id].zone
	v := c.states[c.list[id].state].v
	s.expand(v, s.printOfState(v))
	return done
}

// back returns the classes and points of a way to a goal, from the beginning of the run.
func (c *classes) back(goal goalZone) []goalZone {
	goals := []goalZone{goal}
	for {
		to := goals[len(goals)-1]
		from := *c.list[to.class].from
		if from[0] == noClass {
			break
		}
		goals = append(goals, c.before(to, from))
	}
	slices.Reverse(goals)
	return goals
}

// before returns a class and its points from which a step leads to a goal.
func (c *classes) before(to goalZone, from []uint32) goalZone {
	state := &c.states[c.list[to.class].state]
	around := images(to.points, state.exchanges)
	for _, id := range from {
		var points zone.Zone
		if c.expandFor(id, func(w *worker, v []uint32) (ok bool) {
			f := c.framer().framed(v, w.sum)
			if f.key != state.key {
				return false
			}
			for _, goal := range around {
				if part, met := w.partIn(f, goal); met {
					if points, ok = w.zones.unmake(part); ok {
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
func (w *worker) partIn(f *frame, goal zone.Zone) (zone.Zone, bool) {
	back := make([]int, len(f.order))
	for k, row := range f.order {
		back[row] = k
	}
	var part zone.Zone
	part.Arrange(goal, back)
	return part, part.Meet(w.zones.made)
}

// concrete is a run that is being taken again: its state with the zone of just this run.
type concrete struct {
	steps   []Step
	flights [][]Message
	v       []uint32
	cast    cast
	zone    zone.Zone
	by      move
	boot    bool
}

// follow takes a run through goals.
func (c *classes) follow(goals []goalZone) concrete {
	var r concrete
	for i, goal := range goals {
		state := &c.states[c.list[goal.class].state]
		around := images(goal.points, state.exchanges)
		wanted := func(w *worker, v []uint32) bool {
			return c.framer().framed(v, w.sum).key == state.key && c.framer().everyFrame(v, w.sum, func(f *frame) bool {
				return slices.ContainsFunc(around, func(g zone.Zone) bool {
					_, met := w.partIn(f, g)
					return met
				})
			})
		}
		if i == 0 {
			r = c.first(wanted)
		} else {
			r = c.further(r, wanted)
		}
	}
	return r
}

func (c *classes) first(wanted func(w *worker, v []uint32) bool) concrete {
	return c.choose(concrete{boot: true}, wanted, func(s *searcher) { s.initial() })
}

// boots is the run whose beginning breaks a claim.
func (c *classes) boots(breaks func(w *worker) bool) concrete {
	return c.first(func(w *worker, _ []uint32) bool { return breaks(w) })
}

// further takes a step more.
func (c *classes) further(r concrete, wanted func(w *worker, v []uint32) bool) concrete {
	return c.choose(r, wanted, func(s *searcher) {
		s.zones.at = r.zone
		s.expand(r.v, s.printOfState(r.v))
	})
}

// choose takes of the wanted successors the least by name.
func (c *classes) choose(r concrete, wanted func(w *worker, v []uint32) bool, expand func(s *searcher)) concrete {
	x := c.x
	s := x.workers[0]
	s.refresh()
	var best *successor
	var left zone.Zone
	s.emit = func(v []uint32) {
		if !wanted(s.worker, v) {
			return
		}
		next := s.successor(v)
		if next.name = x.nameOf(next.by); best == nil || cmp.Or(cmp.Compare(next.name, best.name), cmp.Compare(next.occurrence, best.occurrence)) < 0 {
			best, left = next, s.zones.made.Clone()
		}
	}
	s.zones.either = true
	defer func() { s.emit, s.zones.either = s.foundClass, false }()
	s.track(r.cast, func() { expand(s) })
	if best == nil {
		panic(Disagreement{errors.New("a step was taken, but it is not found again")})
	}
	next := concrete{steps: r.steps, v: best.v, cast: x.after(r.cast, best.trail), zone: left, by: best.by}
	if !r.boot {
		next.steps = append(next.steps, x.step(next.by, best.occurrence))
	}
	next.flights = append(r.flights, x.inFlight(next.v, next.cast))
	return next
}
