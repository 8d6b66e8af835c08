package tokenring

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

func variants() []model.Variant { return append(append(options, problemsShown...), mutants...) }

// one and two are the smallest checks: two processes of one or two entries each.
var (
	one = model.Check{Config: mutex.Of(2, 1)}
	two = model.Check{Config: mutex.Of(2, 2)}
)

// problemsShown are the lecture's "problems", and what lies beyond "processes do not fail and
// message delivery is reliable".
var problemsShown = []model.Variant{
	{
		Name: "token-lost", Title: "problems: the token is lost",
		Breaks: "deadlock freedom", Show: variant.Beyond(one.Config, model.Faults{Loss: 1}),
	},
	{
		Name: "process-crashes", Title: "problems: a process crashes",
		Breaks: "deadlock freedom", Show: variant.Beyond(one.Config, model.Faults{Crashes: 1}),
	},
	{
		Name: "token-duplicated", Title: "a channel delivers the token twice",
		Breaks: "mutual exclusion", Show: variant.Beyond(one.Config, model.Faults{Duplication: 1}),
	},
	{
		Name: "first-restarts", Title: "the first process crashes and restarts with a new token",
		Breaks: "mutual exclusion", Show: variant.Beyond(one.Config, model.Faults{Restarts: 1}),
	},
	{
		Name: "regenerates-untimed", Title: "problems: delays have no bound, and a slow token counts as lost",
		Breaks: "mutual exclusion", Show: one, Edit: regenerate(1, 0),
	},
	{
		Name: "regenerates-everywhere", Title: "problems: every process that misses the token regenerates it",
		Breaks: "mutual exclusion, timed", Show: timed(two.Config, model.Faults{Loss: 1}), Edit: regenerate(32, 0),
	},
	{
		// All messages and sections have to take as long as they can, and the alarm has to fire before
		// the token arrives at the same instant.
		Name: "regenerates-early", Title: "problems: the token counts as lost as soon as it should be back",
		Breaks: "mutual exclusion, timed", Show: timed(two.Config, model.Faults{}), Edit: regenerate(1, -1),
	},
	{
		// The first process has to enter and leave, and the token to be lost after that.
		Name: "regenerates-until-it-enters", Title: "problems: the first process does not wait for the return of the token that it sends when it leaves",
		Breaks: "every request is granted, timed", Show: variant.BeyondInTime(one.Config, model.Faults{Loss: 1}),
		Edit: variant.All(regenerate(1, 0), page.Edit(`if _, leaving := op.(mutex.Release); leaving { env.After(overdue{}, model.Exactly(p.round)) }`, ``)),
	},
	{
		Name: "token-dies", Title: "problems: the token is sent to the next member, but is lost with the process that has it",
		Breaks: "every request is granted", Show: variant.Beyond(one.Config, model.Faults{Crashes: 1}), Edit: skip(model.Perfect, false),
	},
	{
		// Who crashes has to have passed the token on, and the report of the crash has to come before the
		// token is back.
		Name: "sends-again", Title: "problems: the token is sent to the next member, and again if that member crashes",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(3, 1), model.Faults{Crashes: 1}), Edit: skip(model.Perfect, true),
	},
	{
		Name: "suspects-wrongly", Title: "problems: the same, with a failure detector that is only eventually perfect, and no crash",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(3, 1), model.Faults{Suspicions: 1}), Edit: skip(model.EventuallyPerfect, true),
	},
	{
		Name: "applications-talk", Title: "a process that asks for the section tells the others, which may then ask",
		Breaks: "happened-before order", Show: one,
		Edit: variant.All(variant.Types(Word{}), variant.Nodes(func(p Process) model.Node { return &talkingProcess{p} })),
	},
}

var mutants = []model.Variant{
	{
		Name: "two-tokens", Title: "the first two processes have a token each",
		Breaks: "mutual exclusion", Show: one,
		Edit: page.Edit(`env.Self() == 0`, `env.Self() <= 1`),
	},
	{
		Name: "enters-without", Title: "a process enters without the token",
		Breaks: "lock", Show: one,
		Edit: page.Edit(`p.Wants = true`, `p.Wants = true; p.take(env)`),
	},
	{
		Name: "passes-on-entry", Title: "a process forwards the token when it enters, not when it leaves",
		Breaks: "one holder", Show: one,
		Edit: page.Edit(`env.Return(nil)`, `env.Return(nil); p.pass(env)`, `p.Inside = false; p.pass(env)`, `p.Inside = false`),
	},
	{
		Name: "passes-twice", Title: "the first process forwards two tokens when it leaves",
		Breaks: "mutual exclusion", Show: two,
		Edit: page.Edit(`p.Inside = false; p.pass(env)`, `p.Inside = false; p.pass(env); if env.Self() == 0 { p.pass(env) }`),
	},
	{
		// The copy has to be on its way for seven rounds, and both processes have to want to enter then.
		Name: "hops-by-four-bits", Title: "crash-tolerant, but the token is delivered twice, and a process knows the next hop by the last four bits of its number",
		Breaks: "mutual exclusion", Show: variant.Beyond(mutex.Of(2, 2), model.Faults{Duplication: 1}),
		Edit: variant.All(counted(true), variant.Nodes(func(p CountingProcess) model.Node { return &shortProcess{p} }), func(s *model.System) {
			s.Cuts[0].Beyond = func(n model.Node) bool { return n.(*shortProcess).Seen > 20 }
		}),
	},
	{
		// No run stops: the token circulates past the process that starves. Only a search for a fair
		// cycle sees it; sampling of runs that end does not.
		Name: "left-out", Title: "the token skips the second process",
		Breaks: "every request is granted", Show: model.Check{Config: mutex.Of(3, 1)},
		Edit: page.Edit(`return (id + 1) % p.n`, `if id == 0 { id++ }; return (id + 1) % p.n`),
	},
	{
		Name: "keeps-token", Title: "a process that does not want to enter keeps the token until it wants to",
		Breaks: "every request is granted", Show: model.Check{Config: one.Config.With(mutex.Asking.Is(1))},
		Edit: variant.Nodes(func(p Process) model.Node { return &greedyProcess{Process: p} }),
	},
	{
		Name: "forgets-exit", Title: "a process does not forward the token when it leaves",
		Breaks: "deadlock freedom", Show: one,
		Edit: page.Edit(`p.Inside = false; p.pass(env)`, `p.Inside = false`),
	},
	{
		// Everybody enters all the same, and if all were as polite nobody would be overtaken twice.
		Name: "polite-alone", Title: "the first process, and no other, lets the token pass once when it wants to enter",
		Breaks: "bounded overtaking", Show: two,
		Edit: func(s *model.System) {
			s.Nodes[0].New = func() model.Node { return &politeProcess{Process: Process{n: model.NodeID(s.Config.N)}} }
		},
	},
}

func timed(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: variant.Faulty(c, f), Reading: model.Grid}
}

// Word is what an application tells another, past the protocol.
type Word struct{}

type talkingProcess struct{ Process }

// Invoke tells the others of a request.
func (p *talkingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(env, op)
	if _, asks := op.(mutex.Acquire); asks {
		for id := range p.n {
			if id != env.Self() {
				env.Send(id, Word{})
			}
		}
	}
}

// Receive takes the token; a word is for the application.
func (p *talkingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, token := m.(Token); token {
		p.Process.Receive(env, from, m)
	}
}

type greedyProcess struct {
	Process
	Idle bool
}

// Receive keeps the token.
func (p *greedyProcess) Receive(env model.Env, from model.NodeID, m any) {
	if p.Wants {
		p.Process.Receive(env, from, m)
		return
	}
	p.Idle = true
}

// Invoke enters with a token that it has.
func (p *greedyProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(env, op)
	if p.Idle && p.Wants {
		p.Idle = false
		p.take(env)
	}
}

type shortProcess struct{ CountingProcess }

// Receive takes the token of what may be the next hop to a process of two.
func (p *shortProcess) Receive(env model.Env, from model.NodeID, m any) {
	if ahead := (m.(Hop).Number - p.Seen) & 15; ahead == 1 || ahead == 2 {
		p.CountingProcess.Receive(env, from, Hop{p.Seen + ahead})
	}
}
