package model

import "fmt"

// An EventKind is the kind of a pending event, or a move of the environment. Pending events are Deliver,
// Timeout, Invoke, Return, Release, Expire, Suspect, Trust and Heal. Moves are Lose, Duplicate, Crash, Stop,
// Restart, Forge, Mistake and Partition. go doc contend/model.Deliver describes each.
type EventKind int

// Pending events (Deliver to Heal) and moves of the environment (Lose to Partition).
const (
	Deliver   EventKind = iota // a message arrives
	Timeout                    // an alarm fires
	Invoke                     // the application invokes an operation
	Return                     // the application sees the operation return
	Release                    // the application leaves the critical section
	Expire                     // an alarm of a monitor fires
	Suspect                    // the failure detector reports a node as down
	Trust                      // the failure detector reports a node as up
	Heal                       // a partition ends
	Lose                       // a message in flight is lost
	Duplicate                  // a message in flight is duplicated
	Crash                      // a node crashes: for good, unless it may restart
	Stop                       // a node that may restart crashes for good
	Restart                    // a crashed node restarts
	Forge                      // a forged message of a Byzantine node arrives
	Mistake                    // the failure detector reports a node as down that is up
	Partition                  // the network is partitioned
	// EventKinds is the number of kinds.
	EventKinds
)

var kindNames = [...]string{"deliver", "timeout", "invoke", "return", "release", "expire",
	"suspect", "trust", "heal", "lose", "duplicate", "crash", "stop", "restart", "forge", "mistake", "partition"}

func (k EventKind) String() string { return kindNames[k] }

// ParseEventKind is the inverse of String.
func ParseEventKind(s string) (EventKind, error) {
	for k, name := range kindNames {
		if name == s {
			return EventKind(k), nil
		}
	}
	return 0, fmt.Errorf("kind %.40q is not one of %v", s, kindNames)
}

// Adversarial reports whether the kind is a move of the environment. Fairness does not cover these.
func (k EventKind) Adversarial() bool { return k >= Lose }
