package step

import (
	"cmp"
	"reflect"
	"slices"

	"contend/checker/search/component"
	"contend/model"
)

// A Call is a memoized result with its arguments.
type Call struct {
	result        uint32
	from, trigger uint32 // for a monitor, trigger is the number of an observation
	monitor       bool
	Entries       int // of the largest map among its arguments
}

// Reactions returns the results that the search has used, the latest first.
func (e *Engine) Reactions() []Call {
	var all []Call
	for _, watches := range []bool{false, true} {
		c := &e.handled
		if watches {
			c = &e.watched
		}
		for _, s := range c.Slots {
			if s.Key == 0 || !e.agreement[s.Val] {
				continue
			}
			all = append(all, Call{result: s.Val, from: uint32(s.Key >> 32), trigger: uint32(s.Key), monitor: watches})
		}
	}
	slices.SortFunc(all, func(a, b Call) int { return cmp.Compare(b.result, a.result) })
	return all
}

// A kind is the common property of similar results: the type of the node or monitor, the type of the argument,
// and the sorts of effects.
type kind struct {
	node        reflect.Type
	handler     component.Kind // 0 for an observation
	observation model.ObservationKind
	argument    reflect.Type
	shape       uint32
}

// Kinds groups results by kind. The groups are in the order of their first results.
func (e *Engine) Kinds(all []Call) (sorted [][]*Call) {
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

// kindOf returns the kind of a result. It adds the type of the argument to types.
func (e *Engine) kindOf(a *Call, types map[uint32]reflect.Type) kind {
	k, value := kind{node: reflect.TypeOf(e.Protos[e.Locals.Items[a.from].Slot])}, uint32(0)
	if a.monitor {
		k.observation, value = e.Seen.Items[a.trigger].Kind, e.Seen.Items[a.trigger].Value
	} else {
		k.handler, value = e.Bases.Items[a.trigger].Kind, e.Bases.Items[a.trigger].Value
	}
	if _, known := types[value]; !known {
		types[value] = reflect.TypeOf(e.Decoded(value))
	}
	k.argument = types[value]
	for i := range e.AllResults[a.result] {
		k.shape |= e.AllResults[a.result][i].Shape(a.from)
	}
	return k
}

// Repeat computes a result again, and returns the number of runs of the handler. It panics with an
// [component.Impure] if the results differ.
func (e *Engine) Repeat(a *Call, turn int) int {
	slot, what := e.Locals.Items[a.from].Slot, "Observe"
	run := func() []component.Outcome { return e.Watch(a.from, a.trigger) }
	if !a.monitor {
		what = component.HandlerName(e.Bases.Items[a.trigger].Kind)
		run = func() []component.Outcome { return e.compute(a.from, a.trigger) }
	}
	outcomes := e.Turned(turn, run)
	e.Agree(slot, what, e.AllResults[a.result], outcomes)
	return len(outcomes)
}
