// Package ricartagrawala models the mutual exclusion algorithm of Ricart and Agrawala, An Optimal Algorithm for Mutual
// Exclusion in Computer Networks, CACM 24(1), 1981, as the SDX lecture Coordination and Agreement (UPC) states it.
// Processes multicast requests ordered by logical clocks, and wait for an OK from each other process. They defer
// replies in a queue.
package ricartagrawala

import (
	"slices"

	"contend/impl/clocks"
	"contend/impl/mutex"
	"contend/model"
)

// A Request asks for the critical section. (step a)
type Request struct{ Time clocks.Lamport }

// A Reply is the lecture's OK. It carries a time only in variants. Otherwise Time is 0.
type Reply struct{ Time clocks.Lamport }

// A Process requests the critical section and answers requests.
type Process struct {
	cfg      *mutex.Peers
	Clock    clocks.Lamport // the logical clock
	Request  clocks.Lamport // the time of its own request; 0 if it has none
	Replies  int            // the number of OKs for its request
	Deferred []model.NodeID // the queue, in id order, because the order of OKs does not matter
}

// Invoke requests the section, or leaves it.
func (p *Process) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		p.exit(env)
		return
	}
	p.Clock = p.Clock.Tick()
	p.Request, p.Replies = p.Clock, 0
	env.Broadcast(p.cfg.Others(env.Self()), Request{p.Request}) // "a) Process sends Request to all other processes"
	p.enter(env)
}

// Receive handles a request or a reply.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Request:
		p.Clock = p.Clock.Merge(m.Time)
		mine, theirs := p.Request.At(env.Self()), m.Time.At(from)
		if p.Request != 0 && mine.Before(theirs) {
			p.Deferred = append(p.Deferred, from) // "no reply and queue the request"
			slices.Sort(p.Deferred)
			return
		}
		env.Send(from, Reply{}) // "send back an OK message"
	case Reply:
		p.Replies++
		p.enter(env)
	}
}

// enter enters the section after all replies: "b) When the requester receives OK messages from all processes, it can
// access the critical section".
func (p *Process) enter(env model.Env) {
	if p.Replies == len(p.cfg.Processes)-1 {
		env.Return(nil)
	}
}

// exit leaves the section: "d) … process sends an OK message to each process in its queue".
func (p *Process) exit(env model.Env) {
	env.Broadcast(p.Deferred, Reply{})
	p.Request, p.Replies, p.Deferred = 0, 0, nil
}
