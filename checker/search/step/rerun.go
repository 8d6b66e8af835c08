package step

import (
	"cmp"
	"reflect"
	"slices"

	"contend/checker/search/component"
	"contend/model"
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
			all = append(all, Asked{result: s.Val, from: uint32(s.Key >> 32), trigger: uint32(s.Key), watches: watches})
		}
	}
	slices.SortFunc(all, func(a, b Asked) int { return cmp.Compare(b.result, a.result) })
	return all
}

// kind is what results have in common: which type of node or monitor it is, what it is given, and
// what sorts of things come of it.
type kind struct {
	of      reflect.Type
	handler component.Kind // 0 of an observation
	seen    model.ObservationKind
	given   reflect.Type
	comes   uint32
}

// Kinds sorts results by their kinds, in the order in which these come first.
func (e *Engine) Kinds(all []Asked) (sorted [][]*Asked) {
	at, types := map[kind]int{}, map[uint32]reflect.Type{}
	for i := range all {
		k := e.kindOf(&all[i], types)
		n, known := at[k]
		if !known {
			n = len(sorted)
			at[k], sorted = n, append(sorted, nil)
		}
		sorted[n] = append(sorted[n], &all[i])
	}
	return sorted
}

// kindOf is the kind of a result. It notes the types of interned values.
func (e *Engine) kindOf(a *Asked, types map[uint32]reflect.Type) kind {
	k, value := kind{of: reflect.TypeOf(e.Protos[e.Locals.Items[a.from].Slot])}, uint32(0)
	if a.watches {
		k.seen, value = e.Seen.Items[a.trigger].Kind, e.Seen.Items[a.trigger].Value
	} else {
		k.handler, value = e.Bases.Items[a.trigger].Kind, e.Bases.Items[a.trigger].Value
	}
	if _, known := types[value]; !known {
		types[value] = reflect.TypeOf(e.Decoded(value))
	}
	k.given = types[value]
	for i := range e.AllResults[a.result] {
		k.comes |= e.AllResults[a.result][i].Shape(a.from)
	}
	return k
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
