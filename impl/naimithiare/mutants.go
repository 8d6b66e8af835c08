package naimithiare

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// mutants are bugs, each with the claim that it must break.
var mutants = []model.Variant{
	{
		Name: "requests-alone", Title: "a request goes without the requests before it, as in Suzuki and Kasami's algorithm",
		Breaks: "happened-before order", Show: at(3, 1),
		Edit: sends(func(m any) any {
			if req, ok := m.(REQ); ok {
				return REQ{req.Q[len(req.Q)-1:]}
			}
			return m
		}),
	},
	{
		Name: "own-first", Title: "a process that asks puts itself before the requests that it knows",
		Breaks: "Lemma 3", Show: at(3, 1),
		Edit: sends(func(m any) any {
			if req, ok := m.(REQ); ok {
				own := len(req.Q) - 1
				return REQ{slices.Concat(req.Q[own:], req.Q[:own])}
			}
			return m
		}),
	},
	{
		// It takes a process that has handed on the token with the request of another in its queue and
		// asks again, and its request has to be faster than that of the other.
		Name: "received-first", Title: "rule 2 puts what is received before Q_i",
		Breaks: "happened-before order", Show: at(3, 1),
		Edit: replace(func(p Process) model.Node { return &politeProcess{p} }),
	},
	{
		Name: "emptied-first", Title: "Q_i is emptied before REQ is sent, not after: requests are lost",
		Breaks: "every request is granted", Show: at(3, 1),
		Edit: replace(func(p Process) model.Node { return &hastyProcess{p} }),
	},
	{
		Name: "token-without-queue", Title: "the token carries T alone",
		Breaks: "deadlock freedom", Show: at(3, 1),
		Edit: sends(func(m any) any {
			if token, ok := m.(TOKEN); ok {
				return TOKEN{nil, token.T}
			}
			return m
		}),
	},
	{
		Name: "local-dropped", Title: "rule 3 takes the queue of the token instead of Q_i",
		Breaks: "deadlock freedom", Show: at(2, 1),
		Edit: tune(func(c *Config) { c.Join = func(_, received []Couple) []Couple { return received } }),
	},
	{
		// 3,000 random runs of the configuration do not find it: one copy of a request has to be so slow
		// that its process is granted by another, and has to arrive where the token goes next.
		Name: "t-not-sent", Title: "the token carries no T: nobody learns what was granted",
		Breaks: "deadlock freedom", Show: at(3, 1),
		Edit: sends(func(m any) any {
			if token, ok := m.(TOKEN); ok {
				return TOKEN{token.Q, make([]int, len(token.T))}
			}
			return m
		}),
	},
	{
		Name: "obsolete-granted", Title: "of the requests received, only granted ones are obsolete, not known ones",
		Breaks: "deadlock freedom", Show: at(3, 1),
		Edit: tune(func(c *Config) { c.Obsolete = func(h, _, t int) bool { return h <= t } }),
	},
	{
		Name: "token-in-use-sent", Title: "a process sends the token while it is inside",
		Breaks: "lock", Show: at(2, 1),
		Edit: replace(func(p Process) model.Node { return &rashProcess{p} }),
	},
	{
		Name: "token-kept", Title: "HT_i stays true when the token is sent",
		Breaks: "mutual exclusion", Show: at(2, 2),
		Edit: replace(func(p Process) model.Node { return &keepingProcess{p} }),
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
		// The copy of the token has to be on its way until its receiver has been granted so often that the
		// time of its last entry has the same three bits again, and asks again.
		Name: "token-by-three-bits", Title: "one fault beyond: a token is delivered twice, and a process knows a copy only by the last three bits of the time of its own last entry",
		Breaks: "mutual exclusion", Show: twice(5),
		Edit: replace(func(p Process) model.Node { return &checkingProcess{p, 7} }),
	},
	{
		Name: "token-by-two-bits", Title: "the same with counters, as in the reading of that name, and with two bits",
		Breaks: "mutual exclusion", Show: twice(6),
		Edit: func(s *model.System) {
			counters.Edit(s)
			replace(func(p Process) model.Node { return &checkingProcess{p, 3} })(s)
		},
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

// sends is an edit of what processes send.
func sends(change func(m any) any) func(*model.System) {
	return replace(func(p Process) model.Node { return &changedProcess{p, change} })
}

type changedProcess struct {
	Process
	change func(m any) any
}

func (p *changedProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(changedEnv{env, p.change}, op)
}

func (p *changedProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(changedEnv{env, p.change}, from, m)
}

type changedEnv struct {
	model.Env
	change func(m any) any
}

func (e changedEnv) Send(to model.NodeID, m any) { e.Env.Send(to, e.change(m)) }

func (e changedEnv) Broadcast(to []model.NodeID, m any) { e.Env.Broadcast(to, e.change(m)) }

type politeProcess struct{ Process }

func (p *politeProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(REQ); !asks {
		p.Process.Receive(env, from, m)
		return
	}
	before := p.Q
	p.Q = nil
	p.Process.Receive(env, from, m)
	p.Q = append(p.Q, p.without(before, p.cfg.Past)...)
}

type hastyProcess struct{ Process }

func (p *hastyProcess) Invoke(env model.Env, op any) {
	if !p.HT {
		p.Q = nil
	}
	p.Process.Invoke(env, op)
}

type rashProcess struct{ Process }

func (p *rashProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(REQ); asks {
		p.InCS = false
	}
	p.Process.Receive(env, from, m)
}

func (p *rashProcess) Invoke(env model.Env, op any) {
	if _, leaves := op.(mutex.Release); leaves && !p.HT {
		return
	}
	p.Process.Invoke(env, op)
}

type keepingProcess struct{ Process }

func (p *keepingProcess) Receive(env model.Env, from model.NodeID, m any) {
	held := p.HT
	p.Process.Receive(env, from, m)
	p.HT = p.HT || held
}

type checkingProcess struct {
	Process
	bits int // that are compared
}

func (p *checkingProcess) Receive(env model.Env, from model.NodeID, m any) {
	self := env.Self()
	if token, is := m.(TOKEN); is && (!p.Waiting || (p.T[self]-token.T[self])&p.bits != 0) {
		return // it was sent before the last entry
	}
	p.Process.Receive(env, from, m)
}
