package suzukikasami

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		// 3,000 random runs of the configuration do not find the violation. One copy of a request must be slow. Another
		// process grants it, and its process leaves and asks again. The second request must arrive before the first.
		// The token must go to the receiver of both.
		Name: "old-request-believed", Title: "RN[j] is the number of the last request to arrive, not the highest",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(3, 2)},
		Edit: page.Edit(`max(p.RN[from], m.H)`, `m.H`),
	},
	{
		// A copy of a request must be in flight until its process has made four more requests, and the last of them has
		// arrived.
		Name: "three-bit-numbers", Title: "a request carries the last three bits of its number, which stand for the nearest number that has them",
		Breaks: "request numbers", Show: model.Check{Config: mutex.Of(3, 5).With(mutex.Asking.Is(2))},
		Edit: page.Edit(`p.RN[from] = max(p.RN[from], m.H)`, `if ahead := (m.H - p.RN[from]) & 7; ahead <= 4 { p.RN[from] += ahead }`),
	},
	{
		Name: "appends-again", Title: "a process that is in the queue is appended again",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(` && !slices.Contains(p.Queue, j)`, ``),
	},
	{
		// 3,000 random runs do not find the violation. The holder of the token must not know a request that was granted
		// long ago. The next holder must not ask again.
		Name: "asks-differs", Title: "P_j waits if RN[j] ≠ LN[j]",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`p.RN[j] == p.LN[j]+1`, `p.RN[j] != p.LN[j]`),
	},
	{
		Name: "last-first", Title: "a process is added at the head of the queue",
		Breaks: "bounded overtaking", Show: model.Check{Config: mutex.Of(3, 3)},
		Edit: page.Edit(`append(slices.Clone(p.Queue), j)`, `append([]model.NodeID{j}, p.Queue...)`),
	},
	{
		Name: "old-requests-forgotten", Title: "a process does not look at RN when it leaves: requests that came before the token are forgotten",
		Breaks: "every request is granted", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`range p.cfg.Processes {`, `range p.cfg.Processes[:0] {`),
	},
	{
		Name: "ln-not-set", Title: "a process does not set LN when it leaves",
		Breaks: "request numbers", Show: model.Check{Config: mutex.Of(2, 2)},
		Edit: page.Edit(`p.LN[env.Self()] = p.RN[env.Self()]`, ``),
	},
	{
		// Its own request must return while the process is in the section. So it queues itself.
		Name: "request-to-itself", Title: "a request goes to its sender too",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(2, 1)},
		Edit: page.Edit(`p.cfg.Others(env.Self())`, `append(p.cfg.Others(env.Self()), env.Self())`),
	},
	{
		Name: "token-kept", Title: "a process that sends the token goes on as if it held it",
		Breaks: "mutual exclusion", Show: model.Check{Config: mutex.Of(2, 2)},
		Edit: page.Edit(`p.Holds, p.LN, p.Queue = false, nil, nil`, `p.Queue = nil`),
	},
	{
		Name: "token-in-use-sent", Title: "a process sends the token while it is inside",
		Breaks: "lock", Show: model.Check{Config: mutex.Of(2, 1)},
		Edit: page.Edit(`if p.Inside {`, `if false {`,
			`p.Inside = false; p.LN[env.Self()] = p.RN[env.Self()]`, `p.Inside = false; if !p.Holds { return }; p.LN[env.Self()] = p.RN[env.Self()]`),
	},
	{
		Name: "idle-token-kept", Title: "an idle token is not sent when a request comes",
		Breaks: "deadlock freedom", Show: model.Check{Config: mutex.Of(2, 1)},
		Edit: page.Edit(`p.queue(from); p.serve(env)`, `p.queue(from); if p.Inside { p.serve(env) }`),
	},
	{
		Name: "message-lost", Title: "one fault beyond: a message is lost",
		Breaks: "deadlock freedom", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Loss: 1}),
	},
	{
		Name: "token-lost", Title: "one fault beyond: each request is sent twice, so the message to lose is the token",
		Breaks: "deadlock freedom", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Loss: 1}),
		Edit: page.Edit(`p.cfg.Others(env.Self())`, `slices.Concat(p.cfg.Others(env.Self()), p.cfg.Others(env.Self()))`),
	},
	{
		Name: "message-twice", Title: "one fault beyond: a message is delivered twice",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Duplication: 1}),
	},
	{
		// The copy of the token must be in flight until its receiver has received three more tokens and asks again.
		Name: "token-by-two-bits", Title: "one fault beyond: a token is delivered twice, and a process knows a copy only by the last two bits of the number in LN",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(2, 6), model.Faults{Duplication: 1}),
		Edit: page.Edit(`case Token:`, `case Token: if self := env.Self(); !p.Asking || (p.RN[self]-m.LN[self])&3 != 1 { return };`),
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
