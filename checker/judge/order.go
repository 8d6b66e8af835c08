package judge

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"contend/model"
)

// longestFor bounds the time that a longest order is looked for: it is only told.
const longestFor = 5 * time.Second

// Order is the longest of the partial orders that porcupine gives: of those with the most operations
// that have returned, one with the fewest others, and the first in the end; nil where it is not found in time.
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

// closer compares two orders: that which explains more comes first.
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
