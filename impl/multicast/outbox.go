package multicast

import "contend/model"

// An Outbox makes a process that broadcasts send to one receiver after another, each in a separate step, so
// that it may crash half-way. If a broadcast is one step, a process that crashes has sent to all receivers or
// to none. The Outbox is part of a process's state. An alarm of the process triggers each step.
type Outbox struct{ Copies []Copy }

// A Copy is a message to be sent to a process.
type Copy struct {
	To      model.NodeID
	Message any
}

// Next is the alarm at which the next copy is sent.
type Next struct{}

// Through returns the environment in which a broadcast goes through the outbox.
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

// Resume continues to send after a restart, if the crash was between two copies.
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
