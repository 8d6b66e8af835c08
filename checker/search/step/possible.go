package step

import (
	"contend/checker/search/component"
	"contend/model"
)

// What the environment may do in a state, as its budget allows.

// mayCrash reports whether a crash may strike a node that is up: one after which it may come back, and one for good.
func (w *Worker) mayCrash(v []uint32, i int) (comesBack, forGood bool) {
	budget := v[w.BudgetAt]
	return w.recovers[i] && left(budget, restartShift), w.stops[i] && left(budget, crashShift)
}

// mayMistake reports whether a node may be told that another is down, which is up and which it trusts.
func (w *Worker) mayMistake(v []uint32, to, of int) bool {
	return to != of && v[to] != component.Down && v[of] != component.Down && w.reported(v, model.Trust, to, of) < 0
}

// suspects reports whether the budget has a false suspicion left.
func (w *Worker) suspects(v []uint32) bool { return w.moreAt >= 0 && left(v[w.moreAt], suspicionShift) }

// mayPart reports whether the network may be cut.
func (w *Worker) mayPart(v []uint32) bool {
	return len(w.cuts) > 0 && left(v[w.moreAt], partitionShift) && w.cut(v) == nil
}
