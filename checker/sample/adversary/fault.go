package adversary

import "contend/model"

// A Fault is one that may strike now.
type Fault struct {
	Kind model.EventKind // an adversarial one, but Forge
	Node model.NodeID    // where it strikes; the receiver of a message that is lost or duplicated; -1 of a partition
}

// A Step is one that a schedule took.
type Step struct {
	Number int // from 1
	Kind   model.EventKind
	Node   model.NodeID // where it happened; -1 of no node
	// Sends is how many messages it sent.
	Sends int
	// Notes and Returns say that the node noted something and that an operation returned.
	Notes, Returns bool
}

// attitude is how faults strike during one schedule.
type attitude interface {
	// strike is [Adversary.Strike]; lies is the weight of a lie.
	strike(c Choices, faults []Fault, sent func(place int) int, lies int, protocol bool) (place int, s Strike)
	// took is told of each step, in order.
	took(s Step)
	name() string
}

// A Strike says what the environment does in a step.
type Strike int

// What it does.
const (
	Nothing Strike = iota // the protocol goes on, if it can
	Strikes               // a fault strikes
	Lies                  // a Byzantine node may speak
)

// certain is the weight of all that may happen in a step. Each kind of fault has one of the
// frequencies; the protocol's own events have what is left, which is always the larger part.
const certain = 64

var frequencies = [...]int{0, 1, 2, 5}

// budgets are the kinds of faults with how many of each there may be.
func budgets(s *model.System) (all [model.EventKinds]int) {
	f := s.Faults
	all[model.Lose], all[model.Duplicate], all[model.Mistake], all[model.Partition] = f.Loss, f.Duplication, f.Suspicions, f.Partitions
	all[model.Crash], all[model.Restart], all[model.Stop] = f.Crashes+f.Restarts, f.Restarts, stops(s)
	return all
}

// stops is the budget of crashes for good where they may strike a node that may also come back.
func stops(s *model.System) int {
	if s.IDs(func(n model.NodeSpec) bool { return n.MayStop() && n.MayRecover() }) == nil {
		return 0
	}
	return s.Faults.Crashes
}
