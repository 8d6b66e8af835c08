package suzukikasami

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// A Request asks for the token: "request (j, h_j)". j is the sender.
type Request struct{ H int }

// A Token is the privilege: "TOKEN (LN)", with the waiting queue.
type Token struct {
	LN    []int // by process: the number of its latest granted request
	Queue []model.NodeID
}

// A Process requests the token, enters with it, and passes it on.
type Process struct {
	cfg    *mutex.Peers
	RN     []int          // "latest sequence number receives from each of the other nodes", and its own
	Asking bool           // it waits for the token
	Inside bool           // it is in the critical section
	Holds  bool           // it holds the token
	LN     []int          // the token's, while it holds it
	Queue  []model.NodeID // the waiting queue, while it holds the token
}

// Start gives the token to one process.
func (p *Process) Start(env model.Env) {
	p.RN = make([]int, len(p.cfg.Processes))
	if env.Self() == p.cfg.Holder {
		p.Holds, p.LN = true, make([]int, len(p.cfg.Processes))
	}
}

// Invoke requests the section, or leaves it.
func (p *Process) Invoke(env model.Env, op any) {
	switch op.(type) {
	case mutex.Acquire:
		p.request(env)
	case mutex.Release:
		p.exit(env)
	}
}

func (p *Process) request(env model.Env) {
	if p.Holds { // "or 0 if the node having the token wants to enter critical section"
		p.enter(env)
		return
	}
	p.Asking = true
	p.RN[env.Self()]++
	env.Broadcast(p.cfg.Others(env.Self()), Request{p.RN[env.Self()]}) // "broadcasts a request message to all the other nodes"
}

// enter enters the section: "A process holding the token is allowed to enter into the critical section."
func (p *Process) enter(env model.Env) {
	p.Asking, p.Inside = false, true
	env.Return(nil)
}

// Receive handles a request or the token.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Request:
		p.RN[from] = max(p.RN[from], m.H)
		if p.Holds {
			p.queue(from) // "the node having the privilege adds this to the queue"
			p.serve(env)
		}
	case Token:
		p.Holds, p.LN, p.Queue = true, m.LN, append(slices.Clone(p.Queue), m.Queue...)
		if p.Asking {
			p.enter(env)
		}
	}
}

// queue appends P_j if P_j waits: "it appends P_j in waiting queue if RN_i[j] = LN_i[j]+1".
func (p *Process) queue(j model.NodeID) {
	if p.RN[j] == p.LN[j]+1 && !slices.Contains(p.Queue, j) {
		p.Queue = append(slices.Clone(p.Queue), j)
	}
}

// serve sends an idle token to the first process in the queue: "if token is idle, the node sends the TOKEN (LN)".
func (p *Process) serve(env model.Env) {
	if len(p.Queue) == 0 {
		return
	}
	env.Note(mutex.Waiting{Queue: p.Queue})
	if p.Inside {
		return
	}
	next, rest := p.Queue[0], p.Queue[1:] // "it extracts the process at the head of the waiting queue"
	env.Send(next, Token{p.LN, rest})
	p.Holds, p.LN, p.Queue = false, nil, nil
}

// exit leaves the section: "When done with the critical section".
func (p *Process) exit(env model.Env) {
	p.Inside = false
	p.LN[env.Self()] = p.RN[env.Self()] // "process P_i sets LN_i[i] = RN_i[i]"
	for _, j := range p.cfg.Processes {
		p.queue(j) // "For every process P_j"
	}
	p.serve(env)
}
