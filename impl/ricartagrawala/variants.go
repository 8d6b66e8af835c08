package ricartagrawala

import (
	"contend/impl/clocks"
	"contend/impl/mutex"
	"contend/model"
)

var variants = []model.Variant{
	{
		Name: "tick-on-receive", Title: "the clock moves past a request's time when the request arrives, as in Lamport's rule",
		Edit: tune(func(c *Config) {
			c.Merge = func(mine, theirs clocks.Lamport) clocks.Lamport { return mine.Merge(theirs.Tick()) }
		}),
		Unclaimed: []string{"happened-before order"}, // the same finding as the protocol as printed
	},
	{
		Name: "stamped-replies", Title: "an OK carries the sender's clock, so the clocks are Lamport's",
		Edit: tune(func(c *Config) { c.Told = func(clock clocks.Lamport) clocks.Lamport { return clock } }),
	},
	{
		Name: "no-tie-break", Title: "of two requests with the same time, neither goes first",
		Breaks: "mutual exclusion", Show: small,
		Edit: tune(func(c *Config) { c.Before = func(a, b clocks.Stamp) bool { return a.Time < b.Time } }),
	},
	{
		Name: "defer-on-tie", Title: "of two requests with the same time, each goes first",
		Breaks: "deadlock freedom", Show: small,
		Edit: tune(func(c *Config) { c.Before = func(a, b clocks.Stamp) bool { return a.Time <= b.Time } }),
	},
	{
		Name: "one-reply-short", Title: "a process enters when one reply is missing",
		Breaks: "lock", Show: small,
		Edit: tune(func(c *Config) { c.Needed-- }),
	},
	{
		Name: "forgets-queue", Title: "a process does not reply to its queue when it leaves",
		Breaks: "every request is granted", Show: small,
		Edit: replace(func(p Process) model.Node { return &forgetfulProcess{p} }),
	},
	{
		Name: "clock-not-merged", Title: "a request's time does not move the receiver's clock",
		Breaks: "happened-before order", Show: model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(1))},
		Edit: tune(func(c *Config) { c.Merge = func(mine, _ clocks.Lamport) clocks.Lamport { return mine } }),
	},
	{
		// A copy of an OK has to be on its way until its receiver has entered so often that the time of
		// its request has the same three bits again.
		Name: "replies-by-three-bits", Title: "one fault beyond: an OK is delivered twice, and says which request it answers by the last three bits of its time",
		Breaks: "mutual exclusion", Show: twice,
		Edit: replace(func(p Process) model.Node { return &namingProcess{p, map[model.NodeID]clocks.Lamport{}} }),
	},
	{
		Name: "always-polite", Title: "a process replies to every request at once",
		Breaks: "mutual exclusion", Show: small,
		Edit: tune(func(c *Config) { c.Before = func(clocks.Stamp, clocks.Stamp) bool { return false } }),
	},
}

// twice is a check with a message that is delivered twice.
var twice = model.Check{
	Config: model.Config{N: 2, Faults: model.Faults{Duplication: 1}}.With(model.Ops.Is(5)), AssumeAnyway: true,
}

var small = model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(1))}

func tune(f func(*Config)) func(*model.System) {
	return func(s *model.System) { f(s.Setup.(*Config)) }
}

func replace(f func(Process) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			s.Nodes[i].New = func() model.Node { return f(Process{cfg: s.Setup.(*Config)}) }
		}
	}
}

type forgetfulProcess struct{ Process }

func (p *forgetfulProcess) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		p.Deferred = nil
	}
	p.Process.Invoke(env, op)
}

// A namingProcess says in an OK which request it answers.
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
		m = Reply{} // its time names a request, and says nothing of the clock
	}
	p.Process.Receive(naming{env, p}, from, m)
}

// naming is the environment of a process that says which request it answers.
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
