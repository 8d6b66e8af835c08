package model

import "fmt"

// A CrashModel says which crashes may strike a node, within the budgets of [Faults].
//
// A crash takes a node down at once, between two handlers: its alarms and holds are gone, and
// so is its application. What is in flight to a node that crashes for good is gone too; what
// is in flight to one that may come back stays in flight, and is lost if it arrives while
// the node is down.
//
// A node that comes back is made anew by New, but for its stable fields, which are as the
// crash left them; then its Start runs. A field of a node is stable when it has the tag
//
//	Log []Entry `contend:"stable"`
//
// which a field that is a node, or a struct, may have as well. Where no field has the tag, all
// memory is lost. What has arrived before the crash may arrive once more, unless the system's
// [Network.Once] says otherwise.
//
// The application crashes with its node. An operation that runs then never returns: it stays
// pending in the history for ever, and may have taken effect or not. A section that it was in
// is never left. After the node has come back the application goes on with the operation
// after that, the time of [Op.After] later; one that had not begun begins then.
//
// A crash model is ByRole, NoCrashes, CrashStop, CrashRecovery or CrashStopRecovery. go doc contend/model.CrashStop describes each.
type CrashModel int

// The crash models.
const (
	ByRole            CrashModel = iota // CrashRecovery for servers, CrashStop for others
	NoCrashes                           // no crash strikes the node
	CrashStop                           // it may crash for good: [Faults.Crashes]
	CrashRecovery                       // it may crash and come back: [Faults.Restarts]
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

// MayRecover reports whether the node may crash and come back.
func (n NodeSpec) MayRecover() bool {
	switch n.Crash {
	case ByRole:
		return !n.Byzantine && n.Role == Server
	case CrashRecovery, CrashStopRecovery:
		return !n.Byzantine
	}
	return false
}

// validateStrikes refuses a budget of faults that can strike nobody.
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
