package search

import (
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

const (
	runsAtLeast = 4096 // that a search spends on asking again, if it needs as many
	stepsPerRun = 1500 // of the search, for each run more
)

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
