package view

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// "Atomic multicast: deliver messages in the same order to all processes": here the first member of a view
// sends all messages of the view, on request of the other members. Channels are FIFO, and logs are forwarded
// in order. So each process delivers a prefix of the first member's messages.

// A Request asks the first member of a view to send the next message of its sender.
type Request struct{ View, Number int }

// ordered is an edit: it has the first member send all messages.
var ordered = variant.All(
	variant.Types(Request{}),
	define(func(d Definitions) Definitions { return ownToo{d} }),
	variant.Nodes(func(p Process) model.Node { return &orderedProcess{Process: p} }),
)

type orderedProcess struct {
	Process
	Waits bool // for its own message to be delivered, when the operation returns
	Asked int  // the view in which it has asked last
}

// Invoke asks for a message to be sent.
func (p *orderedProcess) Invoke(env model.Env, op any) {
	if _, is := op.(multicast.Multicast); !is {
		p.Process.Invoke(env, op)
		return
	}
	env.Note(Transmitted{})
	p.Sent++
	p.Waits, p.Asked = true, 0
	p.ask(returning{env, p})
}

// Receive handles a request, or a message of a process. A request of another view is repeated.
func (p *orderedProcess) Receive(env model.Env, from model.NodeID, m any) {
	env = returning{env, p}
	if r, is := m.(Request); !is {
		p.Process.Receive(env, from, m)
	} else if r.View == p.View.Number && len(p.Next) == 0 {
		p.send(env, multicast.Message{Sender: from, Number: r.Number})
	}
	p.ask(env)
}

// ask asks once in each view, until the message is delivered.
func (p *orderedProcess) ask(env model.Env) {
	if !p.Waits || len(p.Next) > 0 || p.Asked == p.View.Number {
		return
	}
	p.Asked = p.View.Number
	if first := p.View.Members[0]; first != env.Self() {
		p.cfg.spec.Send(&p.Process, env, []model.NodeID{first}, Request{p.View.Number, p.Sent})
		return
	}
	p.send(env, multicast.Message{Sender: env.Self(), Number: p.Sent})
}

// send sends and delivers a message.
func (p *orderedProcess) send(env model.Env, m multicast.Message) {
	d := Data{p.View.Number, m}
	if slices.ContainsFunc(p.Log, func(u Unstable) bool { return u.Data == d }) {
		return // a repetition
	}
	p.cfg.spec.Send(&p.Process, env, without(p.View.Members, env.Self()), d)
	p.take(env, d)
}

// returning is the environment of a process whose operation returns with the delivery.
type returning struct {
	model.Env
	p *orderedProcess
}

// Deliver returns from the operation that waits for the message.
func (r returning) Deliver(value any) {
	r.Env.Deliver(value)
	if value.(multicast.Message).Sender == r.Self() {
		r.p.Waits = false
		r.Return(nil)
	}
}
