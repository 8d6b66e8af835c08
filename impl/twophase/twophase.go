package twophase

import "contend/model"

// The messages.
type (
	Prepared struct{} // of a resource manager
	Commit   struct{} // of the transaction manager
	Abort    struct{}
)

// A State is the state of a resource manager, rmState, or of the transaction manager, tmState. In tmState, [Working] is
// "init".
type State int

// The states.
const (
	Working State = iota
	Ready         // "prepared"
	Committed
	Aborted
)

func (s State) String() string { return [...]string{"working", "prepared", "committed", "aborted"}[s] }

// The alarms of managers.
type (
	tmCommit        struct{} // TMCommit
	tmAbort         struct{} // TMAbort
	rmPrepare       struct{} // RMPrepare(rm)
	rmChooseToAbort struct{} // RMChooseToAbort(rm)
)

// A Manager is the transaction manager.
type Manager struct {
	cfg      *Config
	State    State                 `contend:"stable"`
	Prepared map[model.NodeID]bool // tmPrepared
}

// Start begins the protocol. After a restart, it repeats a decision.
func (tm *Manager) Start(env model.Env) {
	if tm.State != Working {
		tm.tell(env)
		return
	}
	env.After(tmAbort{}, model.Anytime())
}

// Receive implements TMRcvPrepared(rm).
func (tm *Manager) Receive(env model.Env, rm model.NodeID, _ any) {
	if tm.State != Working {
		return
	}
	tm.Prepared[rm] = true
	if len(tm.Prepared) == tm.cfg.All {
		env.After(tmCommit{}, model.Anytime())
	}
}

// Timeout implements TMCommit and TMAbort.
func (tm *Manager) Timeout(env model.Env, action any) {
	switch action.(type) {
	case tmCommit:
		tm.State = Committed
	case tmAbort:
		tm.State = Aborted
	}
	env.Cancel(tmCommit{})
	env.Cancel(tmAbort{})
	tm.tell(env)
}

func (tm *Manager) tell(env model.Env) {
	if tm.State == Committed {
		env.Broadcast(tm.cfg.Resources, Commit{})
		return
	}
	env.Broadcast(tm.cfg.Resources, Abort{})
}

// A Resource is a resource manager.
type Resource struct {
	cfg   *Config
	State State `contend:"stable"`
}

// Start begins the protocol. After a restart, it repeats that the resource manager has prepared.
func (rm *Resource) Start(env model.Env) {
	switch rm.State {
	case Working:
		env.After(rmPrepare{}, model.Anytime())
		env.After(rmChooseToAbort{}, model.Anytime())
	case Ready:
		env.Send(rm.cfg.Manager, Prepared{})
	}
}

// Timeout implements RMPrepare(rm) and RMChooseToAbort(rm).
func (rm *Resource) Timeout(env model.Env, action any) {
	switch action.(type) {
	case rmPrepare:
		rm.become(env, Ready)
		env.Send(rm.cfg.Manager, Prepared{})
	case rmChooseToAbort:
		rm.become(env, Aborted)
	}
}

// Receive implements RMRcvCommitMsg(rm) and RMRcvAbortMsg(rm).
func (rm *Resource) Receive(env model.Env, _ model.NodeID, m any) {
	switch m.(type) {
	case Commit:
		rm.become(env, Committed)
	case Abort:
		rm.become(env, Aborted)
	}
}

// become changes rmState, and cancels the alarms of the previous state.
func (rm *Resource) become(env model.Env, s State) {
	env.Cancel(rmPrepare{})
	env.Cancel(rmChooseToAbort{})
	if s != rm.State {
		env.Note(Became{s})
	}
	rm.State = s
}
