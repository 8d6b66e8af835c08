package judge

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"contend/model"
)

// longestFor is the maximum time for finding a longest order. The order is only for display.
const longestFor = 5 * time.Second

// Order returns the longest partial order that porcupine finds, as indices of the history. It maximizes the
// number of returned operations, minimizes that of other operations, and prefers the first. It is nil if the
// time is over.
func (l *linearizer) Order(history []model.Observation) []int {
	var panicked atomic.Pointer[any]
	ops, calls := operations(l.object, history)
	object := spec(l.object, &panicked)
	result, info := porcupine.CheckOperationsVerbose(object.ToModel(), ops, longestFor)
	if result == porcupine.Unknown || panicked.Load() != nil {
		return nil
	}
	var best []int
	for _, partition := range info.PartialLinearizations() {
		for _, order := range partition {
			if best == nil || closer(order, best, ops) < 0 {
				best = order
			}
		}
	}
	places := []int{} // none can come first
	for _, op := range best {
		places = append(places, calls[op])
	}
	return places
}

// closer compares two orders; the one that explains more is less.
func closer(a, b []int, ops []porcupine.Operation) int {
	returned := func(order []int) (n int) {
		for _, op := range order {
			if !ops[op].Output.(output).open {
				n++
			}
		}
		return n
	}
	if d := returned(b) - returned(a); d != 0 {
		return d
	}
	if d := len(a) - len(b); d != 0 {
		return d
	}
	return slices.Compare(a, b)
}
