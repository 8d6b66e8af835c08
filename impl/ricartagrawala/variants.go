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
		Name: "always-polite", Title: "a process replies to every request at once",
		Breaks: "mutual exclusion", Show: small,
		Edit: tune(func(c *Config) { c.Before = func(clocks.Stamp, clocks.Stamp) bool { return false } }),
	},
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
