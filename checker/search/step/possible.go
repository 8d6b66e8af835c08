package step

import (
	"contend/checker/search/component"
	"contend/model"
)

// What the environment may do in a state, as its budget allows.

// mayCrash reports whether a crash may strike a node: one after which it may come back, and one for good.
func (w *Worker) mayCrash(v []uint32, i int) (comesBack, forGood bool) {
	if v[i] == component.Down {
		return false, false
	}
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

// Strikes reports whether the environment may still do more than forge messages.
func (x *Walk) Strikes() bool { return x.strikes || x.V[x.BudgetAt] != 0 }

// Loses and Duplicates report whether a message may be lost, or be duplicated.
func (x *Walk) Loses() bool { return left(x.V[x.BudgetAt], lossShift) }

// Duplicates is like Loses.
func (x *Walk) Duplicates() bool { return left(x.V[x.BudgetAt], duplicationShift) }

// MayCrash reports whether a node may crash, as a Crash and as a Stop.
func (x *Walk) MayCrash(node int) (crash, stop bool) {
	comesBack, forGood := x.mayCrash(x.V, node)
	return comesBack || forGood && !x.recovers[node], forGood && x.recovers[node]
}

// MayRestart reports whether a node that is down may come back.
func (x *Walk) MayRestart(node int) bool {
	return x.V[node] == component.Down && x.stored(x.V, node) >= 0
}

// Mistakes hands on each false suspicion that may be: who has it, and of whom.
func (x *Walk) Mistakes(each func(to, of int)) {
	if !x.suspects(x.V) {
		return
	}
	for _, to := range x.informs {
		for of := range x.N {
			if x.mayMistake(x.V, int(to), of) {
				each(int(to), of)
			}
		}
	}
}

// Sides is in how many ways the network may be cut now.
func (x *Walk) Sides() int {
	if !x.mayPart(x.V) {
		return 0
	}
	return len(x.cuts)
}

// Parted reports whether a cut keeps messages of one node from another.
func (x *Walk) Parted(from, to int) bool { return x.parted(x.V, int16(from), int16(to)) }

// First reports whether a channel lets the message of the i-th part through.
func (x *Walk) First(i int) bool { return !x.queues || x.Flats[x.V[x.Head+i]].Pos == 0 }

// Boots is the node whose operation at boot has to begin now, or -1.
func (x *Walk) Boots() int {
	for _, id := range x.AtBoot {
		if x.V[x.AppOf[id]] == 0 {
			return int(id)
		}
	}
	return -1
}
