package model

import "fmt"

// A CrashModel is the set of crashes that may happen to a node, within the budgets of [Faults].
//
// A crash happens between two handlers. It ends the alarms and holds of the node, and its application. If the
// node crashes for good, messages in flight to it are dropped. If it may restart, they stay in flight, and
// are lost if they arrive while it is down.
//
// A restart creates the node with New, restores its stable fields from before the crash, and runs Start. A
// field of a node is stable if it has the tag
//
//	Log []Entry `contend:"stable"`
//
// A field that is a node or a struct may have the tag, too. Without such a field all memory is lost. Messages
// that arrived before the crash may arrive again, unless [Network.Once] is set.
//
// An operation that runs at the crash never returns. It stays pending in the history, and may have taken
// effect or not. A critical section is never left. After the restart, the application continues with the next
// operation, after the time [Op.After].
//
// A crash model is ByRole, NoCrashes, CrashStop, CrashRecovery or CrashStopRecovery. go doc
// contend/model.CrashStop describes each.
type CrashModel int

// The crash models.
const (
	ByRole            CrashModel = iota // CrashRecovery for servers, CrashStop for others
	NoCrashes                           // the node does not crash
	CrashStop                           // the node may crash for good: [Faults.Crashes]
	CrashRecovery                       // the node may crash and restart: [Faults.Restarts]
	CrashStopRecovery                   // both
)

func (m CrashModel) String() string {
	return [...]string{"by role", "no crashes", "crash-stop", "crash-recovery", "crash-stop and crash-recovery"}[m]
}

// MayStop reports whether the node may crash for good.
func (n NodeSpec) MayStop() bool {
	switch n.Crash {
	case ByRole:
		return !n.Byzantine && n.Role != Server
	case CrashStop, CrashStopRecovery:
		return !n.Byzantine
	}
	return false
}

// MayRecover reports whether the node may crash and restart.
func (n NodeSpec) MayRecover() bool {
	switch n.Crash {
	case ByRole:
		return !n.Byzantine && n.Role == Server
	case CrashRecovery, CrashStopRecovery:
		return !n.Byzantine
	}
	return false
}

// validateStrikes returns an error if a budget of crashes is set, but no node may crash so.
func (s *System) validateStrikes() error {
	for _, b := range []struct {
		count    int
		name     string
		may      func(NodeSpec) bool
		whatever string
	}{
		{s.Faults.Crashes, "crashes", NodeSpec.MayStop, "crash for good"},
		{s.Faults.Restarts, "restarts", NodeSpec.MayRecover, "crash and come back"},
	} {
		if b.count > 0 && len(s.IDs(b.may)) == 0 {
			return fmt.Errorf("faults: %s is %d, but no node of this system may %s", b.name, b.count, b.whatever)
		}
	}
	return nil
}
