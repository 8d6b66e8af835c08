package causal

import (
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// asPrinted is what options do not claim, since the protocol as printed does not keep it.
var asPrinted = []string{ofReceipts}

var options = []model.Variant{
	{
		Name: "counts-receipts", Title: "a message comes after everything that its sender had received, not only after what it had delivered",
		Edit: replace(func(p Process) model.Node { return &ReceivingProcess{Process: p} }), Show: again,
		// A process waits with a message of its own for those before it, and counts it as it delivers it.
		Unclaimed: []string{multicast.Validity, "own entries lead"},
	},
	{
		Name: "stable", Title: "processes have stable storage",
		Edit: replace(func(p Process) model.Node { return &StableProcess{p} }), Unclaimed: asPrinted,
		Show: model.Check{Config: faulty(sized(2, 2, 2), model.Faults{Restarts: 1}), Claims: safe},
		Waives: map[string][]model.Assumption{
			multicast.CausalOrder: {model.NoMemoryLoss}, multicast.FIFOOrder: {model.NoMemoryLoss},
			multicast.Integrity: {model.NoMemoryLoss}, multicast.Validity: {model.NoMemoryLoss},
			"in sequence": {model.NoMemoryLoss}, "no longer than needed": {model.NoMemoryLoss}, "own entries lead": {model.NoMemoryLoss},
		},
	},
	{
		Name: "own-through-queue", Title: "a process treats its own message like a received one, and counts it when it delivers it",
		Edit: tune(func(c *Config) {
			c.Stamp = func(vc clocks.Vector, i model.NodeID) (ts, after clocks.Vector) { return vc.Tick(i), vc }
			c.Own = func(p *Process, env model.Env, m Data) { p.receive(env, Postponed{env.Self(), m}) }
		}), Show: again, Unclaimed: asPrinted,
	},
	{
		Name: "merges", Title: "after a delivery VC_j is the maximum of VC_j and ts(m), entry by entry, instead of one more in one entry",
		Edit: tune(func(c *Config) {
			c.Delivered = func(vc, ts clocks.Vector, _, _ model.NodeID) clocks.Vector { return vc.Merge(ts) }
		}), Show: again, Unclaimed: asPrinted,
	},
	{
		Name: "without-own-entry", Title: "condition b leaves out the receiver's own entry",
		Edit: tune(func(c *Config) {
			c.Compared = func(k, i, j model.NodeID) bool { return k != i && k != j }
		}), Show: again, Unclaimed: asPrinted,
	},
	{
		Name: "discards", Title: "a duplicate of a delivered message is discarded, not postponed for ever",
		Edit: tune(func(c *Config) {
			c.Postpones = func(queue []Postponed, m Postponed, vc clocks.Vector) []Postponed {
				if m.Data.TS[m.From] <= vc[m.From] {
					return queue
				}
				return append(queue, m)
			}
		}), Unclaimed: asPrinted,
		Show: model.Check{Config: faulty(sized(2, 2, 2), model.Faults{Duplication: 1})},
	},
	{
		Name: "newest-first", Title: "of the messages whose conditions are met, the last to arrive is delivered first",
		Edit: tune(func(c *Config) {
			c.Postpones = func(queue []Postponed, m Postponed, _ clocks.Vector) []Postponed {
				return append([]Postponed{m}, queue...)
			}
		}), Show: again, Unclaimed: asPrinted,
	},
	{
		Name: "postpones-everything", Title: "every message goes through the hold-back queue, even if its conditions are met",
		Edit: replace(func(p Process) model.Node { return &patientProcess{p} }), Show: again, Unclaimed: asPrinted,
	},
}

// again is a check in which two processes multicast twice.
var again = model.Check{Config: sized(3, 2, 2)}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

func tune(f func(*Config)) func(*model.System) { return func(s *model.System) { f(setup(s)) } }

// replace replaces the processes.
func replace(f func(Process) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			s.Nodes[i].New = func() model.Node { return f(Process{cfg: setup(s)}) }
		}
	}
}

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
