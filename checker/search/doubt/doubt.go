// Package doubt runs handlers again after a search, to detect handlers that are not functions of their
// arguments.
package doubt

import (
	"math/rand/v2"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/step"
	"contend/model/value"
)

// A handler must be a function of its arguments. When a result is first needed, the handler runs
// twice, with the entries of its maps in two orders (turns). At the end of the search it runs again,
// in three rounds:
//
//  1. Every result is computed once more, the latest first: a slow clock has advanced, and a cache
//     has evicted entries.
//  2. Handlers whose arguments have maps with several entries run in all the turns that [value.Turns]
//     requires.
//  3. Handlers run again and again, in a random order. This detects what the argument's maps do not
//     show: the handler ranges over a map of its own, draws a random number, or counts its calls.
//
// The third round divides the runs evenly among kinds of results, so that rare results run as often
// as frequent ones. Each kind has at least [runsPerKind] runs; in a small search each result has. A
// handler that takes the first key of a map of its own with two entries gets the other key in one
// run of eight. The search misses it with probability (7/8)^runsPerKind, below one in a million.
//
// At the end [component.Store.MustLeaveNothing] checks that the nodes of earlier runs are unchanged.
//
// Not detected: results that differ in less than one of ten runs, unless many results differ; a
// clock read in whole seconds, if the search is shorter; and values that are computed once a process,
// such as numbers in the order of calls. contend-vet detects these.
//
// The number of runs is bounded, and the cost small: a search takes some hundreds of steps in the
// time of a run. A large search repeats only some results, evenly spread.

const (
	runsAtLeast = 4096 // runs available to any search
	stepsPerRun = 1500 // steps of the search for each additional run

	runsWhenStopped = 128 // runs available to a search that was stopped from outside

	runsPerKind = 112 // minimum runs of each kind of results in the third round
	maxKinds    = 64  // maximum number of kinds with this guarantee
)

// A Search is a finished search.
type Search struct {
	Engine  *step.Engine
	Steps   int64 // number of steps
	Stopped bool  // stopped from outside: no claim holds, and few runs suffice
	Often   bool  // run the third round
}

// Ask repeats results of a search. It panics with a [component.Impure] if a handler's result differs. It calls
// beat before each run of a handler.
func Ask(s Search, beat func()) {
	d := &repetition{s.Engine, runsAtLeast + int(s.Steps/stepsPerRun), rand.New(rand.NewPCG(1, 1)), beat}
	if s.Stopped {
		d.left = runsWhenStopped
	}
	all := s.Engine.Reactions()
	mapped := d.repeatAll(all)
	d.repeatTurns(mapped)
	if s.Often && !s.Stopped {
		d.repeatRandomly(s.Engine.Kinds(all))
	}
	s.Engine.MustLeaveNothing()
}

// A repetition is the state of the repetition.
type repetition struct {
	e    *step.Engine
	left int // number of runs left
	rng  *rand.Rand
	beat func() // called before each run
}

// repeat computes a result once more.
func (d *repetition) repeat(a *step.Call, turn int) {
	d.beat()
	d.left -= d.e.Repeat(a, turn)
}

// repeatAll computes every result once more, or evenly spread results if there are not enough runs. It returns
// the results whose arguments have a map with several entries.
func (d *repetition) repeatAll(all []step.Call) (mapped []*step.Call) {
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

// repeatTurns computes results in further turns, until [value.Turns] is reached.
func (d *repetition) repeatTurns(mapped []*step.Call) {
	for turn := 3; len(mapped) > 0; turn++ {
		mapped = slices.DeleteFunc(mapped, func(a *step.Call) bool { return turn >= value.Turns(a.Entries) })
		for _, a := range mapped {
			if d.left <= 0 {
				return
			}
			d.repeat(a, turn)
		}
	}
}

// repeatRandomly computes results again and again, in passes through all kinds.
func (d *repetition) repeatRandomly(kinds [][]*step.Call) {
	d.left = max(d.left, runsPerKind*min(len(kinds), maxKinds))
	for pass := range runsPerKind {
		d.rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		turn := component.LastChecked + runsPerKind - 1 - pass // the last pass checks configurations
		d.pass(kinds, turn, d.left/(runsPerKind-pass))
	}
}

// pass computes one result of each kind, then another of each, for a number of runs.
func (d *repetition) pass(kinds [][]*step.Call, turn, runs int) {
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
