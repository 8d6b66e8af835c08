package maekawa

import (
	"slices"

	"contend/model"
)

var variants = slices.Concat(options, []model.Variant{ordered, inquiring}, mutants)

// options are readings, and edits that look like bugs and are not. They deadlock as the
// protocol as printed does.
var options = []model.Variant{
	{
		Name: "own-vote-at-once", Title: "reading: a process sends itself no messages; it gives, queues for and releases its own vote at once",
		Edit: replace(func(p Process) model.Node { return &promptProcess{p} }), Show: harmless,
		Unclaimed: slices.DeleteFunc(slices.Clone(unclaimed), func(name string) bool { return name == "happened-before order" }), // a finding of its own
	},
	{
		Name: "accessing-unchecked", Title: "a process that receives a request does not check whether it is in the section itself",
		Edit: tune(func(c *Config) { c.Free = func(_, voted bool) bool { return !voted } }), Unclaimed: unclaimed, Show: harmless,
	},
	{
		Name: "release-checked", Title: "a Release counts only from the process that has the vote",
		Edit: replace(func(p Process) model.Node { return &checkingProcess{p} }), Unclaimed: unclaimed, Show: harmless,
	},
	{
		Name: "late-votes-counted", Title: "a vote counts even if it comes when its process wants nothing",
		Edit: replace(func(p Process) model.Node { return &countingProcess{p} }), Unclaimed: unclaimed, Show: harmless,
	},
	{
		Name: "last-first", Title: "a process votes for the last of its queue first; harmless while scripts end",
		Edit: replace(func(p Process) model.Node { return &stackingProcess{p} }), Unclaimed: unclaimed, Show: harmless,
	},
}

var harmless = model.Check{Config: of(3, 3, 2)}

// unordered is what no variant claims: these findings of the protocol as printed are theirs too.
var unordered = []string{"happened-before order", "failures in other sets"}

// unclaimed is besides what a variant that deadlocks does not claim.
var unclaimed = append(slices.Clone(unordered), "deadlock freedom", "every request is granted")

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

// promptProcess takes what it sends itself at once.
type promptProcess struct{ Process }

func (p *promptProcess) Invoke(env model.Env, op any) { p.Process.Invoke(prompt{env, &p.Process}, op) }

func (p *promptProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(prompt{env, &p.Process}, from, m)
}

// prompt is an environment in which what a process sends itself arrives at once.
type prompt struct {
	model.Env
	p *Process
}

func (e prompt) Send(to model.NodeID, m any) {
	if to != e.Self() {
		e.Env.Send(to, m)
		return
	}
	e.p.Receive(e, to, m)
}

func (e prompt) Broadcast(to []model.NodeID, m any) {
	for _, id := range to {
		e.Send(id, m)
	}
}

type checkingProcess struct{ Process }

func (p *checkingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, release := m.(Release); release && p.Vote != model.Some(from) {
		return
	}
	p.Process.Receive(env, from, m)
}

type countingProcess struct{ Process }

func (p *countingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, vote := m.(OK); vote && !p.Waiting {
		p.OKs++
		return
	}
	p.Process.Receive(env, from, m)
}

type stackingProcess struct{ Process }

func (p *stackingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if n := len(p.Queue); n > 0 && m == (Release{}) {
		p.Queue[0], p.Queue[n-1] = p.Queue[n-1], p.Queue[0]
		slices.Reverse(p.Queue[1:])
	}
	p.Process.Receive(env, from, m)
}
