package judge

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"contend/model"
	"contend/model/value"
)

// A Verdict is porcupine's answer about one history.
type Verdict int

// Unknown is never a pass: porcupine ran out of time.
const (
	Linearizable Verdict = iota
	Illegal
	Unknown
)

type input struct {
	client model.NodeID
	op     any
}

// output of a call that never returned, or whose result is unknown, is open: any result will do.
type output struct {
	open  bool
	value any
}

// History asks porcupine whether a history of observations, in their order, is
// linearizable. Calls that never returned, or whose result is unknown, stay open to its end. The error is a
// panic of the object's Step.
func History(o model.Object, history []model.Observation, timeout time.Duration) (Verdict, error) {
	var panicked atomic.Pointer[any]
	ops, _ := operations(o, history)
	object := spec(o, &panicked)
	result := porcupine.CheckOperationsTimeout(object.ToModel(), ops, timeout)
	return judged(o, result, &panicked)
}

// judged is porcupine's result as a verdict.
func judged(o model.Object, result porcupine.CheckResult, panicked *atomic.Pointer[any]) (Verdict, error) {
	if p := panicked.Load(); p != nil {
		return Unknown, fmt.Errorf("object %s: Step panics: %v", o.Name, *p)
	}
	switch result {
	case porcupine.Ok:
		return Linearizable, nil
	case porcupine.Illegal:
		return Illegal, nil
	}
	return Unknown, nil
}

// operations numbers events with strictly increasing times, since porcupine's
// intervals are closed. Of each operation it gives the place of its call, or release, in the history.
func operations(object model.Object, history []model.Observation) (ops []porcupine.Operation, calls []int) {
	open := map[model.NodeID]int{}
	for i, o := range history {
		at := int64(2 * i)
		switch o.Kind {
		case model.Invoked:
			open[o.Node] = len(ops)
			calls = append(calls, i)
			ops = append(ops, porcupine.Operation{ClientId: int(o.Node), Input: input{o.Node, o.Value}, Call: at,
				Output: output{open: true}, Return: math.MaxInt64})
		case model.Returned:
			if k, ok := open[o.Node]; ok && object.Knows(o.Value) {
				ops[k].Output, ops[k].Return = output{value: o.Value}, at
				delete(open, o.Node)
			}
		case model.Released:
			calls = append(calls, i)
			ops = append(ops, porcupine.Operation{ClientId: int(o.Node), Input: input{o.Node, o.Value}, Call: at,
				Output: output{}, Return: at + 1})
		}
	}
	return ops, calls
}

// spec is the object for porcupine, which steps it in goroutines of its own: a
// panic there would end the process, so it is kept instead. Results and states are the
// same when their canonical bytes are, to which nil and empty are alike.
func spec(o model.Object, panicked *atomic.Pointer[any]) porcupine.NondeterministicModel {
	keep := func() {
		if p := recover(); p != nil {
			panicked.Store(&p)
		}
	}
	return porcupine.NondeterministicModel{
		Init: func() []any { return []any{o.Init} },
		Step: func(state, in, out any) (next []any) {
			defer keep()
			if out.(output).open {
				next = append(next, state) // it never took effect
			}
			for _, e := range o.Step(state, in.(input).client, in.(input).op) {
				if out.(output).open || value.Canonical(e.Result) == value.Canonical(out.(output).value) {
					next = append(next, e.State)
				}
			}
			return next
		},
		Equal: func(a, b any) bool {
			defer keep()
			return value.Canonical(a) == value.Canonical(b)
		},
	}
}
