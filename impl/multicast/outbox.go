package multicast

import "contend/model"

// An Outbox has a process that broadcasts send to one process after another, each in a step of its
// own, so that it may crash half-way. Where a broadcast is one step, a process that crashes has
// sent to all or to none. It is part of a process's state; an alarm of the process steps it.
type Outbox struct{ Copies []Copy }

// A Copy is a message that is to be sent to a process.
type Copy struct {
	To      model.NodeID
	Message any
}

// Next is the alarm at which the next copy is sent.
type Next struct{}

// Through is the environment in which a broadcast goes through the outbox.
func (o *Outbox) Through(env model.Env) model.Env { return stepping{env, o} }

// Step sends the next copy.
func (o *Outbox) Step(env model.Env) {
	next := o.Copies[0]
	o.Copies = append([]Copy(nil), o.Copies[1:]...)
	env.Send(next.To, next.Message)
	if len(o.Copies) > 0 {
		env.After(Next{}, model.Exactly(0))
	}
}

// Resume goes on sending after a restart, where a crash came between two copies.
func (o *Outbox) Resume(env model.Env) {
	if len(o.Copies) > 0 {
		env.After(Next{}, model.Exactly(0))
	}
}

type stepping struct {
	model.Env
	outbox *Outbox
}

// Broadcast sends the first copy, and leaves the others for later.
func (s stepping) Broadcast(to []model.NodeID, m any) {
	idle := len(s.outbox.Copies) == 0
	for _, id := range to {
		s.outbox.Copies = append(s.outbox.Copies, Copy{id, m})
	}
	if idle && len(to) > 0 {
		s.outbox.Step(s.Env)
	}
}
