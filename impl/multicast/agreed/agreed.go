package agreed

import (
	"slices"

	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// Config is what the processes of one system share.
type Config struct {
	Group []model.NodeID
	// All is of how many processes the sender has the proposals.
	All int
	// Send sends a message to a process of the group, which may be the sender.
	Send func(p *Process, env model.Env, to model.NodeID, m any)
	// Next is the number that a process proposes, where its A_j and P_j are known.
	Next func(env model.Env, a, p clocks.Lamport) clocks.Lamport
	// With adds an ID to the number that a process proposes for a message.
	With func(number clocks.Lamport, proposer model.NodeID, m multicast.Message) clocks.Stamp
	// Select picks the number of a message of sender from the proposals.
	Select func(sender model.NodeID, proposals map[model.NodeID]clocks.Stamp) clocks.Stamp
	// Raise takes note of an agreed number.
	Raise func(p *Process, n clocks.Lamport)
	// Before says which of two messages of the hold-back queue is nearer to its front.
	Before func(a, b Held) bool
	// Reorder brings the hold-back queue into order after a message in it was tagged.
	Reorder func(p *Process)
	// Ready is the place of a message in the hold-back queue that can be delivered, or -1.
	Ready func(queue []Held) int
	// Deliver hands a message to the application; Taken is called as the protocol has taken one
	// from it, and Numbered when that has its agreed number.
	Deliver         func(p *Process, env model.Env, h Held)
	Taken, Numbered func(env model.Env)
}

// The messages: a message of the application, a number that is proposed for it, the number that
// is agreed.
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
	Number  clocks.Stamp // that the process proposed, or that is agreed
	Agreed  bool
}

// A Process multicasts and delivers.
type Process struct {
	cfg   *Config
	Sent  int            // how many messages it has multicast
	A     clocks.Lamport // "A_i: largest agreed sequence number it has received so far"
	P     clocks.Lamport // "P_i: its own largest proposed number"
	Queue []Held         // the "ordered hold-back queue", its front first
	// Proposals are those for its own messages that have no agreed number, by the message's number.
	Proposals map[int]map[model.NodeID]clocks.Stamp
}

// Invoke multicasts the next message.
func (p *Process) Invoke(env model.Env, _ any) {
	p.Sent++
	p.multicast(env, Data{multicast.Message{Sender: env.Self(), Number: p.Sent}}) // "1. The sender multicasts message m"
	p.cfg.Taken(env)
}

func (p *Process) multicast(env model.Env, m any) {
	for _, to := range p.cfg.Group {
		p.cfg.Send(p, env, to, m)
	}
}

// Receive takes a step.
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

// propose is step 2 at "each receiver j".
func (p *Process) propose(env model.Env, sender model.NodeID, m multicast.Message) {
	p.P = p.cfg.Next(env, p.A, p.P) // "P_j = Max(A_j, P_j) + 1"
	proposal := Proposal{m, p.cfg.With(p.P, env.Self(), m)}
	p.Queue = append(p.Queue, Held{Message: m, Number: proposal.Number}) // "and places m in an ordered hold-back queue according to P_j"
	p.sort()
	env.Note(proposal)
	p.cfg.Send(p, env, sender, proposal) // "replies with a proposed sequence number for message m (including its process ID)"
}

// collect is step 3.
func (p *Process) collect(env model.Env, from model.NodeID, proposal Proposal) {
	m := proposal.Message
	if p.Proposals[m.Number] == nil {
		p.Proposals[m.Number] = map[model.NodeID]clocks.Stamp{}
	}
	p.Proposals[m.Number][from] = proposal.Number
	if len(p.Proposals[m.Number]) < p.cfg.All {
		return
	}
	agreed := Agreed{m, p.cfg.Select(env.Self(), p.Proposals[m.Number])} // "3. The sender selects the largest of all proposals, N, as the agreed number for m
	delete(p.Proposals, m.Number)
	env.Note(agreed)
	p.multicast(env, agreed) // and multicasts it"
	p.cfg.Numbered(env)
}

// agree is step 4 at "each receiver j".
func (p *Process) agree(env model.Env, m Agreed) {
	p.cfg.Raise(p, m.Number.Time) // "updates A_j = Max(A_j, N),
	at := slices.IndexFunc(p.Queue, func(h Held) bool { return h.Message == m.Message })
	if at < 0 {
		return // it comes a second time
	}
	p.Queue[at] = Held{m.Message, m.Number, true} // tags message m with N,
	p.cfg.Reorder(p)                              // and reorders the hold-back queue if needed"
	p.deliver(env)
}

func (p *Process) sort() {
	slices.SortStableFunc(p.Queue, func(a, b Held) int {
		switch {
		case p.cfg.Before(a, b):
			return -1
		case p.cfg.Before(b, a):
			return 1
		}
		return 0
	})
}

// deliver is step 5.
func (p *Process) deliver(env model.Env) {
	for {
		at := p.cfg.Ready(p.Queue) // "when it is at the front of the hold-back queue and its number is agreed"
		if at < 0 {
			return
		}
		held := p.Queue[at]
		p.Queue = slices.Delete(p.Queue, at, at+1)
		p.cfg.Deliver(p, env, held) // "5. A message is delivered"
	}
}
