package search

import (
	"cmp"
	"errors"
	"slices"

	"contend/checker/search/classes"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/checker/zone"
	"contend/model"
)

// A merged class has many ways into it, and not every one of them leads to every point.
// So a run to a class is found backwards, from the points that matter, by what each step
// does to zones; and then taken forwards, since on the way back every class is in a frame
// of its own.

// framer is that of the searcher which takes runs again.
func (c *denseSearch) framer() *symmetry.Framer { return c.x.workers[0].framer }

// A goal of a retrace is a class, and the points in it from which the run goes on as it
// must.
type goalZone struct {
	class  uint32
	points zone.Zone
}

// retrace makes the run of a candidate.
func (c *denseSearch) retrace(found candidate) Candidate {
	x := c.x
	out := Candidate{Claim: found.claim, Text: found.text, Loop: -1}
	breaks := func(w *step.Worker) bool {
		return slices.ContainsFunc(w.Move.Broken, found.shows)
	}
	var r concrete
	switch {
	case found.boot:
		r = c.boots(found.fails, breaks)
	case found.step:
		id := uint32(found.key.A)
		r = c.follow(c.back(goalZone{id, c.leadingOn(id, found.fails, breaks)}))
		r = c.further(r, found.fails, func(w *step.Worker, _ []uint32) bool { return breaks(w) })
	default:
		id := uint32(found.key.A)
		r = c.follow(c.back(goalZone{id, c.List[id].Zone}))
	}
	if found.step {
		b := r.by.Broken[slices.IndexFunc(r.by.Broken, found.shows)]
		if out.Text = b.Text; b.Who >= 0 {
			out.Text = x.Sys.Name(model.NodeID(b.Who)) + ": " + b.Text
		}
	}
	if k := slices.Index(x.workers[0].invs.claims, found.claim); k >= 0 {
		out.Text, _ = x.workers[0].invs.judge(k, r.v)
	}
	out.Boot, out.Steps, out.InFlight, out.Nodes = r.began, r.steps, r.flights, x.nodeBytes(r.v)
	if found.fails {
		out.cutShort()
	}
	return out
}

// way returns a run to a class.
func (c *denseSearch) way(key fingerprint.Print) Candidate {
	id := uint32(key.A)
	r := c.follow(c.back(goalZone{id, c.List[id].Zone}))
	return Candidate{Boot: r.began, Steps: r.steps, InFlight: r.flights, Loop: -1}
}

// leadingOn returns the points of a class that a step which breaks a claim takes.
func (c *denseSearch) leadingOn(id uint32, fails bool, breaks func(w *step.Worker) bool) (points zone.Zone) {
	c.expandFor(id, fails, func(w *step.Worker, v []uint32) bool {
		if !breaks(w) {
			return false
		}
		var ok bool
		points, ok = w.Zones.Unmake(w.Zones.Made)
		return ok
	})
	return points
}

// expandFor expands a class until one of its successors, or of the steps that end in a handler
// that fails, is what is wanted.
func (c *denseSearch) expandFor(id uint32, fails bool, wanted func(w *step.Worker, v []uint32) bool) bool {
	s := c.x.workers[0]
	s.Refresh()
	done := false
	defer c.hear(s, fails, func(v []uint32) {
		if !done {
			done = wanted(s.Worker, v)
		}
	})()
	s.Zones.At = c.List[id].Zone
	v := c.States[c.List[id].State].V
	s.Expand(v, s.PrintOfState(v))
	return done
}

// hear has the successors of a searcher told, or the steps that end in a handler that fails. It
// returns what undoes that.
func (c *denseSearch) hear(s *searcher, fails bool, tell func(v []uint32)) (undo func()) {
	s.Emit, s.Fail = tell, nil
	if fails {
		s.Emit, s.Fail = func([]uint32) {}, tell
	}
	return func() { s.Emit, s.Fail = s.foundClass, s.failed }
}

// back returns the classes and points of a way to a goal, from the beginning of the run.
func (c *denseSearch) back(goal goalZone) []goalZone {
	goals := []goalZone{goal}
	for {
		to := goals[len(goals)-1]
		from := *c.List[to.class].From
		if from[0] == classes.NoClass {
			break
		}
		goals = append(goals, c.before(to, from))
	}
	slices.Reverse(goals)
	return goals
}

// before returns a class and its points from which a step leads to a goal.
func (c *denseSearch) before(to goalZone, from []uint32) goalZone {
	state := &c.States[c.List[to.class].State]
	around := classes.Images(to.points, state.Exchanges)
	for _, id := range from {
		var points zone.Zone
		if c.expandFor(id, false, func(w *step.Worker, v []uint32) (ok bool) {
			f := c.framer().Framed(v, w.Sum)
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

// concrete is a run that is being taken again: its state with the zone of just this run.
type concrete struct {
	began   []Pick // the answers that Start was given as the run began
	steps   []Step
	flights [][]Message
	v       []uint32
	cast    step.Cast
	zone    zone.Zone
	by      step.Move
	boot    bool
}

// follow takes a run through goals.
func (c *denseSearch) follow(goals []goalZone) concrete {
	var r concrete
	for i, goal := range goals {
		state := &c.States[c.List[goal.class].State]
		around := classes.Images(goal.points, state.Exchanges)
		wanted := func(w *step.Worker, v []uint32) bool {
			return c.framer().Framed(v, w.Sum).Key == state.Key && c.framer().EveryFrame(v, w.Sum, func(f *symmetry.Frame) bool {
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

func (c *denseSearch) first(fails bool, wanted func(w *step.Worker, v []uint32) bool) concrete {
	return c.choose(concrete{boot: true}, fails, wanted, func(s *searcher) { s.Initial() })
}

// boots is the run whose beginning breaks a claim.
func (c *denseSearch) boots(fails bool, breaks func(w *step.Worker) bool) concrete {
	return c.first(fails, func(w *step.Worker, _ []uint32) bool { return breaks(w) })
}

// further takes a step more; whether it ends in a handler that fails is given.
func (c *denseSearch) further(r concrete, fails bool, wanted func(w *step.Worker, v []uint32) bool) concrete {
	return c.choose(r, fails, wanted, func(s *searcher) {
		s.Zones.At = r.zone
		s.Expand(r.v, s.PrintOfState(r.v))
	})
}

// choose takes of the wanted successors the least by name.
func (c *denseSearch) choose(r concrete, fails bool, wanted func(w *step.Worker, v []uint32) bool, expand func(s *searcher)) concrete {
	x := c.x
	s := x.workers[0]
	s.Refresh()
	var best *successor
	var left zone.Zone
	undo := c.hear(s, fails, func(v []uint32) {
		if !wanted(s.Worker, v) {
			return
		}
		next := successorOf(s.Worker, v)
		if next.name = x.nameOf(next.by); best == nil || cmp.Or(cmp.Compare(next.name, best.name), cmp.Compare(next.occurrence, best.occurrence)) < 0 {
			best, left = next, s.Zones.Made.Clone()
		}
	})
	s.Zones.Either = true
	defer func() { undo(); s.Zones.Either = false }()
	s.Track(r.cast, func() { expand(s) })
	if best == nil {
		panic(Disagreement{errors.New("a step was taken, but it is not found again")})
	}
	next := concrete{began: r.began, steps: r.steps, v: best.v, cast: x.After(r.cast, best.trail), zone: left, by: best.by}
	if !r.boot {
		next.steps = append(next.steps, x.step(next.by, best.occurrence))
	} else {
		next.began = x.pickedAll(best.by.Picks)
	}
	next.flights = append(r.flights, x.inFlight(next.v, next.cast))
	return next
}
