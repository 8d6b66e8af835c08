package view

import (
	"slices"

	"contend/model"
)

// A multicast is a message to each member, one after another, and a process may crash in between: "m has
// reached at least 1 process when p crashes". A handler is not interrupted by a crash. So the copies wait in
// order, and each copy leaves in a separate step.

// A Letter is a copy that has not left yet.
type Letter struct {
	To      model.NodeID
	Message any
}

// next is the alarm at which a copy leaves.
type next struct{}

// oneByOne sends the copies of a process one after another, so that it may crash in between.
func oneByOne(p *Process, env model.Env, to []model.NodeID, m any) {
	if len(p.Out) == 0 && len(to) > 0 {
		env.After(next{}, model.Window{})
	}
	for _, id := range to {
		p.Out = append(p.Out, Letter{id, m})
	}
}

// Timeout sends a copy.
func (p *Process) Timeout(env model.Env, _ any) {
	first := p.Out[0]
	p.Out = slices.Clone(p.Out[1:])
	env.Send(first.To, first.Message)
	if len(p.Out) > 0 {
		env.After(next{}, model.Window{})
	}
}
