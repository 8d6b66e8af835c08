package sequencer

import "contend/model"

// The lecture does not specify whether the sequencer belongs to the group. If it does, its messages to itself
// are no messages: they take effect at once.

// A Member is a process of the group that is the sequencer, too.
type Member struct {
	Process
	Sequencer
}

// member makes the first process the sequencer.
func member(s *model.System) {
	cfg := s.Setup.(*Config)
	s.Nodes = s.Nodes[:cfg.Sequencer]
	cfg.Sequencer = cfg.Group[0]
	s.Nodes[cfg.Sequencer].New = func() model.Node {
		return &Member{Process{cfg: cfg}, Sequencer{cfg: cfg}}
	}
}

// Invoke multicasts the next message.
func (m *Member) Invoke(env model.Env, op any) { m.Process.Invoke(within{env, m}, op) }

// Receive handles a message to the group, or a message with its number.
func (m *Member) Receive(env model.Env, from model.NodeID, message any) {
	if _, asks := message.(Request); asks {
		m.Sequencer.Receive(within{env, m}, from, message)
		return
	}
	m.Process.Receive(env, from, message)
}

// within is the environment of a member whose messages to itself arrive at once.
type within struct {
	model.Env
	member *Member
}

// Send sends a message.
func (e within) Send(to model.NodeID, m any) {
	if to == e.Self() {
		e.member.Receive(e.Env, to, m)
		return
	}
	e.Env.Send(to, m)
}

// Broadcast sends a message to each of the nodes.
func (e within) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		e.Send(id, m)
	}
}
