package naimithiare

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		Name: "requests-alone", Title: "a request goes without the requests before it, as in Suzuki and Kasami's algorithm",
		Breaks: "happened-before order", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`REQ{p.Q}`, `REQ{p.Q[len(p.Q)-1:]}`),
	},
	{
		Name: "own-first", Title: "a process that asks puts itself before the requests that it knows",
		Breaks: "Lemma 3", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`append(p.Q, Couple{i, p.R[i]})`, `slices.Concat([]Couple{{i, p.R[i]}}, p.Q)`),
	},
	{
		// A process must hand on the token with another's request in its queue, and ask again. Its new request must be
		// faster than the other request.
		Name: "received-first", Title: "rule 2 puts what is received before Q_i",
		Breaks: "happened-before order", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`append(p.without(p.Q, p.past), fresh...)`, `append(fresh, p.without(p.Q, p.past)...)`),
	},
	{
		Name: "emptied-first", Title: "Q_i is emptied before REQ is sent, not after: requests are lost",
		Breaks: "every request is granted", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`append(p.Q, Couple{i, p.R[i]})`, `[]Couple{{i, p.R[i]}}`),
	},
	{
		Name: "token-without-queue", Title: "the token carries T alone",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`TOKEN{p.Q[1:], p.T}`, `TOKEN{nil, p.T}`),
	},
	{
		Name: "local-dropped", Title: "rule 3 takes the queue of the token instead of Q_i",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(2, 1)},
		Edit: page.Edit(`own := p.without(p.Q, p.past)
		own = slices.DeleteFunc(own, func(c Couple) bool { return holds(q, c.J) })
		p.Q = slices.Concat(q, own)`, `p.Q = q`),
	},
	{
		// 3,000 random runs of the configuration do not find the violation. One copy of a request must be slow. Another
		// process must grant the request first. The copy must arrive where the token goes next.
		Name: "t-not-sent", Title: "the token carries no T: nobody learns what was granted",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`TOKEN{p.Q[1:], p.T}`, `TOKEN{p.Q[1:], make([]int, len(p.T))}`),
	},
	{
		Name: "obsolete-granted", Title: "of the requests received, only granted ones are obsolete, not known ones",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`c.H <= p.R[c.J] || c.H <= p.T[c.J]`, `c.H <= p.T[c.J]`),
	},
	{
		Name: "token-in-use-sent", Title: "a process sends the token while it is inside",
		Breaks: "lock", Show: model.Check{Config: mutex.Of(2, 1)},
		Edit: page.Edit(`if p.InCS || len(p.Q) == 0 {`, `if len(p.Q) == 0 {`),
	},
	{
		Name: "token-kept", Title: "HT_i stays true when the token is sent",
		Breaks: "mutual exclusion", Show: model.Check{Config: mutex.Of(2, 2)},
		Edit: page.Edit(`p.HT, p.Q = false, nil`, `p.Q = nil`),
	},
	{
		Name: "message-lost", Title: "one fault beyond: a message is lost",
		Breaks: "deadlock freedom", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Loss: 1}),
	},
	{
		Name: "token-lost", Title: "one fault beyond: each request is sent twice, so the message to lose is the token",
		Breaks: "deadlock freedom", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Loss: 1}),
		Edit: page.Edit(`p.cfg.Others(i), REQ`, `slices.Concat(p.cfg.Others(i), p.cfg.Others(i)), REQ`),
	},
	{
		Name: "message-twice", Title: "one fault beyond: a message is delivered twice",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Duplication: 1}),
	},
	{
		// The copy of the token must be in flight until its receiver asks again with the same three bits in the time of
		// its last entry.
		Name: "token-by-three-bits", Title: "one fault beyond: a token is delivered twice, and a process knows a copy only by the last three bits of the time of its own last entry",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(2, 5), model.Faults{Duplication: 1}),
		Edit: page.Edit(`p.HT, p.T = true, t`, `if i := env.Self(); !p.Waiting || (p.T[i]-t[i])&7 != 0 { return }; p.HT, p.T = true, t`),
	},
	{
		Name: "token-by-two-bits", Title: "the same with counters, as in the reading of that name, and with two bits",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(2, 6), model.Faults{Duplication: 1}),
		Edit: page.Edit(`p.R[env.Self()] = slices.Max(p.R)`, ``,
			`p.HT, p.T = true, t`, `if i := env.Self(); !p.Waiting || (p.T[i]-t[i])&3 != 0 { return }; p.HT, p.T = true, t`),
	},
	{
		Name: "holder-dies", Title: "one fault beyond: a process crashes with the token, inside or not",
		Breaks: "every request is granted", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Crashes: 1}),
	},
	{
		Name: "holder-forgets", Title: "one fault beyond: the first holder loses its memory and believes that it holds the token",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Restarts: 1}),
	},
}
