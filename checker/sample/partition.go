package sample

import (
	"slices"

	"contend/checker/sample/stepper"
	"contend/model"
)

// lasts are the numbers of steps that a partition of the network lasts at least, of which one is drawn for each. Its end is pending from the
// beginning, and a schedule that took it as it takes any other event would have short partitions only: as many steps, on average, as events
// are pending. Much goes wrong in long ones, such as that a leader is replaced that does not know it. One ends sooner if nothing else can
// happen.
var lasts = [...]int{0, 16, 64, 256}

// partitioned draws how long the partition lasts that the last step made.
func (r *run) partitioned() { r.parted = r.Steps() + lasts[r.c.Choose(len(lasts))] }

// lasting leaves out the end of a partition that is to last, unless nothing else can happen.
func (r *run) lasting(moves []stepper.Move) []stepper.Move {
	if r.Steps() >= r.parted || len(moves) == 1 {
		return moves
	}
	i := slices.IndexFunc(moves, func(m stepper.Move) bool { return m.Kind == model.Heal })
	if i < 0 {
		return moves
	}
	r.others = append(append(r.others[:0], moves[:i]...), moves[i+1:]...)
	return r.others
}
