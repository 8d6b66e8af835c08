package concurrent

import (
	"contend/model"
)

// A History records the operations of goroutines on an object. At the end of the run porcupine decides whether there is an order
// of the operations, in which none comes before one that had returned when it was called, that explains all results.
type History struct {
	object model.Object
	events []model.Observation
}

// Record begins a history, in the body. Operations and results are plain values.
func Record(o model.Object) *History {
	h := &History{object: o}
	recorded(h)
	return h
}

// Call runs an operation in the goroutine that calls it, and records it with its result, which it returns. An operation has no others within.
// To record orders nothing, so that races of the operations are found.
//
//go:norace
func (h *History) Call(op any, do func() any) any {
	point(h)
	g := model.NodeID(goroutine())
	h.events = append(h.events, model.Observation{Kind: model.Invoked, Node: g, Op: -1, Value: op})
	result := do()
	returns(h)
	h.events = append(h.events, model.Observation{Kind: model.Returned, Node: g, Op: -1, Value: result})
	return result
}
