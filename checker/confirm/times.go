package confirm

import (
	"slices"

	"contend/checker/search"
	"contend/model"
	"contend/model/world"
)

// An instant is a time of the solution: whole ticks, and a number of infinitesimal steps for strict bounds.
type instant struct{ ticks, past int64 }

func (a instant) before(b instant) bool {
	return a.ticks < b.ticks || a.ticks == b.ticks && a.past < b.past
}

func (a instant) plus(b instant) instant { return instant{a.ticks + b.ticks, a.past + b.past} }

// A bound is the constraint that step to happens at least gap after step from. Gaps may be negative. Step 0 is the run's
// start.
type bound struct {
	from, to int
	gap      instant
}

// Times solves the constraints of windows and holds on a run's steps. It returns the earliest times and the
// fractions of a tick in which they are counted. It returns false if there are none.
func Times(run *Run) (times []world.Time, parts int64, ok bool) { return solve(run, bounds(run)) }

// earliest returns the times of a candidate: those of [Times], or the search's if the candidate is pinned.
// Pinned times are in the search's fractions of a tick.
func earliest(run *Run, c search.Candidate) ([]world.Time, int64, bool) {
	if !c.Pinned {
		return Times(run)
	}
	list := bounds(run)
	for i := range list {
		list[i].gap.ticks *= c.Parts
	}
	now := int64(0)
	for i, s := range c.Steps {
		now += int64(s.Delay)
		step := run.way[i] + 1
		list = append(list, bound{0, step, instant{ticks: now}}, bound{step, 0, instant{ticks: -now}})
	}
	times, parts, ok := solve(run, list)
	return times, parts * c.Parts, ok
}

// solve returns the earliest times within bounds.
func solve(run *Run, bounds []bound) (times []world.Time, parts int64, ok bool) {
	at := make([]instant, len(run.Records)+1)
	for round := 0; ; round++ {
		changed := false
		for _, b := range bounds {
			if least := at[b.from].plus(b.gap); at[b.to].before(least) {
				at[b.to], changed = least, true
			}
		}
		if !changed {
			break
		}
		if round > len(at) || at[0] != (instant{}) {
			return nil, 0, false // a positive cycle: no solution
		}
	}
	for _, t := range at {
		parts = max(parts, t.past+1)
	}
	for e := range run.Absorbed {
		if e.Window.Lo.Open && e.Window.Hi.Open {
			parts = max(parts, 2) // it must arrive between whole ticks
		}
	}
	parts += run.room
	for _, t := range at[1:] {
		times = append(times, world.Time(t.ticks*parts+t.past))
	}
	return times, parts, true
}

func bounds(run *Run) []bound {
	var list []bound
	way := 0 // last step of the candidate
	for i, r := range run.Records {
		step, e := i+1, r.Move.Event
		if run.onTheWay(i) {
			list = append(list, bound{from: way, to: step})
			way = step
		} else {
			// An absorbed message that preceded the next step's message. It has an instant of its own.
			list = append(list, bound{from: run.Absorbed[e], to: step}, bound{from: step, to: run.next(i) + 1})
		}
		if e != nil && !r.Move.Kind.Adversarial() {
			list = append(list, window(e, step, true)...)
		}
		for _, h := range r.Held {
			list = append(list, held(h, step))
		}
	}
	for e, step := range run.dropped {
		if at, absorbed := run.Absorbed[e]; absorbed {
			step = at
		}
		list = append(list, window(e, step, false)...)
	}
	for _, e := range run.World.Pending() {
		step := len(run.Records)
		at, absorbed := run.Absorbed[e]
		if absorbed {
			step = at // it may arrive as soon as it has no effect
		}
		switch {
		case !e.Optional:
			list = append(list, window(e, step, false)...)
		case absorbed && run.names.knows(e) && e.Window.Hi.At != model.Forever: // it came too late
			list = append(list, bound{e.BornStep, step, instant{int64(e.Window.Hi.At), strict(!e.Window.Hi.Open)}})
		}
	}
	return list
}

func (r *Run) onTheWay(record int) bool { return slices.Contains(r.way, record) }

// next returns the record of the candidate's first step after a record.
func (r *Run) next(record int) int {
	return r.way[slices.IndexFunc(r.way, func(at int) bool { return at > record })]
}

// window returns an event's bounds on a step: both ends if it fires, only the upper end while it is pending.
func window(e *world.Event, step int, fires bool) []bound {
	var list []bound
	if fires {
		list = append(list, bound{e.BornStep, step, instant{int64(e.Window.Lo.At), strict(e.Window.Lo.Open)}})
	}
	if e.Window.Hi.At != model.Forever {
		list = append(list, bound{step, e.BornStep, instant{-int64(e.Window.Hi.At), strict(e.Window.Hi.Open)}})
	}
	return list
}

// held returns the bound of a hold's answer on a step. A hold includes its end unless it is open.
func held(h world.HeldAnswer, step int) bound {
	length := int64(h.Length.At)
	if h.Held {
		return bound{step, h.Since, instant{-length, strict(h.Length.Open)}}
	}
	return bound{h.Since, step, instant{length, strict(!h.Length.Open)}}
}

func strict(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}
