package fifo

import (
	"contend/impl/multicast"
	"contend/model"
)

// Config is shared by the processes of one system.
type Config struct {
	Group multicast.Nodes
	// OneByOne is true if each copy of a message is sent in a separate step: see sending.go.
	OneByOne bool
}

// Data is a message in flight, with its sequence number.
type Data struct {
	Number  int
	Message multicast.Message
}

// A Process multicasts, and delivers the multicasts of the group.
type Process struct {
	cfg      *Config
	S        int                           // S_p, the number of its last message
	L        map[model.NodeID]int          // L_Q(P), "the number of the last message it has delivered coming from any other process P"
	HoldBack map[model.NodeID]map[int]Data // the "hold-back queue", by sender and number
	Outbox   multicast.Outbox              // copies that are not sent yet
}

// Invoke multicasts a message.
func (p *Process) Invoke(env model.Env, op any) {
	p.S++ // "Sender P assigns a sequence number S_p to each outgoing message"
	m := Data{p.S, multicast.Message{Sender: env.Self(), Number: op.(multicast.Numbered).Number}}
	p.sending(env).Broadcast(p.cfg.Group.Others(env.Self()), m)
	p.deliver(env, env.Self(), m)
	env.Return(nil)
}

// Receive implements "When process Q receives a message from P".
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	p.receive(env, from, m.(Data))
}

func (p *Process) receive(env model.Env, from model.NodeID, m Data) {
	switch {
	case m.Number <= p.L[from]:
		// "If S_p ≤ L_Q(P): Q has already delivered the message before and thus it discards it"
	case m.Number == p.L[from]+1: // "If S_p = L_Q(P) + 1"
		p.deliver(env, from, m)
		p.drain(env, from)
	default:
		p.hold(from, m) // "If S_p > L_Q(P) + 1: Q keeps the message in a hold-back queue"
		env.Note(multicast.Held{Message: m.Message})
	}
}

// deliver implements "Q delivers the message, increases L_Q(P)".
func (p *Process) deliver(env model.Env, from model.NodeID, m Data) {
	p.L[from]++
	env.Deliver(m.Message)
}

// hold adds a message to the hold-back queue.
func (p *Process) hold(from model.NodeID, m Data) {
	if p.HoldBack[from] == nil {
		p.HoldBack[from] = map[int]Data{}
	}
	p.HoldBack[from][m.Number] = m
}

// drain delivers the messages "delayed (in a hold-back queue) until its sequence number is reached".
func (p *Process) drain(env model.Env, from model.NodeID) {
	for p.drainOne(env, from) {
	}
}

// drainOne delivers the message whose "sequence number is the next expected number". It reports whether the queue has
// this message.
func (p *Process) drainOne(env model.Env, from model.NodeID) bool {
	next, queued := p.HoldBack[from][p.L[from]+1]
	if !queued {
		return false
	}
	delete(p.HoldBack[from], next.Number)
	if len(p.HoldBack[from]) == 0 {
		delete(p.HoldBack, from)
	}
	p.deliver(env, from, next)
	return true
}
