package maekawa

import (
	"slices"

	"contend/model"
	"contend/model/variant"
)

var variants = slices.Concat(options, []model.Variant{ordered, inquiring}, mutants)

// options are different readings, and harmless edits that look like bugs. They deadlock as the protocol as printed
// does.
var options = []model.Variant{
	{
		Name: "own-vote-at-once", Title: "reading: a process sends itself no messages; it gives, queues for and releases its own vote at once",
		Edit: variant.Nodes(func(p Process) model.Node { return &promptProcess{p} }), Show: harmless,
		Unclaimed: slices.DeleteFunc(slices.Clone(unclaimed), func(name string) bool { return name == "happened-before order" }), // a separate finding
	},
	{
		Name: "accessing-unchecked", Title: "a process that receives a request does not check whether it is in the section itself",
		Edit: page.Edit(`!p.Accessing && !p.Vote.Known`, `!p.Vote.Known`), Unclaimed: unclaimed, Show: harmless,
	},
	{
		Name: "release-checked", Title: "a Release counts only from the process that has the vote",
		Edit: page.Edit(`p.Vote = model.Optional[model.NodeID]{}`, `if p.Vote != model.Some(from) { return }; p.Vote = model.Optional[model.NodeID]{}`), Unclaimed: unclaimed, Show: harmless,
	},
	{
		Name: "late-votes-counted", Title: "a vote counts even if it comes when its process wants nothing",
		Edit: page.Edit(`if !p.Waiting { return }`, `if !p.Waiting { p.OKs++; return }`), Unclaimed: unclaimed, Show: harmless,
	},
	{
		Name: "last-first", Title: "a process votes for the last of its queue first; harmless while scripts end",
		Edit: page.Edit(`head := p.Queue[0]; p.Queue = p.Queue[1:]`, `head := p.Queue[len(p.Queue)-1]; p.Queue = p.Queue[:len(p.Queue)-1]`), Unclaimed: unclaimed, Show: harmless,
	},
}

// ordered avoids circular waits: a process asks its members one after another, in one order.
var ordered = model.Variant{
	Name: "ordered", Title: "a process asks the members of its voting set one after another, in the order of ids: no circular wait",
	Edit: page.Edit(`env.Broadcast(set, Request{})`, `env.Send(set[0], Request{})`,
		`p.OKs++; p.enter(env)`, `p.OKs++
		p.enter(env)
		if p.Waiting {
			env.Send(p.cfg.Sets[env.Self()][p.OKs], Request{})
		}`),
	Unclaimed: unordered,
	Show:      model.Check{Config: sized(3, 3, 2)},
}

var harmless = model.Check{Config: sized(3, 3, 2)}

// unordered are the claims that no variant makes. They have the findings of the protocol as printed.
var unordered = []string{"happened-before order", "failures in other sets"}

// unclaimed are the claims that a deadlocking variant does not make.
var unclaimed = append(slices.Clone(unordered), "deadlock freedom", "every request is granted")

// A promptProcess handles messages to itself at once.
type promptProcess struct{ Process }

func (p *promptProcess) Invoke(env model.Env, op any) { p.Process.Invoke(prompt{env, &p.Process}, op) }

func (p *promptProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(prompt{env, &p.Process}, from, m)
}

// prompt is an environment in which messages of a process to itself arrive at once.
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
