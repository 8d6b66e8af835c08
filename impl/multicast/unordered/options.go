package unordered

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var options = []model.Variant{
	{
		Name: "fifo", Title: "channels are FIFO", Joins: true,
		Edit: variant.Channel(model.FIFO), Show: again,
	},
	{
		Name: "own-at-once", Title: "reading: a process delivers its own message when it multicasts it", Joins: true,
		Edit: page.Edit(`env.Broadcast(p.cfg.Group, m)`, `env.Deliver(m); env.Broadcast(p.cfg.Group.Others(env.Self()), m)`), Show: again,
	},
	{
		Name: "one-at-a-time", Title: "reading: a process sends to one process after another, and may crash half-way", Joins: true,
		Edit: oneAtATime, Show: model.Check{Config: multicast.Sized(3, 2, 1)},
	},
	{
		Name: "knows-again", Title: "a process discards duplicates of what it has delivered",
		Edit: variant.Nodes(func(p Process) model.Node { return &knowing{Process: p} }), Show: again,
		Waives: map[string][]model.Assumption{multicast.Integrity: {model.AtMostOnce}},
	},
	{
		Name: "returns-first", Title: "a multicast returns before the message is sent",
		Edit: page.Edit(`p.Sent++`, `env.Return(nil); p.Sent++`, `m); env.Return(nil)`, `m)`), Show: again,
	},
	{
		Name: "backwards", Title: "a process sends to the group in the opposite order",
		Edit: variant.Setup(func(c *Config) { slices.Reverse(c.Group) }), Show: again,
	},
}

// again is a check in which processes multicast more than once.
var again = model.Check{Config: multicast.Sized(2, 2, 2)}

var oneAtATime = variant.All(variant.Types(multicast.Next{}, multicast.Copy{}), variant.EditedNodes(
	func(p Process) EditedProcess { return EditedProcess{Process: p} },
	func(p EditedProcess) model.Node { return &stepping{EditedProcess: p} },
))

// stepping is a process that sends through an outbox.
type stepping struct {
	EditedProcess
	Outbox multicast.Outbox
}

// Invoke multicasts, to one process after another.
func (s *stepping) Invoke(env model.Env, op any) { s.EditedProcess.Invoke(s.Outbox.Through(env), op) }

// Timeout sends the next copy.
func (s *stepping) Timeout(env model.Env, _ any) { s.Outbox.Step(env) }

// knowing is a process that knows messages again.
type knowing struct {
	Process
	Delivered map[multicast.Message]bool
}

// Receive discards messages that were delivered before.
func (k *knowing) Receive(env model.Env, from model.NodeID, m any) {
	if !k.Delivered[m.(multicast.Message)] {
		k.Delivered[m.(multicast.Message)] = true
		k.Process.Receive(env, from, m)
	}
}
