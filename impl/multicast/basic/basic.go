package basic

import (
	"contend/impl/multicast"
	"contend/model"
)

// Config is the configuration that the processes of a system share.
type Config struct {
	Processes multicast.Nodes
	// Timeout is after how many ticks without all acknowledgements a sender sends again, where it
	// does so at all.
	Timeout model.Ticks
}

// Multicast is the application's operation, with the number of its message.
type Multicast struct{ Number int }

// The messages. Number is the sequence number S_p of a message.
type (
	Data struct {
		Number  int
		Message multicast.Message
	}
	Ack     struct{ Number int }
	Request struct{ Numbers []int } // of missing messages
)

// Removed is noted for monitors when a process removes a message from the history buffer.
type Removed struct{ Message multicast.Message }

// A Copy is a message in the history buffer, with the processes that have not acknowledged it.
type Copy struct {
	Message multicast.Message
	Waiting map[model.NodeID]bool
}

// A Process multicasts, and delivers the multicasts of the others.
type Process struct {
	cfg      *Config
	S        int                                        // S_p, the number of its last message
	History  map[int]Copy                               // by number
	L        map[model.NodeID]int                       // L_Q(P), "the number of the last message it has delivered coming from any other process P"
	HoldBack map[model.NodeID]map[int]multicast.Message // by sender and number
}

// Invoke multicasts a message.
func (p *Process) Invoke(env model.Env, op any) {
	m := p.outgoing(env, op.(Multicast), p.cfg.Processes.Others(env.Self()))
	p.deliver(env, env.Self(), m)
	env.Return(nil)
}

// outgoing numbers a message and sends it to others.
func (p *Process) outgoing(env model.Env, op Multicast, to []model.NodeID) Data {
	p.S++ // "assigns a sequence number S_p to each outgoing message"
	m := Data{p.S, multicast.Message{Sender: env.Self(), Number: op.Number}}
	p.History[p.S] = Copy{m.Message, setOf(to)} // "stores a copy of each outgoing message in a history buffer"
	env.Broadcast(to, m)
	return m
}

// Receive handles a message of any kind.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Data:
		p.receive(env, from, m)
	case Ack:
		p.acknowledged(env, from, m.Number)
	case Request:
		for _, number := range m.Numbers {
			if kept, is := p.History[number]; is { // "Retransmissions are also multicast messages"
				env.Broadcast(p.cfg.Processes.Others(env.Self()), Data{number, kept.Message})
			}
		}
	}
}

// receive implements "When process Q receives a message from P".
func (p *Process) receive(env model.Env, from model.NodeID, m Data) {
	switch last := p.L[from]; {
	case m.Number == last+1: // "If S_p = L_Q(P) + 1"
		p.deliver(env, from, m)
		env.Send(from, Ack{m.Number}) // "and acknowledges the receipt to P"
		p.next(env, from)
	case m.Number > last+1: // "If S_p > L_Q(P) + 1"
		p.hold(env, from, m)
		env.Send(from, Request{p.missing(from, m.Number)}) // "and requests the retransmission of missing messages"
	default: // "If S_p ≤ L_Q(P): Q has already delivered the message before and thus it discards it"
	}
}

// deliver implements "Q delivers the message, increases L_Q(P)".
func (p *Process) deliver(env model.Env, from model.NodeID, m Data) {
	p.L[from]++
	env.Deliver(m.Message)
}

// next implements "Queued message will be delivered (and acknowledged) when its sequence number is the next
// expected number".
func (p *Process) next(env model.Env, from model.NodeID) {
	number := p.L[from] + 1
	if m, queued := p.HoldBack[from][number]; queued {
		delete(p.HoldBack[from], number)
		p.deliver(env, from, Data{number, m})
		env.Send(from, Ack{number})
		p.next(env, from)
	}
}

// hold implements "Q keeps the message in a hold-back queue".
func (p *Process) hold(env model.Env, from model.NodeID, m Data) {
	if p.HoldBack[from] == nil {
		p.HoldBack[from] = map[int]multicast.Message{}
	}
	p.HoldBack[from][m.Number] = m.Message
	env.Note(multicast.Held{Message: m.Message})
}

// missing returns the numbers before a given number that have not arrived.
func (p *Process) missing(from model.NodeID, before int) []int {
	var numbers []int
	for number := p.L[from] + 1; number < before; number++ {
		if _, queued := p.HoldBack[from][number]; !queued {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// acknowledged implements "P removes a message from the history buffer when everyone has acknowledged
// receipt".
func (p *Process) acknowledged(env model.Env, from model.NodeID, number int) {
	kept, is := p.History[number]
	if !is {
		return
	}
	delete(kept.Waiting, from)
	if len(kept.Waiting) == 0 {
		delete(p.History, number)
		env.Note(Removed{kept.Message})
	}
}

func setOf(ids []model.NodeID) map[model.NodeID]bool {
	set := map[model.NodeID]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return set
}
