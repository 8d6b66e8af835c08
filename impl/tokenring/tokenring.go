package tokenring

import (
	"contend/impl/mutex"
	"contend/model"
)

// Token is "a token message".
type Token struct{}

// A Process is a member of the "logical unidirectional ring".
type Process struct {
	n      model.NodeID // the number of processes in the ring
	Wants  bool         // to enter the critical section
	Inside bool
}

// Start sends the token of the first process on its first round.
func (p *Process) Start(env model.Env) {
	if env.Self() == 0 {
		p.take(env)
	}
}

// Invoke asks for the section, or leaves it.
func (p *Process) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		p.Inside = false
		p.pass(env) // "To exit the critical section …, send the token to successor"
		return
	}
	p.Wants = true
}

// Receive takes the token.
func (p *Process) Receive(env model.Env, _ model.NodeID, _ any) { p.take(env) }

func (p *Process) take(env model.Env) {
	if !p.Wants {
		p.pass(env) // "or if the process does not want to enter, send the token to successor"
		return
	}
	p.Wants, p.Inside = false, true // "Only the process holding the token can enter"
	env.Return(nil)
}

// pass is "A token message circulates around the ring".
func (p *Process) pass(env model.Env) { env.Send(p.successor(env.Self()), Token{}) }

// successor returns the next process of the ring: "a process only knows its successor".
func (p *Process) successor(id model.NodeID) model.NodeID { return (id + 1) % p.n }
