package sample

import (
	"contend/checker/sample/adversary"
	"contend/model"
	"contend/model/world"
)

// style is how a run spends time. It is drawn once for the whole run, so that runs differ in kind and
// not only in detail (swarm testing).
type style struct {
	pace  adversary.Pace
	grain world.Time // instants drawn from within a window are multiples of it
}

// A run that is always early comes first; it is the default.
var paces = [...]adversary.Pace{{Earliest: 8}, {Earliest: 6, Latest: 1}, {Earliest: 5, Latest: 2}, {Earliest: 3, Latest: 3}, {Earliest: 3, Latest: 1}, {Earliest: 1, Latest: 1}}

// Begin makes the choices that a run makes before its first step, and nothing else. In each of them the last option leaves
// the most open: every fault may strike, liars say anything, and a step may be taken at any instant.
func Begin(s *model.System, c Choices, reading world.Options) {
	adversary.NewCast(s).Draw(c)
	drawStyle(c, reading)
}

// drawStyle draws only what the reading leaves open.
func drawStyle(c Choices, reading world.Options) style {
	if !reading.Timed {
		return style{}
	}
	return style{paces[c.Choose(len(paces))], [...]world.Time{world.Time(max(reading.Parts, 1)), 1}[c.Choose(2)]}
}
