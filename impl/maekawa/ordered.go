package maekawa

import (
	"contend/impl/mutex"
	"contend/model"
)

// ordered does away with circular waits: votes are asked for one after another.
var ordered = model.Variant{
	Name: "ordered", Title: "a process asks the members of its voting set one after another, in the order of ids: no circular wait",
	Edit:      replace(func(p Process) model.Node { return &orderedProcess{p} }),
	Unclaimed: unordered,
	Show:      model.Check{Config: of(3, 3, 2)},
}

// orderedProcess asks for a vote when it has the one before.
type orderedProcess struct{ Process }

// Invoke asks the first member of the set, or leaves.
func (p *orderedProcess) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		p.Process.Invoke(env, op)
		return
	}
	p.Waiting, p.OKs = true, 0
	p.ask(env)
}

// Receive asks the next member when a vote has come.
func (p *orderedProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	if _, vote := m.(OK); vote && p.Waiting {
		p.ask(env)
	}
}

func (p *orderedProcess) ask(env model.Env) {
	env.Send(p.cfg.Sets[env.Self()][p.OKs], Request{})
}
