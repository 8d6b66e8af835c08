package search

import (
	"cmp"
	"slices"
)

// asked is a result with what it was computed from.
type asked struct {
	result        uint32
	from, trigger uint32 // the trigger is an observation's id for a monitor
	watches       bool
	entries       int // of the largest map it was given
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
