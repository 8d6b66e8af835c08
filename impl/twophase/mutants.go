package twophase

import (
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, and faults that violate an assumption, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		Name: "manager-crashes", Title: "one fault beyond: the transaction manager crashes, and who has prepared is blocked",
		Breaks: terminates, Show: assumeAnyway(2, model.Faults{Crashes: 1}),
	},
	{
		Name: "message-lost", Title: "one fault beyond: a message is lost",
		Breaks: terminates, Show: assumeAnyway(2, model.Faults{Loss: 1}),
	},
	{
		Name: "partitioned", Title: "one fault beyond: the network is partitioned for a while",
		Breaks: terminates, Show: assumeAnyway(2, model.Faults{Partitions: 1}),
	},
	{
		Name: "all-but-one", Title: "the transaction manager commits when one has not prepared",
		Breaks: commitment, Show: check(2, model.Faults{}),
		Edit: func(s *model.System) { s.Setup.(*Config).All-- },
	},
	{
		Name: "counts-messages", Title: "the transaction manager counts messages, not senders; one comes twice",
		Breaks: commitment, Show: check(2, model.Faults{Duplication: 1}),
		Edit: variant.Nodes(func(tm Manager) model.Node { return &countingManager{Manager: tm} }),
	},
	{
		Name: "aborts-late", Title: "the transaction manager may abort after it has committed",
		Breaks: consistent, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(tm Manager) model.Node { return &lateManager{tm} }),
	},
	{
		Name: "decision-forgotten", Title: "the decision is not in stable storage",
		Breaks: consistent, Show: check(2, model.Faults{Restarts: 1}),
		Edit: variant.Nodes(func(tm Manager) model.Node { return &forgetfulManager{tm} }),
	},
	{
		Name: "promise-forgotten", Title: "that a resource manager has prepared is not in stable storage",
		Breaks: consistent, Show: check(2, model.Faults{Restarts: 1}),
		Edit: variant.Nodes(func(rm Resource) model.Node { return &forgetfulResource{rm} }),
	},
	{
		Name: "gives-up", Title: "a resource manager that has prepared aborts when it has waited for long",
		Breaks: consistent, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(rm Resource) model.Node { return &impatientResource{rm} }),
	},
	{
		Name: "presumed-commit", Title: "a resource manager that comes back prepared takes it that all have",
		Breaks: commitment, Show: check(2, model.Faults{Restarts: 1}),
		Edit: variant.Nodes(func(rm Resource) model.Node { return &trustingResource{rm} }),
	},
	{
		Name: "deaf-when-prepared", Title: "a resource manager that has prepared takes no abort",
		Breaks: terminates, Show: check(2, model.Faults{}),
		Edit: variant.Nodes(func(rm Resource) model.Node { return &stubbornResource{rm} }),
	},
}

func check(n int, f model.Faults) model.Check {
	return model.Check{Config: model.Config{N: n, Faults: f}}
}

func assumeAnyway(n int, f model.Faults) model.Check {
	return variant.Beyond(model.Config{N: n}, f)
}

type countingManager struct {
	Manager
	Messages int
}

// Receive counts messages, not senders.
func (tm *countingManager) Receive(env model.Env, rm model.NodeID, m any) {
	tm.Manager.Receive(env, rm, m)
	if tm.Messages++; tm.State == Working && tm.Messages == tm.cfg.All {
		env.After(tmCommit{}, model.Anytime())
	}
}

type lateManager struct{ Manager }

// Timeout allows an abort after a commit.
func (tm *lateManager) Timeout(env model.Env, action any) {
	tm.Manager.Timeout(env, action)
	if tm.State == Committed {
		env.After(tmAbort{}, model.Anytime())
	}
}

type forgetfulManager struct{ Manager }

// Start resets the state.
func (tm *forgetfulManager) Start(env model.Env) {
	tm.State = Working
	tm.Manager.Start(env)
}

type forgetfulResource struct{ Resource }

// Start forgets that the resource manager has prepared, but no decision.
func (rm *forgetfulResource) Start(env model.Env) {
	if rm.State == Ready {
		rm.State = Working
	}
	rm.Resource.Start(env)
}

type impatientResource struct{ Resource }

// Timeout allows an abort after prepared.
func (rm *impatientResource) Timeout(env model.Env, action any) {
	rm.Resource.Timeout(env, action)
	if rm.State == Ready {
		env.After(rmChooseToAbort{}, model.Anytime())
	}
}

type trustingResource struct{ Resource }

// Start commits if the resource manager has prepared.
func (rm *trustingResource) Start(env model.Env) {
	if rm.State == Ready {
		rm.become(env, Committed)
	}
	rm.Resource.Start(env)
}

type stubbornResource struct{ Resource }

// Receive ignores an abort.
func (rm *stubbornResource) Receive(env model.Env, from model.NodeID, m any) {
	if _, aborts := m.(Abort); !aborts || rm.State != Ready {
		rm.Resource.Receive(env, from, m)
	}
}
