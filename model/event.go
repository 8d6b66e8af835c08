package model

import "fmt"

// An EventKind says what a pending event is, or which move of the environment a
// step takes. Pending events are Deliver, Timeout, Invoke, Return, Release, Expire, Suspect, Trust and Heal. Moves are Lose, Duplicate,
// Crash, Stop, Restart, Forge, Mistake and Partition. go doc contend/model.Deliver describes each.
type EventKind int

// Pending events (Deliver to Heal) and moves of the environment (Lose to Partition).
const (
	Deliver   EventKind = iota // a message arrives
	Timeout                    // an alarm fires
	Invoke                     // the application invokes an operation
	Return                     // the application sees it return
	Release                    // the application leaves the critical section
	Expire                     // an alarm of a monitor fires
	Suspect                    // the failure detector tells a node that another is down
	Trust                      // it tells a node that another is up
	Heal                       // a partition of the network is over
	Lose                       // a message in flight is lost
	Duplicate                  // a message in flight is there twice
	Crash                      // a node crashes: it may come back if it ever may, else it is down for good
	Stop                       // a node that might have come back crashes for good
	Restart                    // a crashed node is back
	Forge                      // a message arrives that a Byzantine server made up
	Mistake                    // the failure detector tells a node that another is down, which is up
	Partition                  // the network is cut in two
	// EventKinds is how many kinds there are.
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

// Adversarial reports whether the move is the environment's own: no fairness covers
// it.
func (k EventKind) Adversarial() bool { return k >= Lose }
