package causal

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// asPrinted is the claim that options do not make, because the protocol as printed violates it.
var asPrinted = []string{ofReceipts}

var options = []model.Variant{
	{
		Name: "counts-receipts", Title: "a message comes after everything that its sender had received, not only after what it had delivered",
		Edit: variant.Nodes(func(p Process) model.Node { return &ReceivingProcess{Process: p} }), Show: again,
		// A process holds back its own message until earlier messages are delivered. It counts the message at its
		// delivery.
		Unclaimed: []string{multicast.Validity, "own entries lead"},
	},
	{
		Name: "stable", Title: "processes have stable storage",
		Edit: variant.Nodes(func(p Process) model.Node { return &StableProcess{p} }), Unclaimed: asPrinted,
		Show: model.Check{Config: variant.Faulty(multicast.Sized(2, 2, 2), model.Faults{Restarts: 1}), Claims: safe},
		Waives: map[string][]model.Assumption{
			multicast.CausalOrder: {model.NoMemoryLoss}, multicast.FIFOOrder: {model.NoMemoryLoss},
			multicast.Integrity: {model.NoMemoryLoss}, multicast.Validity: {model.NoMemoryLoss},
			"in sequence": {model.NoMemoryLoss}, "no longer than needed": {model.NoMemoryLoss}, "own entries lead": {model.NoMemoryLoss},
		},
	},
	{
		Name: "one-at-a-time", Title: "a process sends to one process after another, also if no process may crash", Unclaimed: asPrinted,
		Edit: variant.Setup(func(c *Config) { c.OneByOne = true }), Show: model.Check{Config: multicast.Sized(3, 1, 2)},
	},
	{
		Name: "own-through-queue", Title: "a process treats its own message like a received one, and counts it when it delivers it",
		Edit: page.Edit(`p.VC = p.VC.Tick(i)`, ``, `Data{p.VC,`, `Data{p.VC.Tick(i),`, `env.Deliver(m.Message)`, `p.receive(env, Postponed{i, m})`),
		Show: again, Unclaimed: asPrinted,
	},
	{
		Name: "merges", Title: "after a delivery VC_j is the maximum of VC_j and ts(m), entry by entry, instead of one more in one entry",
		Edit: page.Edit(`p.VC.Tick(m.From)`, `p.VC.Merge(m.Data.TS)`),
		Show: again, Unclaimed: asPrinted,
	},
	{
		Name: "without-own-entry", Title: "condition b leaves out the receiver's own entry",
		Edit: page.Edit(`k != i &&`, `k != i && k != j &&`),
		Show: again, Unclaimed: asPrinted,
	},
	{
		Name: "discards", Title: "a duplicate of a delivered message is discarded, not postponed for ever",
		Edit:      page.Edit(`p.HoldBack = append(p.HoldBack, m)`, `if m.Data.TS[m.From] > p.VC[m.From] { p.HoldBack = append(p.HoldBack, m) }`),
		Unclaimed: asPrinted,
		Show:      model.Check{Config: variant.Faulty(multicast.Sized(2, 2, 2), model.Faults{Duplication: 1})},
	},
	{
		Name: "newest-first", Title: "of the messages whose conditions are met, the last to arrive is delivered first",
		Edit: page.Edit(`append(p.HoldBack, m)`, `append([]Postponed{m}, p.HoldBack...)`),
		Show: again, Unclaimed: asPrinted,
	},
	{
		Name: "postpones-everything", Title: "every message goes through the hold-back queue, even if its conditions are met",
		Edit: variant.Nodes(func(p Process) model.Node { return &patientProcess{p} }), Show: again, Unclaimed: asPrinted,
	},
}

// again is a check in which two processes multicast twice.
var again = model.Check{Config: multicast.Sized(3, 2, 2)}

type patientProcess struct{ Process }

// Receive postpones a message, and delivers what can be delivered.
func (p *patientProcess) Receive(env model.Env, i model.NodeID, m any) {
	at := len(p.HoldBack)
	p.HoldBack = append(p.HoldBack, Postponed{i, m.(Data)})
	p.drain(env)
	if len(p.HoldBack) > at { // nothing was delivered
		env.Note(multicast.Held{Message: m.(Data).Message})
	}
}
