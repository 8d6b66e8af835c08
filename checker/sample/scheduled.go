package sample

import (
	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
)

// scheduled lets a strategy choose the events of a run.
type scheduled struct {
	by   strategy.Scheduler
	list []strategy.Event
}

// next chooses one of the protocol's moves.
func (s *scheduled) next(x stepper.Stepper, moves []stepper.Move) int {
	s.list = s.list[:0]
	for _, m := range moves {
		s.list = append(s.list, x.Event(m))
	}
	return s.by.Next(s.list)
}

// takes returns what tells the scheduler of a move once it is taken.
func (s *scheduled) takes(x stepper.Stepper, m stepper.Move) (tell func()) {
	e := x.Event(m)
	before := x.Local(e.Node)
	return func() {
		s.by.Took(strategy.Step{Number: x.Steps(), Environment: m.Kind.Adversarial(), Event: e, Before: before, After: x.Local(e.Node)})
	}
}
