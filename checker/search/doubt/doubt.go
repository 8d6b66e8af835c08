// Package doubt asks handlers again, to see that they are functions of what they are given.
package doubt

import (
	"math/rand/v2"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/step"
	"contend/model/value"
)

// A handler must be a function of what it is given. When a result is first needed, the handler runs
// twice, on maps made in two turns. At the end of the search it is asked again, in three rounds:
//
//  1. Every result is computed once more, the last first: a clock that ticks seldom has gone on, and a
//     cache that forgets has forgotten.
//  2. Where a handler is given maps of several entries, it runs until the turns leave no doubt: see
//     [value.Turns].
//  3. Handlers run again and again, in a random order each time. This finds what the maps that a
//     handler is given do not show: it ranges over a map that it makes itself, it draws a random
//     number, it counts its calls.
//
// In the third round the runs are shared evenly among kinds of results, so that what a handler does
// seldom is asked as often as what it does all the time; each kind has at least [certain] runs, and
// in a small search each result has. A handler that takes the first key of a map of two entries, which
// it has made itself, comes to another key in one run of eight, so that the search misses it with
// probability (7/8)^certain, below one in a million.
//
// In the end it is looked at whether what handlers had before was left alone: see [component.Store.MustLeaveNothing].
//
// What stays unseen: what differs in fewer than one of some ten runs, unless the search has many
// results that differ; a clock of which a handler takes whole seconds, if the search takes less; and what
// stays as it is to the end of the process once it is computed, such as numbers that are given out in the
// order of calls. For these there is contend-vet.
//
// The runs are bounded, so that this costs next to nothing: a search takes some hundreds of steps
// in the time of a run. A large search asks of some results only, evenly spread.

const (
	runsAtLeast = 4096 // that a search spends on asking again, if it needs as many
	stepsPerRun = 1500 // of the search, for each run more

	runsWhenStopped = 128 // that one spends which is stopped from outside

	certain   = 112 // runs of each kind of results in the third round
	mostKinds = 64  // that are sure of as many
)

// A Search is the one that came to its end.
type Search struct {
	Engine  *step.Engine
	Steps   int64 // that it took
	Stopped bool  // from outside: then nothing is said to hold, and handlers are asked a few times only
	Often   bool  // the third round is wanted
}

// Ask panics with a [component.Impure] if a handler now comes to something else than in the search. It calls
// beat before each run of a handler.
func Ask(s Search, beat func()) {
	d := &doubts{s.Engine, runsAtLeast + int(s.Steps/stepsPerRun), rand.New(rand.NewPCG(1, 1)), beat}
	if s.Stopped {
		d.left = runsWhenStopped
	}
	all := s.Engine.Reactions()
	mapped := d.once(all)
	d.turned(mapped)
	if s.Often && !s.Stopped {
		d.often(s.Engine.Kinds(all))
	}
	s.Engine.MustLeaveNothing()
}

// doubts are what is left to ask.
type doubts struct {
	e    *step.Engine
	left int // runs
	rng  *rand.Rand
	beat func() // is called before each run
}

// repeat computes a result once more.
func (d *doubts) repeat(a *step.Asked, turn int) {
	d.beat()
	d.left -= d.e.Repeat(a, turn)
}

// once computes every result once more, or as many as there are runs for, and returns those for
// which a handler was given a map of several entries.
func (d *doubts) once(all []step.Asked) (mapped []*step.Asked) {
	some := (len(all) + d.left - 1) / d.left
	for i := 0; i < len(all); i += some {
		a := &all[i]
		d.e.Entries = 0
		d.repeat(a, 2)
		if a.Entries = d.e.Entries; a.Entries > 1 {
			mapped = append(mapped, a)
		}
	}
	return mapped
}

// turned computes results until the turns of the maps leave no doubt.
func (d *doubts) turned(mapped []*step.Asked) {
	for turn := 3; len(mapped) > 0; turn++ {
		mapped = slices.DeleteFunc(mapped, func(a *step.Asked) bool { return turn >= value.Turns(a.Entries) })
		for _, a := range mapped {
			if d.left <= 0 {
				return
			}
			d.repeat(a, turn)
		}
	}
}

// often computes results again and again, in passes in which each kind has its turn.
func (d *doubts) often(kinds [][]*step.Asked) {
	d.left = max(d.left, certain*min(len(kinds), mostKinds))
	for pass := range certain {
		d.rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		turn := component.LastChecked + certain - 1 - pass // so that the last pass looks at configurations
		d.pass(kinds, turn, d.left/(certain-pass))
	}
}

// pass computes one result of each kind, then another of each, for so many runs.
func (d *doubts) pass(kinds [][]*step.Asked, turn, runs int) {
	end := d.left - runs
	for i := 0; ; i++ {
		some := false
		for _, k := range kinds {
			if d.left <= 0 || i > 0 && d.left <= end {
				return
			}
			if i < len(k) {
				j := i + d.rng.IntN(len(k)-i)
				k[i], k[j], some = k[j], k[i], true
				d.repeat(k[i], turn)
			}
		}
		if !some {
			return
		}
	}
}
