package sample

import (
	"slices"

	"contend/checker/sample/stepper"
	"contend/model"
)

// lasts are the numbers of steps that a cut of the network lasts at least. One is drawn for each cut. The event that ends a cut is pending from
// the beginning, and a schedule that took it as it takes any other would have short cuts only: on average as many steps as there are pending
// events. Much goes wrong in long ones, such as that a leader is replaced that does not know it. A cut ends sooner if nothing else can happen.
var lasts = [...]int{0, 16, 64, 256}

// parts draws how long a cut lasts that the last step made.
func (r *run) parts() { r.parted = r.Steps() + lasts[r.c.Choose(len(lasts))] }

// cut takes from the protocol's moves the end of a cut that is to last, unless it is all there is.
func (r *run) cut(moves []stepper.Move) []stepper.Move {
	if r.Steps() >= r.parted || len(moves) == 1 {
		return moves
	}
	i := slices.IndexFunc(moves, func(m stepper.Move) bool { return m.Kind == model.Heal })
	if i < 0 {
		return moves
	}
	r.lasting = append(append(r.lasting[:0], moves[:i]...), moves[i+1:]...)
	return r.lasting
}
