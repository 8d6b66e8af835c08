package step

import (
	"cmp"
	"slices"

	"contend/checker/search/component"
)

// Asked is a result with what it was computed from.
type Asked struct {
	result        uint32
	from, trigger uint32 // the trigger is an observation's id for a monitor
	watches       bool
	Entries       int // of the largest map it was given
}

// Reactions lists the results that the search has rested on, the last first.
func (e *Engine) Reactions() []Asked {
	var all []Asked
	for _, watches := range []bool{false, true} {
		c := &e.handled
		if watches {
			c = &e.watched
		}
		for _, s := range c.Slots {
			if s.Key == 0 || !e.agreed[s.Val] {
				continue
			}
			a := Asked{result: s.Val, from: uint32(s.Key >> 32), trigger: uint32(s.Key), watches: watches}
			if watches {
				a.trigger-- // see lookupWatch
			}
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b Asked) int { return cmp.Compare(b.result, a.result) })
	return all
}

// Repeat computes a result once more, and returns how many runs of the handler that took.
func (e *Engine) Repeat(a *Asked, turn int) int {
	slot, what := e.Locals.Items[a.from].Slot, "Observe"
	run := func() []component.Outcome { return e.Watch(a.from, a.trigger) }
	if !a.watches {
		what = component.HandlerName(e.Bases.Items[a.trigger].Kind)
		run = func() []component.Outcome { return e.compute(a.from, a.trigger) }
	}
	outcomes := e.Turned(turn, run)
	e.Agree(slot, what, e.AllResults[a.result], outcomes)
	return len(outcomes)
}
