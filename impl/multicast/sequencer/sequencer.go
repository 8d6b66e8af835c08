package sequencer

import (
	"contend/impl/multicast"
	"contend/model"
)

// Config is the configuration that the nodes of a system share.
type Config struct {
	Group     multicast.Nodes // the processes that receive multicasts
	Sequencer model.NodeID
}

// The messages: to the sequencer, and from the sequencer.
type (
	Request  struct{ Message multicast.Message }
	Numbered struct {
		Number  int // from 1: "sequence numbers per group"
		Message multicast.Message
	}
)

// A Process multicasts and delivers.
type Process struct {
	cfg       *Config
	Sent      int                       // how many messages it has multicast
	Delivered int                       // the number that was reached last
	HoldBack  map[int]multicast.Message // by number
}

// Invoke multicasts the next message.
func (p *Process) Invoke(env model.Env, _ any) {
	p.Sent++
	m := multicast.Message{Sender: env.Self(), Number: p.Sent}
	env.Send(p.cfg.Sequencer, Request{m}) // "Send messages to a sequencer,
	env.Return(nil)
}

// Receive handles a message with its number.
func (p *Process) Receive(env model.Env, _ model.NodeID, m any) {
	n := m.(Numbered)
	p.HoldBack[n.Number] = n.Message // "A message delivery is delayed (in a hold-back queue)
	p.deliver(env)                   // until its number is reached"
}

func (p *Process) deliver(env model.Env) {
	for {
		next, is := p.HoldBack[p.Delivered+1]
		if !is {
			return
		}
		p.Delivered++
		delete(p.HoldBack, p.Delivered)
		env.Deliver(next)
	}
}

// A Sequencer numbers the messages of the group.
type Sequencer struct {
	cfg  *Config
	Last int // the number that it gave last
}

// Receive handles a message to the group.
func (s *Sequencer) Receive(env model.Env, _ model.NodeID, m any) {
	s.number(env, m.(Request).Message)
}

func (s *Sequencer) number(env model.Env, m multicast.Message) {
	s.Last++
	env.Broadcast(s.cfg.Group, Numbered{s.Last, m}) // which multicasts them with numbering"
}
