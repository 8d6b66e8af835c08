package fifo

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var options = []model.Variant{
	{
		Name: "stable", Title: "processes have stable storage",
		Edit: variant.Nodes(func(p Process) model.Node { return &StableProcess{p} }), Show: model.Check{Config: variant.Faulty(multicast.Sized(2, 2, 2), model.Faults{Restarts: 1}), Claims: safe},
		Waives: map[string][]model.Assumption{
			multicast.FIFOOrder: {model.NoMemoryLoss}, multicast.Integrity: {model.NoMemoryLoss},
			multicast.Validity: {model.NoMemoryLoss}, "in sequence": {model.NoMemoryLoss}, "no longer than needed": {model.NoMemoryLoss},
		},
	},
	{
		Name: "one-at-a-time", Title: "a process sends to one process after another, also if no process may crash",
		Edit: variant.Setup(func(c *Config) { c.OneByOne = true }), Show: model.Check{Config: multicast.Sized(3, 1, 2)},
	},
	{
		Name: "own-through-queue", Title: "a process treats its own message like a received one",
		Edit: page.Edit(`p.deliver(env, env.Self(), m)`, `p.receive(env, env.Self(), m)`), Show: again,
	},
	{
		Name: "copy-to-itself", Title: "a process sends its messages to itself too, and discards them",
		Edit: page.Edit(`p.cfg.Group.Others(env.Self())`, `p.cfg.Group`), Show: again,
	},
	{
		Name: "keeps-stale", Title: "a duplicate of a delivered message goes into the hold-back queue and is not discarded",
		Edit:      page.Edit(`m.Number <= p.L[from]`, `false`),
		Show:      model.Check{Config: variant.Faulty(again.Config, model.Faults{Duplication: 1})},
		Unclaimed: []string{"queued messages are delivered"}, // a copy is not delivered again
	},
	{
		Name: "holds-everything", Title: "every message goes through the hold-back queue, even the expected one",
		Edit: page.Edit(`m.Number == p.L[from]+1`, `false`, `p.hold(from, m); env.Note(multicast.Held{Message: m.Message})`,
			`p.hold(from, m)
			p.drain(env, from)
			if _, held := p.HoldBack[from][m.Number]; held {
				env.Note(multicast.Held{Message: m.Message})
			}`), Show: again,
	},
	{
		// A handler is atomic, so neither a message nor a crash comes between.
		Name: "delivers-first", Title: "a process delivers its own message before it sends it",
		Edit: page.Edit(`p.sending(env).Broadcast(p.cfg.Group.Others(env.Self()), m); p.deliver(env, env.Self(), m)`,
			`p.deliver(env, env.Self(), m); p.sending(env).Broadcast(p.cfg.Group.Others(env.Self()), m)`), Show: again,
	},
	{
		Name: "takes-number", Title: "after a delivery L is the number of the message, instead of one more than before",
		Edit: page.Edit(`p.L[from]++`, `p.L[from] = m.Number`), Show: again,
	},
}

// again is a check in which two processes multicast twice.
var again = model.Check{Config: multicast.Sized(3, 2, 2)}
