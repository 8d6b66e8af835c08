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

// A Verdict is porcupine's verdict on one history.
type Verdict int

// Verdicts. Unknown, after a timeout, is never a pass.
const (
	Linearizable Verdict = iota
	Illegal
	Unknown
)

type input struct {
	client model.NodeID
	op     any
}

// An output is the result of a call. It is open if the call never returned or its result is unknown; then any
// result is possible.
type output struct {
	open  bool
	value any
}

// History returns porcupine's verdict on a history, in the order of its observations. Calls without a return,
// or with an unknown result, stay open. The error is a panic of the object's Step.
func History(o model.Object, history []model.Observation, timeout time.Duration) (Verdict, error) {
	var panicked atomic.Pointer[any]
	ops, _ := operations(o, history)
	object := spec(o, &panicked)
	result := porcupine.CheckOperationsTimeout(object.ToModel(), ops, timeout)
	return verdictOf(o, result, &panicked)
}

// verdictOf converts porcupine's result to a verdict.
func verdictOf(o model.Object, result porcupine.CheckResult, panicked *atomic.Pointer[any]) (Verdict, error) {
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

// operations converts a history to porcupine's operations, with strictly increasing times, since porcupine's
// intervals are closed. It also returns the index of each operation's call or release.
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

// spec returns the object for porcupine. Porcupine calls it in goroutines of its own, where a panic would end
// the process, so it stores the panic. Results and states are equal if their canonical bytes are; nil and
// empty are equal.
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
				next = append(next, state) // the call never took effect
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
