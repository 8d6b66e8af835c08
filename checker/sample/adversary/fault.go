package adversary

import "contend/model"

// A Fault is a fault that is possible now.
type Fault struct {
	Kind model.EventKind // any adversarial kind but Forge
	Node model.NodeID    // node of the fault; the receiver of a lost or duplicated message; -1 for a partition
}

// A Step is a step of a schedule.
type Step struct {
	Number int // from 1
	Kind   model.EventKind
	Node   model.NodeID // node of the event; -1 if the event has none
	// Sends is the number of messages that the step sent.
	Sends int
	// Notes reports whether the node noted something, Returns whether an operation returned.
	Notes, Returns bool
}

// An attitude decides when faults occur in one schedule.
type attitude interface {
	// act is [Adversary.Next]; lies is the weight of a forged message.
	act(c Choices, faults []Fault, sent func(place int) int, lies int, protocol bool) (place int, s Action)
	// observe is called after each step, in order.
	observe(s Step)
	name() string
}

// An Action is an action of the environment before a step.
type Action int

// Actions.
const (
	NoAction    Action = iota // an event of the protocol, if any is possible
	InjectFault               // a fault occurs
	SendLie                   // a Byzantine node sends, if it has a message to send
)

// certain is the total weight in each step. Each kind of fault has one of the frequencies. The protocol's
// events have the rest, more than half.
const certain = 64

var frequencies = [...]int{0, 1, 2, 5}

// budgets returns the maximum number of faults of each kind.
func budgets(s *model.System) (all [model.EventKinds]int) {
	f := s.Faults
	all[model.Lose], all[model.Duplicate], all[model.Mistake], all[model.Partition] = f.Loss, f.Duplication, f.Suspicions, f.Partitions
	all[model.Crash], all[model.Restart], all[model.Stop] = f.Crashes+f.Restarts, f.Restarts, stops(s)
	return all
}

// stops returns the budget of permanent crashes of nodes that may also recover.
func stops(s *model.System) int {
	if s.IDs(func(n model.NodeSpec) bool { return n.MayStop() && n.MayRecover() }) == nil {
		return 0
	}
	return s.Faults.Crashes
}
