package maekawa

import (
	"contend/impl/mutex"
	"contend/model"
)

// Config is shared by the processes of one system.
type Config struct {
	Sets [][]model.NodeID // S_i, by i, each in the order of ids
}

// The messages. They have no content.
type (
	Request struct{}
	OK      struct{}
	Release struct{}
)

// A Process asks its voting set for the critical section, and votes for others and for itself.
type Process struct {
	cfg       *Config
	Waiting   bool                         // for the OKs of its voting set
	Accessing bool                         // the critical section
	OKs       int                          // received for its last request
	Vote      model.Optional[model.NodeID] // the process for which it has voted since its last Release
	Queue     []model.NodeID               // the requests that it has not replied to, in the order of their arrival
}

// Voted is noted when a process votes for a process.
type Voted struct{ For model.NodeID }

// Invoke requests the section, or leaves it.
func (p *Process) Invoke(env model.Env, op any) {
	set := p.cfg.Sets[env.Self()]
	if _, leaving := op.(mutex.Release); leaving {
		p.Accessing = false
		env.Broadcast(set, Release{}) // "c) To exit the critical section, p_i sends Release messages to all K processes in S_i"
		return
	}
	p.Waiting, p.OKs = true, 0
	env.Broadcast(set, Request{}) // "a) p_i sends Request messages to all K members of S_i"
}

// Receive handles a message, also of the process itself.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case Request: // "b) When a process in S_i receives a Request message:"
		// "If it is not accessing the critical section and it has not already replied ('voted')
		// since it last received a Release message, sends an OK message immediately"
		if !p.Accessing && !p.Vote.Known {
			p.vote(env, from)
			return
		}
		p.Queue = append(p.Queue, from) // "Otherwise, it queues the request (in the order of its arrival) but does not yet reply"
	case OK:
		if !p.Waiting {
			return // to no request: a channel delivered it twice
		}
		p.OKs++
		p.enter(env)
	case Release: // "d) When a process in S_i receives a Release message:"
		p.Vote = model.Optional[model.NodeID]{}
		if len(p.Queue) > 0 { // "It removes the head of its queue (if any) and sends an OK message (a 'vote') to it"
			head := p.Queue[0]
			p.Queue = p.Queue[1:]
			p.vote(env, head)
		}
	}
}

// enter enters the section after the last vote: "p_i needs OK from all of them to access the critical section".
func (p *Process) enter(env model.Env) {
	if p.OKs == len(p.cfg.Sets[env.Self()]) {
		p.Waiting, p.Accessing = false, true
		env.Return(nil)
	}
}

// vote sends an OK to a process.
func (p *Process) vote(env model.Env, to model.NodeID) {
	p.Vote = model.Some(to)
	env.Note(Voted{to})
	env.Send(to, OK{})
}
