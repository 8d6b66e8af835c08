package suzukikasami

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// mutants are bugs, each with the claim that it must break.
var mutants = []model.Variant{
	{
		// 3,000 random runs of the configuration do not find it: one copy of a request has to be so slow
		// that its process is granted by another, leaves, and asks again, the second request has to
		// arrive before the first, and the token has to go where that was.
		Name: "old-request-believed", Title: "RN[j] is the number of the last request to arrive, not the highest",
		Breaks: "deadlock freedom", Show: at(3, 2),
		Edit: tune(func(c *Config) { c.Recorded = func(_, theirs int) int { return theirs } }),
	},
	{
		// A copy of a request has to be on its way until its process has asked four times more, and the
		// last of these requests has come.
		Name: "three-bit-numbers", Title: "a request carries the last three bits of its number, which stand for the nearest number that has them",
		Breaks: "request numbers", Show: model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(5), mutex.Asking.Is(2))},
		Edit: tune(func(c *Config) { c.Recorded = nearest(3) }),
	},
	{
		Name: "appends-again", Title: "a process that is in the queue is appended again",
		Breaks: "deadlock freedom", Show: at(3, 1),
		Edit: tune(func(c *Config) {
			c.Append = func(queue []model.NodeID, j model.NodeID) []model.NodeID { return append(slices.Clone(queue), j) }
		}),
	},
	{
		// Nor this: the token has to be where a request is not known that was granted long ago, and the
		// one that it is sent to must not ask again.
		Name: "asks-differs", Title: "P_j waits if RN[j] ≠ LN[j]",
		Breaks: "deadlock freedom", Show: at(3, 1),
		Edit: tune(func(c *Config) { c.Asks = func(rn, ln int) bool { return rn != ln } }),
	},
	{
		Name: "last-first", Title: "a process is added at the head of the queue",
		Breaks: "bounded overtaking", Show: at(3, 3),
		Edit: tune(func(c *Config) {
			c.Append = func(queue []model.NodeID, j model.NodeID) []model.NodeID {
				if slices.Contains(queue, j) {
					return queue
				}
				return append([]model.NodeID{j}, queue...)
			}
		}),
	},
	{
		Name: "old-requests-forgotten", Title: "a process does not look at RN when it leaves: requests that came before the token are forgotten",
		Breaks: "every request is granted", Show: at(3, 1),
		Edit: tune(func(c *Config) { c.Order = func([]model.NodeID, model.NodeID) []model.NodeID { return nil } }),
	},
	{
		Name: "ln-not-set", Title: "a process does not set LN when it leaves",
		Breaks: "request numbers", Show: at(2, 2),
		Edit: replace(func(p Process) model.Node { return &unsetProcess{p} }),
	},
	{
		// Its own request has to return to a process that is inside by then: it queues itself.
		Name: "request-to-itself", Title: "a request goes to its sender too",
		Breaks: "deadlock freedom", Show: at(2, 1),
		Edit: tune(func(c *Config) {
			c.To = func(others []model.NodeID, self model.NodeID) []model.NodeID {
				return append(slices.Clone(others), self)
			}
		}),
	},
	{
		Name: "token-kept", Title: "a process that sends the token goes on as if it held it",
		Breaks: "mutual exclusion", Show: at(2, 2),
		Edit: replace(func(p Process) model.Node { return &keepingProcess{p} }),
	},
	{
		Name: "token-in-use-sent", Title: "a process sends the token while it is inside",
		Breaks: "lock", Show: at(2, 1),
		Edit: replace(func(p Process) model.Node { return &rashProcess{p} }),
	},
	{
		Name: "idle-token-kept", Title: "an idle token is not sent when a request comes",
		Breaks: "deadlock freedom", Show: at(2, 1),
		Edit: replace(func(p Process) model.Node { return &idleProcess{p} }),
	},
	{
		Name: "message-lost", Title: "one fault beyond: a message is lost",
		Breaks: "deadlock freedom", Show: beyond(2, model.Faults{Loss: 1}),
	},
	{
		Name: "token-lost", Title: "one fault beyond: each request is sent twice, so the message to lose is the token",
		Breaks: "deadlock freedom", Show: beyond(2, model.Faults{Loss: 1}),
		Edit: tune(func(c *Config) {
			c.To = func(others []model.NodeID, _ model.NodeID) []model.NodeID { return slices.Concat(others, others) }
		}),
	},
	{
		Name: "message-twice", Title: "one fault beyond: a message is delivered twice",
		Breaks: "mutual exclusion", Show: beyond(2, model.Faults{Duplication: 1}),
	},
	{
		// The copy of the token has to be on its way until its receiver has been granted three times more,
		// and asks again.
		Name: "token-by-two-bits", Title: "one fault beyond: a token is delivered twice, and a process knows a copy only by the last two bits of the number in LN",
		Breaks: "mutual exclusion", Show: twice(6),
		Edit: replace(func(p Process) model.Node { return &checkingProcess{p} }),
	},
	{
		Name: "holder-dies", Title: "one fault beyond: a process crashes with the token, inside or not",
		Breaks: "every request is granted", Show: beyond(2, model.Faults{Crashes: 1}),
	},
	{
		Name: "holder-forgets", Title: "one fault beyond: the first holder loses its memory and believes that it holds the token",
		Breaks: "mutual exclusion", Show: beyond(2, model.Faults{Restarts: 1}),
	},
}

func at(n, ops int) model.Check {
	return model.Check{Config: model.Config{N: n}.With(model.Ops.Is(ops))}
}

// beyond is a check with faults that the text does not speak of, with two entries of each of n
// processes.
func beyond(n int, faults model.Faults) model.Check {
	c := at(n, 2)
	c.Config.Faults, c.AssumeAnyway = faults, true
	return c
}

// twice is a check with a message that is delivered twice, and a number of entries of each of two processes.
func twice(ops int) model.Check {
	c := beyond(2, model.Faults{Duplication: 1})
	c.Config = c.Config.With(model.Ops.Is(ops))
	return c
}

// nearest takes a number of a few bits for the nearest to one that is known, which it does not go below.
func nearest(bits int) func(mine, theirs int) int {
	return func(mine, theirs int) int {
		if ahead := (theirs - mine) & (1<<bits - 1); ahead <= 1<<(bits-1) {
			return mine + ahead
		}
		return mine
	}
}

type unsetProcess struct{ Process }

func (p *unsetProcess) Invoke(env model.Env, op any) {
	made := p.RN[env.Self()]
	if _, leaves := op.(mutex.Release); leaves {
		p.RN[env.Self()] = p.LN[env.Self()]
	}
	p.Process.Invoke(env, op)
	if _, leaves := op.(mutex.Release); leaves {
		p.RN[env.Self()] = made
	}
}

type keepingProcess struct{ Process }

func (p *keepingProcess) Receive(env model.Env, from model.NodeID, m any) {
	before := slices.Clone(p.LN)
	p.Process.Receive(env, from, m)
	if before != nil && !p.Holds {
		p.Holds, p.LN = true, before
	}
}

type rashProcess struct{ Process }

func (p *rashProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(Request); asks {
		p.Inside = false
	}
	p.Process.Receive(env, from, m)
}

func (p *rashProcess) Invoke(env model.Env, op any) {
	if _, leaves := op.(mutex.Release); leaves && !p.Holds {
		return
	}
	p.Process.Invoke(env, op)
}

type idleProcess struct{ Process }

func (p *idleProcess) Receive(env model.Env, from model.NodeID, m any) {
	inside := p.Inside
	p.Inside = true // nothing is sent from inside
	p.Process.Receive(env, from, m)
	if _, asks := m.(Request); asks {
		p.Inside = inside
	}
}

type checkingProcess struct{ Process }

func (p *checkingProcess) Receive(env model.Env, from model.NodeID, m any) {
	self := env.Self()
	if token, is := m.(Token); is && (!p.Asking || (p.RN[self]-token.LN[self])&3 != 1) {
		return // it grants an earlier request
	}
	p.Process.Receive(env, from, m)
}
