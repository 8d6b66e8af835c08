package sample

import (
	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
	"contend/model"
)

// A scheduled chooses the events of a run by a strategy's scheduler.
type scheduled struct {
	scheduler strategy.Scheduler
	attends   bool
	list      []strategy.Event
}

// event returns a move as the scheduler's event.
func (s *scheduled) event(x stepper.Stepper, m stepper.Move) strategy.Event {
	e := x.Event(m)
	if s.attends {
		e.Key = x.Key(m)
	}
	return e
}

// local returns the key of a node's state; 0 if the scheduler does not need it.
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
	return s.scheduler.Next(s.list)
}

// notifier returns a function that notifies the scheduler of a move. The caller calls it once the move is taken.
func (s *scheduled) notifier(x stepper.Stepper, m stepper.Move) (tell func()) {
	e := s.event(x, m)
	before := s.local(x, e.Node)
	return func() {
		s.scheduler.Observe(strategy.Step{Number: x.Steps(), Environment: m.Kind.Adversarial(), Event: e, Before: before, After: s.local(x, e.Node)})
	}
}
