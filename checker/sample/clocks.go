package sample

import (
	"math"

	"contend/checker/sample/stepper"
	"contend/model"
	"contend/model/world"
)

// A rate is how a node's clock runs, where clocks drift.
type rate int

const (
	fast  rate = iota // an alarm rings as soon as it may
	slow              // it rings when nothing else can happen before
	loose             // at any time, as anything happens
	rates
)

// never is when an alarm rings that is not set.
const never = world.Time(math.MaxInt64)

// drawClocks draws a rate for each clock of a system in which they drift, for the whole run. What drift breaks mostly takes a node that is slow
// for long while others are fast. Rates that change from one alarm to the next are on average all the same.
func drawClocks(s *model.System, c Choices, reading world.Options) (clocks []rate) {
	if reading.Timed && s.Drift.Thousandths > 0 {
		for range s.Nodes {
			clocks = append(clocks, rate(c.Choose(int(rates))))
		}
	}
	return clocks
}

// runs reports whether a move is an alarm of a clock of a rate.
func (r *run) runs(m stepper.Move, is rate) bool {
	return m.Kind == model.Timeout && r.clocks != nil && r.clocks[m.Node] == is
}

// onTime leaves out the moves that come after the first alarm of a fast clock, and the alarms of slow clocks. Where nothing else is left, those
// are all that can happen, and stay.
func (r *run) onTime(moves []stepper.Move) []stepper.Move {
	r.rings = never
	if r.clocks == nil {
		return moves
	}
	for _, m := range moves {
		if r.runs(m, fast) {
			first, _ := r.Span(m)
			r.rings = min(r.rings, first)
		}
	}
	r.timely = r.timely[:0]
	for _, m := range moves {
		if first, _ := r.Span(m); first <= r.rings && !r.runs(m, slow) {
			r.timely = append(r.timely, m)
		}
	}
	if len(r.timely) == 0 {
		return moves
	}
	return r.timely
}
