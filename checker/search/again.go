package search

import (
	"cmp"
	"slices"

	"contend/model/value"
)

// That a handler is a function of what it is given is checked when its result is first needed: it
// runs twice then, on maps made in two turns. What that cannot show is asked for at the end of the
// search. Every result is computed once more, the last first, so that a clock that ticks seldom
// has gone on, and a cache that forgets has forgotten; and where maps of several entries were
// given, until the turns leave no doubt: see [value.Turns]. What a handler keeps for ever once it
// has computed it looks the same to the end of the process, and is not seen.
//
// The runs are bounded, so that this costs next to nothing: a search takes some hundreds of steps
// in the time of a run. A large search asks of some results only, evenly spread.

// asked is a result with what it was computed from.
type asked struct {
	result        uint32
	from, trigger uint32 // the trigger is an observation's id for a monitor
	watches       bool
	entries       int // of the largest map it was given
}

const (
	runsAtLeast = 4096 // that a search spends on asking again, if it needs as many
	stepsPerRun = 1500 // of the search, for each run more
)

// turned computes something with the maps of handlers made in a turn.
func (st *store) turned(turn int, run func() []outcome) []outcome {
	defer func() { st.turn = 0 }()
	st.turn = turn
	return run()
}

// impurity asks again, and returns what is found.
func (x *explorer) impurity() (err error) {
	defer value.Caught(&err)
	x.askAgain()
	return nil
}

// askAgain panics with an [Impure] if a handler now comes to something else than before.
func (x *explorer) askAgain() {
	left := runsAtLeast + int(x.generated.Load()/stepsPerRun)
	all := x.engine.reactions()
	some := (len(all) + left - 1) / max(left, 1)
	var mapped []*asked
	for i := 0; i < len(all); i += max(some, 1) {
		a := &all[i]
		x.entries = 0
		left -= x.repeat(a, 2)
		if a.entries = x.entries; a.entries > 1 {
			mapped = append(mapped, a)
		}
	}
	for turn := 3; len(mapped) > 0 && left > 0; turn++ {
		mapped = slices.DeleteFunc(mapped, func(a *asked) bool { return turn >= value.Turns(a.entries) })
		for _, a := range mapped {
			if left <= 0 {
				return
			}
			left -= x.repeat(a, turn)
		}
	}
}

// reactions lists the results that the search has rested on, the last first.
func (e *engine) reactions() []asked {
	var all []asked
	for _, watches := range []bool{false, true} {
		c := &e.handled
		if watches {
			c = &e.watched
		}
		for _, s := range c.slots {
			if s.key == 0 || !e.agreed[s.val] {
				continue
			}
			a := asked{result: s.val, from: uint32(s.key >> 32), trigger: uint32(s.key), watches: watches}
			if watches {
				a.trigger-- // see lookupWatch
			}
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b asked) int { return cmp.Compare(b.result, a.result) })
	return all
}

// repeat computes a result once more, and returns how many runs of the handler that took.
func (e *engine) repeat(a *asked, turn int) int {
	slot, what := e.locals.items[a.from].slot, "Observe"
	run := func() []outcome { return e.watch(a.from, a.trigger) }
	if !a.watches {
		what = handlerName(e.bases.items[a.trigger].kind)
		run = func() []outcome { return e.compute(a.from, a.trigger) }
	}
	outcomes := e.turned(turn, run)
	e.agree(slot, what, e.allResults[a.result], outcomes)
	return len(outcomes)
}
