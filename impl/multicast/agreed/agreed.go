package agreed

import (
	"slices"

	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// Config is shared by the processes of one system.
type Config struct{ Group multicast.Nodes }

// The messages: a message of the application, a number proposed for it, and its agreed number.
type (
	Data     struct{ Message multicast.Message }
	Proposal struct {
		Message multicast.Message
		Number  clocks.Stamp
	}
	Agreed struct {
		Message multicast.Message
		Number  clocks.Stamp
	}
)

// Held is a message in a hold-back queue.
type Held struct {
	Message multicast.Message
	Number  clocks.Stamp // the process's proposal, or the agreed number
	Agreed  bool
}

// A Process multicasts and delivers.
type Process struct {
	cfg   *Config
	Sent  int            // the number of messages that it has multicast
	A     clocks.Lamport // "A_i: largest agreed sequence number it has received so far"
	P     clocks.Lamport // "P_i: its own largest proposed number"
	Queue []Held         // the "ordered hold-back queue", its front first
	// Proposals are the proposals for its own messages without agreed number, by message number.
	Proposals map[int]map[model.NodeID]clocks.Stamp
}

// Invoke multicasts the next message.
func (p *Process) Invoke(env model.Env, _ any) {
	p.Sent++
	p.multicast(env, Data{multicast.Message{Sender: env.Self(), Number: p.Sent}}) // "1. The sender multicasts message m"
	env.Return(nil)
}

func (p *Process) multicast(env model.Env, m any) {
	for _, to := range p.cfg.Group {
		p.send(env, to, m)
	}
}

// send sends a message to a process of the group. A message to itself arrives at once.
func (p *Process) send(env model.Env, to model.NodeID, m any) {
	if to == env.Self() {
		p.Receive(env, to, m)
		return
	}
	env.Send(to, m)
}

// Receive handles a message of steps 2 to 5.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Data:
		p.propose(env, from, m.Message)
	case Proposal:
		p.collect(env, from, m)
	case Agreed:
		p.agree(env, m)
	}
}

// propose implements step 2 at "each receiver j".
func (p *Process) propose(env model.Env, sender model.NodeID, m multicast.Message) {
	p.P = p.A.Merge(p.P).Tick() // "P_j = Max(A_j, P_j) + 1"
	proposal := Proposal{m, p.P.At(env.Self())}
	p.Queue = append(p.Queue, Held{Message: m, Number: proposal.Number}) // "and places m in an ordered hold-back queue according to P_j"
	p.sort()
	env.Note(proposal)
	p.send(env, sender, proposal) // "replies with a proposed sequence number for message m (including its process ID)"
}

// collect implements step 3.
func (p *Process) collect(env model.Env, from model.NodeID, proposal Proposal) {
	m := proposal.Message
	if p.Proposals[m.Number] == nil {
		p.Proposals[m.Number] = map[model.NodeID]clocks.Stamp{}
	}
	p.Proposals[m.Number][from] = proposal.Number
	if len(p.Proposals[m.Number]) < len(p.cfg.Group) {
		return
	}
	agreed := Agreed{m, p.largest(m.Number)} // "3. The sender selects the largest of all proposals, N, as the agreed number for m
	delete(p.Proposals, m.Number)
	env.Note(agreed)
	p.multicast(env, agreed) // and multicasts it"
}

// largest returns the largest of the proposals for a message.
func (p *Process) largest(number int) (n clocks.Stamp) {
	for _, proposed := range p.Proposals[number] {
		if n.Before(proposed) {
			n = proposed
		}
	}
	return n
}

// agree implements step 4 at "each receiver j".
func (p *Process) agree(env model.Env, m Agreed) {
	p.A = p.A.Merge(m.Number.Time) // "updates A_j = Max(A_j, N),
	at := slices.IndexFunc(p.Queue, func(h Held) bool { return h.Message == m.Message })
	if at < 0 {
		return // it is a duplicate
	}
	p.Queue[at] = Held{m.Message, m.Number, true} // tags message m with N,
	p.sort()                                      // and reorders the hold-back queue if needed"
	p.deliver(env)
}

func (p *Process) sort() {
	slices.SortStableFunc(p.Queue, func(a, b Held) int {
		switch {
		case p.before(a, b):
			return -1
		case p.before(b, a):
			return 1
		}
		return 0
	})
}

// before reports whether a is before b in the queue.
func (p *Process) before(a, b Held) bool { return a.Number.Before(b.Number) }

// deliver implements step 5.
func (p *Process) deliver(env model.Env) {
	for len(p.Queue) > 0 && p.Queue[0].Agreed { // "when it is at the front of the hold-back queue and its number is agreed"
		front := p.Queue[0]
		p.Queue = slices.Delete(p.Queue, 0, 1)
		env.Deliver(front.Message) // "5. A message is delivered"
	}
}
