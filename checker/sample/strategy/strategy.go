// Package strategy has the ways to choose which event of a system happens next in a schedule, a
// file each. They choose among the protocol's own events only. Which faults strike, what liars say,
// and at which instant of its window an event happens are chosen elsewhere, in the same way for all strategies.
//
// A strategy may learn from the schedules before. It does so between rounds of schedules, whose
// size is fixed: the same seed gives the same schedules with any number of workers.
package strategy

import "contend/model"

// An Event is one of the protocol's events that may happen next.
type Event struct {
	ID    int32           // its number in the run; an event keeps it as long as it is pending
	Cause int32           // the step that created it, from 1; 0 before the first
	Kind  model.EventKind // no adversarial one
	Node  model.NodeID    // where it happens; -1 of an Expire
	From  model.NodeID    // the sender of a message; of any other event, Node
	// Key is equal for events of the same kind, nodes and value, in all schedules of a system.
	Key uint64
}

// A Step is one that a schedule took.
type Step struct {
	Number      int  // from 1
	Environment bool // a fault or a lie; Event has only its kind and nodes then
	Event       Event
	// Before and After name the state of the node before and after the step, in all schedules of a
	// system; 0 where it is down, and of no node.
	Before, After uint64
}

// A Scheduler chooses the events of one schedule.
type Scheduler interface {
	// Next returns the place of the event that happens next in a list of all that may, which has
	// at least one. The oldest comes first. The list lasts until Next returns.
	Next(events []Event) int
	// Took is told of each step, in order.
	Took(s Step)
}

// An Attentive scheduler may want the keys of events, and the names of the states of nodes. Others are told 0: both
// cost an encoding.
type Attentive interface {
	// Attends reports whether it wants them.
	Attends() bool
}

// Attends reports whether a scheduler wants the keys of events and the names of states.
func Attends(s Scheduler) bool {
	a, may := s.(Attentive)
	return may && a.Attends()
}

// Choices is a stream of choices: see package sample.
type Choices interface {
	// Choose returns a number in [0, n); n ≥ 1.
	Choose(n int) int
}

// A Planner is a stream of choices each of which is planned. Whoever leads the schedule does not ask it for what makes no difference by itself, such as
// how often faults strike, but at each step whether one does, and whether the step is taken as early or as late as may be. Schedules that
// share an opening share the same.
type Planner interface {
	Choices
	// Open reports whether something is planned that is yet to be chosen. When it is not, the leader asks before each step whether the
	// schedule has Passed to where another goes on, and if so ends it.
	Open() bool
	Passed(p Place) bool
	// Age and Compare order pending events as the scheduler does: by age, and those of one age by their nodes and kinds.
	Age(e Event) (chain, delayed int32)
	Compare(a, b Event) int
}

// A Place names where a schedule has come to. At equal places schedules come to the same by the same choices from then on.
type Place [2]uint64

// An Outcome is what a strategy may know of a schedule when it is over.
type Outcome struct {
	Steps    int
	Violated bool
}

// A Strategy makes the schedulers of schedules.
type Strategy interface {
	// Schedule begins a schedule: the scheduler, and the choices of everything that schedulers do not
	// choose. Both are functions of the seed, which is the schedule's own, of its number, and of what was learned. Several
	// schedules of a round may begin side by side.
	Schedule(number int, seed uint64) (Scheduler, Choices)
	// Learn is told of schedules at the end of a round, in order of their numbers, each with the
	// scheduler that was made for it. No schedule runs meanwhile.
	Learn(number int, s Scheduler, o Outcome)
}

// A Noter is a strategy with something to say to people when the sampling is over, a sentence each.
type Noter interface{ Notes() []string }

// A Finite strategy makes each schedule once.
type Finite interface {
	// Finished reports whether it has made every schedule.
	Finished() bool
}

// A Sharing strategy has its schedules made by others.
type Sharing interface {
	// Maker is the name of the strategy that makes a schedule.
	Maker(number int) string
}
