package nack

import (
	"contend/impl/multicast"
	"contend/model"
)

// Config is shared by the processes of one system.
type Config struct {
	Group  multicast.Nodes
	Delay  model.Ticks // δ
	Spread model.Ticks // the longest random delay before a NACK
}

// The messages. Number is the sequence number of a message of Sender.
type (
	Data struct{ Number int }
	NACK struct {
		Sender model.NodeID
		Number int
	}
)

// The notes of processes: a NACK is sent, a NACK is suppressed, and a NACK reaches the sender of the message.
type (
	Asks       struct{ For NACK }
	Suppressed struct{ By NACK }
	Told       struct{ By NACK }
)

// A Process multicasts, and delivers the multicasts of the others.
type Process struct {
	cfg      *Config
	S        int                           // the number of its last message
	History  map[int]bool                  // the numbers in its history buffer
	L        map[model.NodeID]int          // the last number that it has delivered, by sender
	HoldBack map[model.NodeID]map[int]bool // numbers, by sender
	Missing  map[NACK]bool                 // the messages that it has found missing
}

// Invoke multicasts a message.
func (p *Process) Invoke(env model.Env, _ any) {
	p.S++ // "use sequence numbers"
	p.History[p.S] = true
	env.Broadcast(p.cfg.Group.Others(env.Self()), Data{p.S})
	p.deliver(env, env.Self())
	env.Return(nil)
}

// Receive handles any message.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Data:
		p.receive(env, from, m)
	case NACK:
		p.hear(env, from, m)
	}
}

// receive delivers a message in order. "Successful delivery is never acknowledged".
func (p *Process) receive(env model.Env, from model.NodeID, m Data) {
	p.found(env, NACK{from, m.Number})
	switch last := p.L[from]; {
	case m.Number == last+1:
		p.deliver(env, from)
		p.next(env, from)
	case m.Number > last+1:
		p.hold(env, from, m)
		p.miss(env, from, m.Number)
	}
}

func (p *Process) deliver(env model.Env, from model.NodeID) {
	p.L[from]++
	env.Deliver(multicast.Message{Sender: from, Number: p.L[from]})
}

// next delivers queued messages that are next in order.
func (p *Process) next(env model.Env, from model.NodeID) {
	for p.HoldBack[from][p.L[from]+1] {
		delete(p.HoldBack[from], p.L[from]+1)
		p.deliver(env, from)
	}
}

func (p *Process) hold(env model.Env, from model.NodeID, m Data) {
	if p.HoldBack[from] == nil {
		p.HoldBack[from] = map[int]bool{}
	}
	p.HoldBack[from][m.Number] = true
	env.Note(multicast.Held{Message: multicast.Message{Sender: from, Number: m.Number}})
}

// miss finds missing messages before a number: "Only missing messages are reported (NACK)".
func (p *Process) miss(env model.Env, from model.NodeID, before int) {
	for number := p.L[from] + 1; number < before; number++ {
		if m := (NACK{from, number}); !p.HoldBack[from][number] && !p.Missing[m] {
			p.Missing[m] = true
			env.After(m, p.delay(env)) // "Each process waits a random delay prior to send a NACK"
		}
	}
}

// delay returns the "random delay".
func (p *Process) delay(env model.Env) model.Window { return model.Uniform(0, p.cfg.Spread) }

// found cancels the NACK of a message that has arrived.
func (p *Process) found(env model.Env, m NACK) {
	delete(p.Missing, m)
	env.Cancel(m)
}

// Timeout ends the delay: "NACKs are multicast to all group members".
func (p *Process) Timeout(env model.Env, key any) {
	m := key.(NACK)
	env.Note(Asks{m})
	env.Broadcast(p.cfg.Group.Others(env.Self()), m)
}

// hear handles a NACK.
func (p *Process) hear(env model.Env, from model.NodeID, m NACK) {
	if m.Sender != env.Self() { // "If a process is about to NACK, this is suppressed as a result of the first multicast NACK"
		p.suppress(env, m)
		return
	}
	env.Note(Told{m})
	if p.History[m.Number] { // "keep messages in the history buffer forever to guarantee all retransmissions"
		env.Broadcast(p.cfg.Group.Others(env.Self()), Data{m.Number})
	}
}

// suppress cancels the process's own NACK.
func (p *Process) suppress(env model.Env, heard NACK) {
	if p.Missing[heard] {
		env.Cancel(heard)
		env.Note(Suppressed{heard})
	}
}
