package twophase

import (
	"contend/model"
	"contend/model/variant"
)

// options are steps that TwoPhase.tla leaves out for simplicity, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "abort-told", Title: "reading: a resource manager that aborts tells the transaction manager, which aborts then",
		Edit: variant.All(
			variant.Nodes(func(rm Resource) model.Node { return &tellingResource{rm} }),
			variant.Nodes(func(tm Manager) model.Node { return &toldManager{tm} }),
		),
	},
	{
		Name: "presumed-abort", Title: "a transaction manager that comes back undecided aborts at once",
		Edit: variant.Nodes(func(tm Manager) model.Node { return &presumingManager{Manager: tm} }),
		Show: model.Check{Config: model.Config{N: 2, Faults: model.Faults{Restarts: 2}}, Claims: safety},
	},
	{
		Name: "all-stable", Title: "the transaction manager keeps tmPrepared in stable storage, too",
		Edit: variant.Nodes(func(tm Manager) model.Node { return &stableManager{tm} }),
		Show: model.Check{Config: model.Config{N: 2, Faults: model.Faults{Restarts: 2}}, Claims: safety},
	},
	{
		Name: "first-decision-counts", Title: "a resource manager that has decided ignores messages",
		Edit: variant.Nodes(func(rm Resource) model.Node { return &deafResource{rm} }),
	},
}

type tellingResource struct{ Resource }

// Timeout sends an [Abort] to the transaction manager after an abort.
func (rm *tellingResource) Timeout(env model.Env, action any) {
	rm.Resource.Timeout(env, action)
	if rm.State == Aborted {
		env.Send(rm.cfg.Manager, Abort{})
	}
}

type toldManager struct{ Manager }

// Receive aborts after an [Abort], unless the transaction manager has decided.
func (tm *toldManager) Receive(env model.Env, rm model.NodeID, m any) {
	if _, aborts := m.(Abort); !aborts {
		tm.Manager.Receive(env, rm, m)
	} else if tm.State == Working {
		tm.Timeout(env, tmAbort{})
	}
}

type presumingManager struct {
	Manager
	Booted bool `contend:"stable"`
}

// Start aborts after a restart.
func (tm *presumingManager) Start(env model.Env) {
	if tm.Booted && tm.State == Working {
		tm.Timeout(env, tmAbort{})
		return
	}
	tm.Booted = true
	tm.Manager.Start(env)
}

type stableManager struct {
	Manager `contend:"stable"`
}

// Start commits if all resource managers have prepared.
func (tm *stableManager) Start(env model.Env) {
	tm.Manager.Start(env)
	if tm.State == Working && len(tm.Prepared) == tm.cfg.All {
		env.After(tmCommit{}, model.Anytime())
	}
}

type deafResource struct{ Resource }

// Receive ignores all decisions but the first.
func (rm *deafResource) Receive(env model.Env, from model.NodeID, m any) {
	if rm.State < Committed {
		rm.Resource.Receive(env, from, m)
	}
}
