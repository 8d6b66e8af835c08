package sample

import (
	"math"

	"contend/checker/sample/stepper"
	"contend/model"
	"contend/model/world"
)

// A rate is the speed of a node's clock in a run with drift.
type rate int

const (
	fast  rate = iota // timeouts at their earliest instant
	slow              // timeouts at their latest instant, after all other events
	loose             // timeouts at any instant
	rates
)

// never is the instant of the next fast timeout if none is pending.
const never = world.Time(math.MaxInt64)

// drawClocks draws a rate for each node's clock, for the whole run. It returns nil if clocks do not drift.
// Most bugs of drift need one slow clock and fast others for long. A rate drawn for each timeout would
// average out.
func drawClocks(s *model.System, c Choices, reading world.Options) (clocks []rate) {
	if reading.Timed && s.Drift.Thousandths > 0 {
		for range s.Nodes {
			clocks = append(clocks, rate(c.Choose(int(rates))))
		}
	}
	return clocks
}

// runs reports whether a move is a timeout of a clock of some rate.
func (r *run) runs(m stepper.Move, want rate) bool {
	return m.Kind == model.Timeout && r.clocks != nil && r.clocks[m.Node] == want
}

// orderTimeouts removes the moves after the first timeout of a fast clock, and the timeouts of slow clocks.
// If no move remains, it returns all moves.
func (r *run) orderTimeouts(moves []stepper.Move) []stepper.Move {
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
