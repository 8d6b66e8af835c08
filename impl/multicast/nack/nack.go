package nack

import (
	"contend/impl/multicast"
	"contend/model"
)

// Config is what the processes of one system share.
type Config struct {
	Processes []model.NodeID
	Delay     model.Ticks // δ
	// Wait is the random delay of a process prior to a NACK.
	Wait func(self model.NodeID) model.Window
	// Ask sends a NACK to the others.
	Ask func(env model.Env, others []model.NodeID, m NACK)
	// Asked are the missing numbers of a sender for which a process sets out to send a NACK.
	Asked func(missing []int) []int
	// Suppress takes back the NACKs that one which is heard makes needless.
	Suppress func(p *Process, env model.Env, heard NACK)
	// Retransmit sends a message again, for which one process has sent a NACK.
	Retransmit func(env model.Env, others []model.NodeID, asks model.NodeID, m Data)
}

// The messages. Number is the sequence number of a message of Sender.
type (
	Data struct{ Number int }
	NACK struct {
		Sender model.NodeID
		Number int
	}
)

// What a process notes for monitors: that it sends a NACK, that one suppresses its own, and that
// one was delivered to the sender.
type (
	Asks       struct{ For NACK }
	Suppressed struct{ By NACK }
	Told       struct{ By NACK }
)

// A Process multicasts, and delivers what the others multicast.
type Process struct {
	cfg      *Config
	S        int                           // the number of its last message
	History  map[int]bool                  // the numbers in its history buffer
	L        map[model.NodeID]int          // the last number that it has delivered, by sender
	HoldBack map[model.NodeID]map[int]bool // numbers, by sender
	Missing  map[NACK]bool                 // what it has found missing
}

// Invoke multicasts a message.
func (p *Process) Invoke(env model.Env, _ any) {
	p.S++ // "use sequence numbers"
	p.History[p.S] = true
	env.Broadcast(p.others(env), Data{p.S})
	p.deliver(env, env.Self())
	env.Return(nil)
}

// Receive takes a message of any kind.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Data:
		p.receive(env, from, m)
	case NACK:
		p.hear(env, from, m)
	}
}

// receive delivers a message in its turn. "Successful delivery is never acknowledged".
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

// next delivers what is queued and is in its turn.
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

// miss looks for what is missing before a number: "Only missing messages are reported (NACK)".
func (p *Process) miss(env model.Env, from model.NodeID, before int) {
	var missing []int
	for number := p.L[from] + 1; number < before; number++ {
		if !p.HoldBack[from][number] && !p.Missing[NACK{from, number}] {
			missing = append(missing, number)
		}
	}
	for _, number := range p.cfg.Asked(missing) {
		m := NACK{from, number}
		p.Missing[m] = true
		env.After(m, p.cfg.Wait(env.Self())) // "Each process waits a random delay prior to send a NACK"
	}
}

// found is told of a message that has come.
func (p *Process) found(env model.Env, m NACK) {
	delete(p.Missing, m)
	env.Cancel(m)
}

// Timeout ends the delay: "NACKs are multicast to all group members".
func (p *Process) Timeout(env model.Env, key any) {
	m := key.(NACK)
	env.Note(Asks{m})
	p.cfg.Ask(env, p.others(env), m)
}

// hear takes a NACK.
func (p *Process) hear(env model.Env, from model.NodeID, m NACK) {
	if m.Sender != env.Self() { // "If a process is about to NACK, this is suppressed as a result of the first multicast NACK"
		p.cfg.Suppress(p, env, m)
		return
	}
	env.Note(Told{m})
	if p.History[m.Number] { // "keep messages in the history buffer forever to guarantee all retransmissions"
		p.cfg.Retransmit(env, p.others(env), from, Data{m.Number})
	}
}

// suppress takes back its own NACK.
func (p *Process) suppress(env model.Env, heard NACK) {
	if p.Missing[heard] {
		env.Cancel(heard)
		env.Note(Suppressed{heard})
	}
}

func (p *Process) others(env model.Env) []model.NodeID {
	var others []model.NodeID
	for _, id := range p.cfg.Processes {
		if id != env.Self() {
			others = append(others, id)
		}
	}
	return others
}
