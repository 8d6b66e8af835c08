package ricartagrawala

//go:generate go run contend/cmd/contend-edits

import (
	"contend/impl/clocks"
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

var variants = []model.Variant{
	{
		Name: "tick-on-receive", Title: "the clock moves past a request's time when the request arrives, as in Lamport's rule",
		Edit:      page.Edit(`p.Clock.Merge(m.Time)`, `p.Clock.Merge(m.Time.Tick())`),
		Unclaimed: []string{"happened-before order"}, // the same finding as the protocol as printed
	},
	{
		Name: "stamped-replies", Title: "an OK carries the sender's clock, so the clocks are Lamport's",
		Edit: page.Edit(`env.Send(from, Reply{})`, `env.Send(from, Reply{p.Clock})`, `env.Broadcast(p.Deferred, Reply{})`, `env.Broadcast(p.Deferred, Reply{p.Clock})`,
			`p.Replies++`, `p.Clock = p.Clock.Merge(m.Time); p.Replies++`),
	},
	{
		Name: "no-tie-break", Title: "of two requests with the same time, neither goes first",
		Breaks: "mutual exclusion", Show: small,
		Edit: page.Edit(`mine.Before(theirs)`, `mine.Time < theirs.Time`),
	},
	{
		Name: "defer-on-tie", Title: "of two requests with the same time, each goes first",
		Breaks: "deadlock freedom", Show: small,
		Edit: page.Edit(`mine.Before(theirs)`, `mine.Time <= theirs.Time`),
	},
	{
		Name: "one-reply-short", Title: "a process enters when one reply is missing",
		Breaks: "lock", Show: small,
		Edit: page.Edit(`len(p.cfg.Processes)-1`, `len(p.cfg.Processes)-2`),
	},
	{
		Name: "forgets-queue", Title: "a process does not reply to its queue when it leaves",
		Breaks: "every request is granted", Show: small,
		Edit: page.Edit(`env.Broadcast(p.Deferred, Reply{})`, ``),
	},
	{
		Name: "clock-not-merged", Title: "a request's time does not move the receiver's clock",
		Breaks: "happened-before order", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`p.Clock = p.Clock.Merge(m.Time)`, ``),
	},
	{
		// A copy of an OK must be in flight until its receiver's request has the same three bits in its time again.
		Name: "replies-by-three-bits", Title: "one fault beyond: an OK is delivered twice, and says which request it answers by the last three bits of its time",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(2, 5), model.Faults{Duplication: 1}),
		Edit: variant.Nodes(func(p Process) model.Node { return &namingProcess{p, map[model.NodeID]clocks.Lamport{}} }),
	},
	{
		Name: "always-polite", Title: "a process replies to every request at once",
		Breaks: "mutual exclusion", Show: small,
		Edit: page.Edit(`mine, theirs := p.Request.At(env.Self()), m.Time.At(from)
		if p.Request != 0 && mine.Before(theirs) {`, `if false {`),
	},
}

var small = model.Check{Config: mutex.Of(2, 1)}

// A namingProcess sends in an OK the time of the request that it answers.
type namingProcess struct {
	Process
	Asked map[model.NodeID]clocks.Lamport // the time of the last request of each process
}

func (p *namingProcess) Invoke(env model.Env, op any) { p.Process.Invoke(naming{env, p}, op) }

func (p *namingProcess) Receive(env model.Env, from model.NodeID, m any) {
	switch got := m.(type) {
	case Request:
		if got.Time <= p.Asked[from] {
			return
		}
		p.Asked[from] = got.Time
	case Reply:
		if p.Request == 0 || (got.Time-p.Request)&7 != 0 {
			return
		}
		m = Reply{} // the time names a request, and is not a clock's value
	}
	p.Process.Receive(naming{env, p}, from, m)
}

// naming is the environment of a process that names requests in its OKs.
type naming struct {
	model.Env
	p *namingProcess
}

func (e naming) Send(to model.NodeID, m any) {
	if _, is := m.(Reply); is {
		m = Reply{e.p.Asked[to]}
	}
	e.Env.Send(to, m)
}

func (e naming) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		e.Send(id, m)
	}
}
