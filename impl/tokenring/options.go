package tokenring

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// untimed are the claims that a token which is regenerated in time keeps only where time is kept.
var untimed = []string{"mutual exclusion", "lock", "one holder", "bounded overtaking", "happened-before order", "deadlock freedom", "every request is granted"}

var options = []model.Variant{
	{
		Name: "regenerates", Title: "problems: the first process regenerates a token that does not come back",
		Edit: regenerate(1, 0), Unclaimed: untimed,
		Waives: map[string][]model.Assumption{"no loss is final": {model.NoLoss}, "every request is granted, timed": {model.NoLoss}},
		Show:   model.Check{Config: variant.Faulty(mutex.Of(2, 2), model.Faults{Loss: 1}), Reading: model.Grid},
	},
	{
		Name: "skips-crashed", Title: "problems: the token is sent to the next member that has not crashed; the failure detector is perfect",
		Edit: skip(model.Perfect, false), Show: model.Check{Config: variant.Faulty(mutex.Of(3, 2), model.Faults{Crashes: 2})},
	},
	{
		Name: "crash-tolerant", Title: "skips-crashed, and a token that was lost with a process is sent again, with a number",
		Edit: counted(true), Show: model.Check{Config: variant.Faulty(mutex.Of(3, 1), model.Faults{Crashes: 2})},
		// Numbers have no bound; a process that dies inside has not released the lock, and one that dies waiting never enters.
		Unclaimed: []string{"deadlock freedom", "every request is granted", "no loss is final", "lock", "happened-before order"},
		Waives:    map[string][]model.Assumption{"a crash inside is survived": {model.NoCrash}},
	},
	{
		Name: "skips-suspected", Title: "skips-crashed, with a failure detector that is only eventually perfect",
		Edit: skip(model.EventuallyPerfect, false), Show: model.Check{Config: variant.Faulty(mutex.Of(3, 1), model.Faults{Suspicions: 1})},
		Unclaimed: []string{"bounded overtaking"},
	},
	{
		Name: "backwards", Title: "the ring runs the other way",
		Edit: page.Edit(`(id + 1) % p.n`, `(id + p.n - 1) % p.n`),
	},
	{
		Name: "starts-last", Title: "the last process has the token first",
		Edit: page.Edit(`env.Self() == 0`, `env.Self() == p.n-1`),
	},
	{
		Name: "passes-first", Title: "a process forwards the token before it marks that it has left",
		Edit: page.Edit(`p.Inside = false; p.pass(env)`, `p.pass(env); p.Inside = false`), // a handler runs to its end, so nothing can come between
	},
	{
		Name: "polite", Title: "a process that wants to enter lets the token pass once",
		Edit: variant.Nodes(func(p Process) model.Node { return &politeProcess{Process: p} }),
	},
	{
		Name: "lingers", Title: "a process that does not want to enter keeps the token for a while, in case it wants to later",
		Edit: variant.All(variant.Types(linger{}), variant.Nodes(func(p Process) model.Node { return &lingeringProcess{Process: p} })),
	},
}

type politeProcess struct {
	Process
	Let bool // the token pass, since it wants to enter
}

// Receive lets the token pass once.
func (p *politeProcess) Receive(env model.Env, from model.NodeID, m any) {
	if p.Wants && !p.Let {
		p.Let = true
		p.pass(env)
		return
	}
	p.Let = false
	p.Process.Receive(env, from, m)
}

// linger is the alarm at which a token that nobody wanted is passed on.
type linger struct{}

type lingeringProcess struct {
	Process
	Idle bool // it holds the token and does not want to enter
}

// Start keeps the token for a while.
func (p *lingeringProcess) Start(env model.Env) {
	if env.Self() == 0 {
		p.Receive(env, env.Self(), Token{})
	}
}

// Receive keeps the token for a while.
func (p *lingeringProcess) Receive(env model.Env, from model.NodeID, m any) {
	if p.Wants {
		p.Process.Receive(env, from, m)
		return
	}
	p.Idle = true
	env.After(linger{}, model.By(1))
}

// Invoke enters at once with a token that it keeps.
func (p *lingeringProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(env, op)
	if p.Idle && p.Wants {
		p.Idle = false
		env.Cancel(linger{})
		p.take(env)
	}
}

// Timeout passes the token on.
func (p *lingeringProcess) Timeout(env model.Env, _ any) {
	p.Idle = false
	p.pass(env)
}

func (p *lingeringProcess) holds() bool { return p.Inside || p.Idle }
