package view

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// "Either all processes or none at all" is false for a process that delivers its own message and crashes
// before a copy has left. In this reading a message is delivered when every member is known to have it. A
// process flushes when all remaining members have its messages. This is uniform reliable multicast, as in
// Schiper and Sandoz (1993).

// Ack notifies that its sender has a message.
type Ack struct{ Data Data }

// uniform is an edit: it has processes deliver what all have.
var uniform = variant.All(
	variant.Types(Ack{}),
	define(func(d Definitions) Definitions { return whenAllHave{d} }),
	variant.Nodes(func(p Process) model.Node { return &uniformProcess{Process: p} }),
	variant.Nodes(func(s Service) model.Node { return &patientService{s} }),
)

type whenAllHave struct{ Definitions }

// Flushes returns false: a process flushes later.
func (whenAllHave) Flushes() bool { return false }

// Deliver returns false: a process delivers later.
func (whenAllHave) Deliver(Data, int) bool { return false }

// A patientService also sends later views to processes that leave: they may be waiting for a process that
// crashes.
type patientService struct{ Service }

// Receive handles requests.
func (s *patientService) Receive(env model.Env, from model.NodeID, m any) {
	s.Service.Receive(telling{env, s}, from, m)
}

// Suspect removes a crashed process from the group.
func (s *patientService) Suspect(env model.Env, id model.NodeID) {
	s.Service.Suspect(telling{env, s}, id)
}

type telling struct {
	model.Env
	s *patientService
}

// Broadcast sends a view.
func (t telling) Broadcast(to []model.NodeID, m any) {
	t.Env.Broadcast(slices.Compact(slices.Sorted(slices.Values(slices.Concat(to, t.s.Past)))), m)
}

type uniformProcess struct {
	Process
	Has       map[Data]map[model.NodeID]bool // which process is known to have which message
	Delivered map[multicast.Message]bool     // of the messages in the log
}

// Invoke multicasts, joins or leaves.
func (p *uniformProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(completing{env, p}, op)
	p.settle(env)
}

// Receive handles an acknowledgement, or a message of a process.
func (p *uniformProcess) Receive(env model.Env, from model.NodeID, m any) {
	ack, is := m.(Ack)
	switch {
	case !is:
		p.Process.Receive(completing{env, p}, from, m)
	case ack.Data.View >= p.first():
		p.has(ack.Data, from)
	}
	p.settle(env)
}

// settle acknowledges new messages, delivers messages that all have, and flushes when all remaining members
// have everything.
func (p *uniformProcess) settle(env model.Env) {
	if p.Left {
		clear(p.Has)
		clear(p.Delivered)
		return
	}
	for d := range p.Has {
		if d.View < p.first() {
			delete(p.Has, d)
		}
	}
	for _, u := range p.Log {
		if !p.Has[u.Data][env.Self()] {
			p.has(u.Data, env.Self())
			p.cfg.spec.Send(&p.Process, env, p.concerned(env.Self()), Ack{u.Data})
		}
	}
	for _, u := range p.Log {
		if u.Data.View == p.View.Number && p.known(u.Data, p.View.Members) {
			p.deliver(env, u.Data)
		}
	}
	for _, v := range slices.Clone(p.Next) {
		if !p.Left && p.Flushed[env.Self()] < v.Number && p.stable(v) {
			p.flush(completing{env, p}, v)
			p.settle(env)
			return
		}
	}
}

// concerned returns the other members of the views that are in effect here or announced.
func (p *uniformProcess) concerned(self model.NodeID) []model.NodeID {
	all := slices.Clone(p.View.Members)
	for _, v := range p.Next {
		all = append(all, v.Members...)
	}
	return without(slices.Compact(slices.Sorted(slices.Values(all))), self)
}

func (p *uniformProcess) has(d Data, id model.NodeID) {
	if p.Has[d] == nil {
		p.Has[d] = map[model.NodeID]bool{}
	}
	p.Has[d][id] = true
}

// known reports whether some processes are known to have a message.
func (p *uniformProcess) known(d Data, to []model.NodeID) bool {
	return !slices.ContainsFunc(to, func(id model.NodeID) bool { return !p.Has[d][id] })
}

// stable reports whether the messages of earlier views are at all processes that need them: the members of
// the message's view that are members of view v.
func (p *uniformProcess) stable(v View) bool {
	for _, in := range append([]View{p.View}, p.Next...) {
		stay := slices.DeleteFunc(slices.Clone(in.Members), func(id model.NodeID) bool { return !slices.Contains(v.Members, id) })
		for _, u := range p.Log {
			if u.Data.View == in.Number && in.Number < v.Number && !p.known(u.Data, stay) {
				return false
			}
		}
	}
	return true
}

func (p *uniformProcess) deliver(env model.Env, d Data) {
	if !p.Delivered[d.Message] {
		p.Delivered[d.Message] = true
		env.Deliver(d.Message)
	}
}

// completing is the environment of a process that delivers the remaining messages of a view before it
// installs the next view.
type completing struct {
	model.Env
	p *uniformProcess
}

// Note delivers the remaining messages.
func (c completing) Note(label any) {
	if _, installs := label.(Installed); installs {
		for _, u := range c.p.Log {
			if u.Data.View < c.p.View.Number {
				c.p.deliver(c.Env, u.Data)
			}
		}
		clear(c.p.Delivered)
	}
	c.Env.Note(label)
}
