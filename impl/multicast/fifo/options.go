package fifo

import (
	"contend/impl/multicast"
	"contend/model"
)

var options = []model.Variant{
	{
		Name: "stable", Title: "processes have stable storage",
		Edit: replace(func(p Process) model.Node { return &StableProcess{p} }), Show: model.Check{Config: faulty(sized(2, 2, 2), model.Faults{Restarts: 1}), Claims: safe},
		Waives: map[string][]model.Assumption{
			multicast.FIFOOrder: {model.NoMemoryLoss}, multicast.Integrity: {model.NoMemoryLoss},
			multicast.Validity: {model.NoMemoryLoss}, "in sequence": {model.NoMemoryLoss}, "no longer than needed": {model.NoMemoryLoss},
		},
	},
	{
		Name: "own-through-queue", Title: "a process treats its own message like a received one",
		Edit: tune(func(c *Config) {
			c.Own = func(p *Process, env model.Env, m Data) { p.receive(env, env.Self(), m) }
		}), Show: again,
	},
	{
		Name: "copy-to-itself", Title: "a process sends its messages to itself too, and discards them",
		Edit: tune(func(c *Config) {
			c.To = func(group multicast.Nodes, _ model.NodeID) []model.NodeID { return group }
		}), Show: again,
	},
	{
		Name: "keeps-stale", Title: "a duplicate of a delivered message goes into the hold-back queue and is not discarded",
		Edit:      tune(func(c *Config) { c.Old = func(int, int) bool { return false } }),
		Show:      model.Check{Config: faulty(again.Config, model.Faults{Duplication: 1})},
		Unclaimed: []string{"queued messages are delivered"}, // a copy is not delivered once more
	},
	{
		Name: "holds-everything", Title: "every message goes through the hold-back queue, even the expected one",
		Edit: replace(func(p Process) model.Node { return &holdingProcess{p} }), Show: again,
	},
	{
		Name: "delivers-first", Title: "a process delivers its own message before it sends it",
		Edit: replace(func(p Process) model.Node { return &hastyProcess{p} }), Show: again,
	},
	{
		Name: "takes-number", Title: "after a delivery L is the number of the message, instead of one more than before",
		Edit: tune(func(c *Config) { c.Increased = func(_, number int) int { return number } }), Show: again,
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

type holdingProcess struct{ Process }

// Receive keeps a message, and delivers what it can.
func (p *holdingProcess) Receive(env model.Env, from model.NodeID, m any) {
	d := m.(Data)
	if p.cfg.Old(d.Number, p.L[from]) {
		return
	}
	p.hold(from, d)
	p.drain(env, from)
	if _, held := p.HoldBack[from][d.Number]; held {
		env.Note(multicast.Held{Message: d.Message})
	}
}

type hastyProcess struct{ Process }

// Invoke delivers first. A handler runs to its end, so nothing can come between; a crash neither.
func (p *hastyProcess) Invoke(env model.Env, op any) {
	p.S++
	m := Data{p.S, multicast.Message{Sender: env.Self(), Number: op.(multicast.Numbered).Number}}
	p.deliver(env, env.Self(), m)
	p.sending(env).Broadcast(p.cfg.To(p.cfg.Group, env.Self()), m)
	env.Return(nil)
}
