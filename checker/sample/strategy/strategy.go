// Package strategy has the strategies of sampling, one file each. A strategy chooses the next event of a
// schedule, among the protocol's own events. Faults, lies and instants are chosen elsewhere, in the same way
// for all strategies.
//
// A strategy may learn from earlier schedules, between rounds of a fixed size. So the same seed gives the
// same schedules with any number of workers.
package strategy

import "contend/model"

// An Event is a possible event of the protocol.
type Event struct {
	ID    int32           // number in the run, constant while the event is pending
	Cause int32           // step that created the event, from 1; 0 before the first
	Kind  model.EventKind // not adversarial
	Node  model.NodeID    // node of the event; -1 for Expire
	From  model.NodeID    // sender of a message; for other events Node
	// Key is equal for events of equal kind, nodes and value, in all schedules of a system.
	Key uint64
}

// A Step is a step of a schedule.
type Step struct {
	Number      int  // from 1
	Environment bool // a fault or a lie, whose Event has only a kind and nodes
	Event       Event
	// Before and After are keys of the node's state before and after the step, equal in all schedules of a
	// system. They are 0 for a crashed node, and for no node.
	Before, After uint64
}

// A Scheduler chooses the events of one schedule.
type Scheduler interface {
	// Next returns the index of the next event in a list of all possible events. The list is not empty, has
	// the oldest first, and is valid until Next returns.
	Next(events []Event) int
	// Observe is called after each step, in order.
	Observe(s Step)
}

// An Attentive scheduler may need keys of events and of states. Each costs an encoding. Other schedulers get
// 0.
type Attentive interface {
	// Attends reports whether the scheduler needs the keys.
	Attends() bool
}

// Attends reports whether a scheduler needs the keys of events and states.
func Attends(s Scheduler) bool {
	a, may := s.(Attentive)
	return may && a.Attends()
}

// Choices is a stream of choices.
type Choices interface {
	// Choose returns a number in [0, n); n ≥ 1. If n is 1, the stream does not advance.
	Choose(n int) int
}

// A Planner is a stream of planned choices. The runner does not ask it for random parameters, such as the
// frequency of faults. Before each step the runner asks whether a fault occurs, and whether the step is early
// or late. Schedules with a common opening share one opening.
type Planner interface {
	Choices
	// Open reports whether a planned choice remains. If not, the runner calls Passed before each step. It
	// ends the schedule if Passed reports that another schedule continued from the place.
	Open() bool
	Passed(p Place) bool
	// Age and Compare order pending events as the scheduler does: by age, then by nodes and kind.
	Age(e Event) (chain, delayed int32)
	Compare(a, b Event) int
}

// A Place is a digest of a schedule's state. From equal places, equal choices have equal results.
type Place [2]uint64

// An Outcome has a completed schedule's length, and whether it violated a claim.
type Outcome struct {
	Steps    int
	Violated bool
}

// A Strategy makes the schedulers of schedules.
type Strategy interface {
	// Schedule returns a new schedule's scheduler, and the choices that schedulers do not make. Both are
	// functions of the schedule's number and seed, and of what the strategy learned. The schedules of a round
	// call Schedule concurrently.
	Schedule(number int, seed uint64) (Scheduler, Choices)
	// Learn is called after a round for each of its schedules, in order of their numbers, with the schedule's
	// scheduler. No schedule runs meanwhile.
	Learn(number int, s Scheduler, o Outcome)
}

// A Noter is a strategy with sentences for the user at the end of the sampling.
type Noter interface{ Notes() []string }

// A Finite strategy makes each schedule once.
type Finite interface {
	// Finished reports whether every schedule was made.
	Finished() bool
}

// A Sharing strategy delegates its schedules to others.
type Sharing interface {
	// Maker returns the name of the strategy that makes a schedule.
	Maker(number int) string
}
