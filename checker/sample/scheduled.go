package sample

import (
	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
	"contend/model"
)

// scheduled lets a strategy choose the events of a run.
type scheduled struct {
	by      strategy.Scheduler
	attends bool
	list    []strategy.Event
}

// event describes a move to the scheduler.
func (s *scheduled) event(x stepper.Stepper, m stepper.Move) strategy.Event {
	e := x.Event(m)
	if s.attends {
		e.Key = x.Key(m)
	}
	return e
}

// local names the state of a node for the scheduler.
func (s *scheduled) local(x stepper.Stepper, id model.NodeID) uint64 {
	if !s.attends {
		return 0
	}
	return x.Local(id)
}

// next chooses one of the protocol's moves.
func (s *scheduled) next(x stepper.Stepper, moves []stepper.Move) int {
	s.list = s.list[:0]
	for _, m := range moves {
		s.list = append(s.list, s.event(x, m))
	}
	return s.by.Next(s.list)
}

// takes returns what tells the scheduler of a move once it is taken.
func (s *scheduled) takes(x stepper.Stepper, m stepper.Move) (tell func()) {
	e := s.event(x, m)
	before := s.local(x, e.Node)
	return func() {
		s.by.Took(strategy.Step{Number: x.Steps(), Environment: m.Kind.Adversarial(), Event: e, Before: before, After: s.local(x, e.Node)})
	}
}
