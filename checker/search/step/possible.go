package step

import (
	"contend/checker/search/component"
	"contend/model"
)

// Moves that the environment's budget allows in a state.

// mayCrash reports whether a node that is up may crash: to restart later, and for good.
func (w *Worker) mayCrash(v []uint32, i int) (comesBack, forGood bool) {
	budget := v[w.BudgetAt]
	return w.recovers[i] && budgetLeft(budget, restartShift), w.stops[i] && budgetLeft(budget, crashShift)
}

// mayMistake reports whether node to may suspect node of by mistake: both are up, and no earlier suspicion is
// still to be withdrawn.
func (w *Worker) mayMistake(v []uint32, to, of int) bool {
	return to != of && v[to] != component.Down && v[of] != component.Down && w.findReport(v, model.Trust, to, of) < 0
}

// suspicionLeft reports whether the budget has a false suspicion left.
func (w *Worker) suspicionLeft(v []uint32) bool {
	return w.moreAt >= 0 && budgetLeft(v[w.moreAt], suspicionShift)
}

// mayPartition reports whether the network may be partitioned.
func (w *Worker) mayPartition(v []uint32) bool {
	return len(w.partitions) > 0 && budgetLeft(v[w.moreAt], partitionShift) && w.activeSide(v) == nil
}
