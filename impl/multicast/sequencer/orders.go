package sequencer

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// In the lecture the sequencer multicasts the messages. A frequent alternative: the sender multicasts its
// message itself, to the group and to the sequencer. The sequencer multicasts only the number. Then a process
// delivers a message when its number is next and the message has arrived.

// Order is the number of a message.
type Order struct {
	Number  int
	Message multicast.Message // its name
}

// orders has senders multicast to all.
var orders = variant.All(
	variant.Types(Order{}),
	variant.Nodes(func(p Process) model.Node { return &OrderedProcess{Process: p} }),
	variant.Nodes(func(q Sequencer) model.Node { return &OrderingSequencer{q} }),
)

// An OrderedProcess gets messages and their numbers apart.
type OrderedProcess struct {
	Process
	Received map[multicast.Message]bool // and not yet delivered
}

// Invoke multicasts the next message.
func (p *OrderedProcess) Invoke(env model.Env, _ any) {
	p.Sent++
	to := append(slices.Clone(p.cfg.Group), p.cfg.Sequencer)
	env.Broadcast(to, Request{multicast.Message{Sender: env.Self(), Number: p.Sent}})
	env.Return(nil)
}

// Receive handles a message, or a number.
func (p *OrderedProcess) Receive(env model.Env, _ model.NodeID, m any) {
	switch m := m.(type) {
	case Request:
		p.Received[m.Message] = true
	case Order:
		p.HoldBack[m.Number] = m.Message
	}
	p.deliver(env)
}

func (p *OrderedProcess) deliver(env model.Env) {
	for {
		next, is := p.HoldBack[p.Delivered+1]
		if !is || !p.Received[next] {
			return
		}
		p.Delivered++
		delete(p.HoldBack, p.Delivered)
		delete(p.Received, next)
		env.Deliver(next)
	}
}

// An OrderingSequencer multicasts numbers.
type OrderingSequencer struct{ Sequencer }

// Receive numbers a message.
func (s *OrderingSequencer) Receive(env model.Env, _ model.NodeID, m any) {
	s.Last++
	env.Broadcast(s.cfg.Group, Order{s.Last, m.(Request).Message})
}
