package unordered

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
)

var options = []model.Variant{
	{
		Name: "fifo", Title: "channels are FIFO", Joins: true,
		Edit: func(s *model.System) { s.Network.Channel = model.FIFO }, Show: again,
	},
	{
		Name: "own-at-once", Title: "reading: a process delivers its own message when it multicasts it", Joins: true,
		Edit: tune(func(c *Config) {
			c.Send = func(env model.Env, group []model.NodeID, m multicast.Message) {
				env.Deliver(m)
				env.Broadcast(others(env, group), m)
			}
		}), Show: again,
	},
	{
		Name: "one-at-a-time", Title: "reading: a process sends to one process after another, and may crash half-way", Joins: true,
		Edit: oneAtATime, Show: model.Check{Config: sized(3, 2, 1)},
	},
	{
		Name: "knows-again", Title: "a process discards duplicates of what it has delivered",
		Edit: replace(func(p Process) model.Node { return &knowing{Process: p} }), Show: again,
		Waives: map[string][]model.Assumption{multicast.Integrity: {model.AtMostOnce}},
	},
	{
		Name: "returns-first", Title: "a multicast returns before the message is sent",
		Edit: replace(func(p Process) model.Node { return &hasty{p} }), Show: again,
	},
	{
		Name: "backwards", Title: "a process sends to the group in the opposite order",
		Edit: tune(func(c *Config) { slices.Reverse(c.Group) }), Show: again,
	},
}

// again is a check in which processes multicast more than once.
var again = model.Check{Config: sized(2, 2, 2)}

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

func others(env model.Env, group []model.NodeID) []model.NodeID {
	return slices.DeleteFunc(slices.Clone(group), func(id model.NodeID) bool { return id == env.Self() })
}

func oneAtATime(s *model.System) {
	s.Types = append(s.Types, multicast.Next{}, multicast.Copy{})
	replace(func(p Process) model.Node { return &stepping{Process: p} })(s)
}

// stepping is a process that sends through an outbox.
type stepping struct {
	Process
	Outbox multicast.Outbox
}

// Invoke multicasts, to one process after another.
func (s *stepping) Invoke(env model.Env, op any) { s.Process.Invoke(s.Outbox.Through(env), op) }

// Timeout sends the next copy.
func (s *stepping) Timeout(env model.Env, _ any) { s.Outbox.Step(env) }

// knowing is a process that knows messages again.
type knowing struct {
	Process
	Delivered map[multicast.Message]bool
}

// Receive discards what was delivered before.
func (k *knowing) Receive(env model.Env, from model.NodeID, m any) {
	if !k.Delivered[m.(multicast.Message)] {
		k.Delivered[m.(multicast.Message)] = true
		k.Process.Receive(env, from, m)
	}
}

// hasty is a process whose multicasts return first. A handler runs to its end, so the message is
// sent before anything else happens.
type hasty struct{ Process }

// Invoke returns, and multicasts.
func (h *hasty) Invoke(env model.Env, _ any) {
	env.Return(nil)
	h.Sent++
	h.cfg.Send(env, h.cfg.Group, multicast.Message{Sender: env.Self(), Number: h.Sent})
}
