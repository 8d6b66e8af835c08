package sample

import (
	"slices"

	"contend/checker/sample/stepper"
	"contend/model"
)

// partitionSteps lists the minimum lengths of a network partition, in steps. One is drawn for each partition.
// The end of a partition is pending from its beginning. If it were drawn as any other event, partitions would
// be short, and leader changes behind a partition would be missed. A partition ends earlier if nothing else
// can happen.
var partitionSteps = [...]int{0, 16, 64, 256}

// startPartition draws the length of the partition that the last step made.
func (r *run) startPartition() {
	r.partitionEnd = r.Steps() + partitionSteps[r.c.Choose(len(partitionSteps))]
}

// withoutHeal removes the end of a partition that must last, unless nothing else can happen.
func (r *run) withoutHeal(moves []stepper.Move) []stepper.Move {
	if r.Steps() >= r.partitionEnd || len(moves) == 1 {
		return moves
	}
	i := slices.IndexFunc(moves, func(m stepper.Move) bool { return m.Kind == model.Heal })
	if i < 0 {
		return moves
	}
	r.unhealed = append(append(r.unhealed[:0], moves[:i]...), moves[i+1:]...)
	return r.unhealed
}
