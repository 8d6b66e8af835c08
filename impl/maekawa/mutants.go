package maekawa

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

var mutants = []model.Variant{
	{
		Name: "votes-again", Title: "a process that has voted votes for another",
		Breaks: "mutual exclusion", Show: model.Check{Config: sized(2, 2, 1)},
		Edit: page.Edit(`!p.Accessing && !p.Vote.Known`, `!p.Accessing`),
	},
	{
		// A vote is protected only while its owner is in the section. The first condition of step b would
		// have this purpose if a process did not ask itself.
		Name: "not-itself", Title: "a process asks only the others of its voting set, and gives itself no vote",
		Breaks: "mutual exclusion", Show: model.Check{Config: sized(3, 2, 1)},
		Edit: variant.Setup(func(c *Config) {
			for i, set := range c.Sets {
				c.Sets[i] = without(set, model.NodeID(i))
			}
		}),
	},
	{
		Name: "one-vote-short", Title: "a process enters when one vote is missing",
		Breaks: "lock", Show: model.Check{Config: sized(3, 2, 1)},
		Edit: page.Edit(`p.OKs == len(p.cfg.Sets[env.Self()])`, `p.OKs == len(p.cfg.Sets[env.Self()])-1`),
	},
	{
		Name: "releases-early", Title: "a process sends its Releases when it enters, not when it leaves",
		Breaks: "one candidate", Show: model.Check{Config: sized(2, 1, 1)},
		Edit: page.Edit(`p.Accessing = false; env.Broadcast(set, Release{})`, `p.Accessing = false`,
			`p.Waiting, p.Accessing = false, true; env.Return(nil)`,
			`p.Waiting, p.Accessing = false, true; env.Return(nil); env.Broadcast(p.cfg.Sets[env.Self()], Release{})`),
	},
	{
		Name: "forgets-vote", Title: "a process does not record its vote for the head of the queue",
		Breaks: "mutual exclusion", Show: model.Check{Config: sized(3, 2, 2)},
		Edit: page.Edit(`p.vote(env, head)`, `p.vote(env, head); p.Vote = model.Optional[model.NodeID]{}`),
	},
	{
		// Random schedules rarely find the violation. Of 21 pairs of sets, one pair does not meet. Just these two
		// processes must be in the section at once, while five others may compete.
		Name: "misprint", Title: "S_0 of the plane is {0, 2, 6}, which meets all other sets except S_1",
		Breaks: "mutual exclusion", Show: model.Check{Config: sized(7, 2, 1)},
		Edit: variant.Setup(func(c *Config) { c.Sets[0] = []model.NodeID{0, 2, 6} }),
	},
	{
		// Random schedules rarely find the violation. Of 78 pairs of sets, two pairs do not meet. Where all thirteen
		// processes ask, 4,000 schedules do not find it.
		Name: "misprint-13", Title: "S_0 of the plane of thirteen is {0, 3, 7, 9}, which meets all other sets except S_1 and S_5",
		Breaks: "mutual exclusion", Show: model.Check{Config: sized(13, 2, 1)},
		Edit: variant.Setup(func(c *Config) { c.Sets[0] = []model.NodeID{0, 3, 7, 9} }),
	},
	{
		Name: "votes-for-all", Title: "on a Release a process votes for its whole queue",
		Breaks: "mutual exclusion", Show: model.Check{Config: sized(3, 3, 1).With(Sets.Is(grid))},
		Edit: page.Edit(`p.vote(env, head)`, `p.vote(env, head); for _, id := range p.Queue { p.vote(env, id) }; p.Queue = nil`),
	},
	{
		Name: "keeps-vote", Title: "a Release that finds the queue empty does not free the vote",
		Breaks: "only a circular wait blocks", Show: model.Check{Config: sized(3, 1, 2)},
		Edit: page.Edit(`p.Vote = model.Optional[model.NodeID]{}`, `if len(p.Queue) == 0 { return }; p.Vote = model.Optional[model.NodeID]{}`),
	},
	{
		Name: "keeps-own-vote", Title: "a process sends no Release to itself when it leaves",
		Breaks: "only a circular wait blocks", Show: model.Check{Config: sized(3, 1, 2)},
		Edit: page.Edit(`p.Vote = model.Optional[model.NodeID]{}`, `if from == env.Self() { return }; p.Vote = model.Optional[model.NodeID]{}`),
	},
	{
		Name: "drops-requests", Title: "a request that is not answered at once is not queued",
		Breaks: "only a circular wait blocks", Show: model.Check{Config: sized(3, 2, 1)},
		Edit: page.Edit(`p.Queue = append(p.Queue, from)`, ``),
	},
	{
		Name: "own-vote-first", Title: "ordered, but each process begins with its own vote",
		Breaks: "deadlock freedom", Show: model.Check{Config: sized(3, 3, 1)},
		Edit: variant.All(ordered.Edit, variant.Setup(func(c *Config) {
			for i, set := range c.Sets {
				first := slices.Clone(set)
				slices.SortStableFunc(first, func(a, b model.NodeID) int { return other(a, i) - other(b, i) })
				c.Sets[i] = first
			}
		})),
	},
	{
		// Sanders found the bug on paper. A search finds it too, among 450,000 states.
		Name: "inquire-1985", Title: "inquire without Sanders' correction: a process that is no longer first in a queue is not told",
		Breaks: "deadlock freedom", Show: model.Check{Config: sized(4, 3, 1), Reading: model.Dense, Schedules: 2_000},
		Edit: variant.All(inquiring.Edit, page.Edit(`if len(p.Queue) > 1 { env.Send(p.Queue[1].ID, Failed{}) }`, ``)),
	},
	{
		Name: "deadlock", Title: "as printed, problem 1: three processes of the plane wait for each other",
		Breaks: "deadlock freedom", Show: model.Check{Config: sized(7, 3, 1)},
	},
	{
		Name: "failed-member", Title: "as printed, problem 2: a member of the voting set fails",
		Breaks: "every request is granted", Show: variant.Beyond(sized(3, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		// The proof requires that a process sends either all its Releases or none.
		Name: "releases-one-by-one", Title: "a process sends its Releases one after another, and may crash between two",
		Breaks: "failures in no set that is asked", Show: model.Check{Config: variant.Faulty(sized(3, 2, 1), model.Faults{Crashes: 1})},
		Edit: variant.All(variant.Types(nextRelease{}), variant.Nodes(func(p Process) model.Node { return &steppingProcess{Process: p} })),
	},
	{
		Name: "forgotten-votes", Title: "as printed, but a process fails, forgets its vote and restarts",
		Breaks: "mutual exclusion", Show: variant.Beyond(sized(3, 2, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "vote-twice", Title: "as printed, but a vote arrives twice",
		Breaks: "mutual exclusion", Show: variant.Beyond(sized(3, 2, 1), model.Faults{Duplication: 1}),
	},
	{
		// The copy must be in flight while its receiver enters four times. By then, the member must have voted for
		// another process.
		Name: "votes-by-two-bits", Title: "as printed, but a vote arrives twice, and says by two bits which request of its receiver it is for",
		Breaks: "mutual exclusion", Show: variant.Beyond(sized(3, 2, 5), model.Faults{Duplication: 1}), Edit: numbered(exact, 3, exact),
	},
	{
		Name: "releases-by-two-bits", Title: "as printed, but a Release arrives twice, and says by two bits which request of its sender it ends",
		Breaks: "mutual exclusion", Show: variant.Beyond(sized(3, 2, 5), model.Faults{Duplication: 1}), Edit: numbered(exact, exact, 3),
	},
	{
		Name: "requests-by-two-bits", Title: "as printed, but a request arrives twice, and a member knows the next by the last two bits of its number",
		Breaks: "deadlock freedom", Show: variant.Beyond(sized(3, 2, 5), model.Faults{Duplication: 1}), Edit: numbered(3, exact, exact),
	},
	{
		Name: "lost-vote", Title: "as printed, but a message is lost",
		Breaks: "every request is granted", Show: variant.Beyond(sized(3, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "sets-apart", Title: "as printed, with two voting sets that do not meet",
		Breaks: "mutual exclusion", Show: model.Check{Config: apart()},
	},
}

func apart() model.Config {
	c := sized(2, 2, 1).With(Sets.Is(halves))
	c.Beyond = true
	return c
}

// other returns 0 for process i, and 1 for other processes.
func other(id model.NodeID, i int) int {
	if int(id) == i {
		return 0
	}
	return 1
}

// A steppingProcess sends each Release in a step of its own.
type steppingProcess struct {
	Process
	Leaving []model.NodeID // the members to which it has not sent a Release
}

type nextRelease struct{} // the alarm of its next Release

func (p *steppingProcess) Invoke(env model.Env, op any) {
	if _, leaving := op.(mutex.Release); leaving {
		p.Accessing, p.Leaving = false, slices.Clone(p.cfg.Sets[env.Self()])
		p.Timeout(env, nextRelease{})
		return
	}
	p.Process.Invoke(env, op)
}

func (p *steppingProcess) Timeout(env model.Env, _ any) {
	env.Send(p.Leaving[0], Release{})
	if p.Leaving = p.Leaving[1:]; len(p.Leaving) > 0 {
		env.After(nextRelease{}, model.Exactly(0))
	}
}

// Numbered is a message with the number of its request.
type Numbered struct {
	Number  int
	Message any
}

// exact is the mask that compares all bits of numbers.
const exact = -1

// numbered returns an edit that numbers messages. It compares only some bits of the numbers of each kind.
func numbered(requests, votes, releases int) func(*model.System) {
	return variant.All(variant.Types(Numbered{}), variant.Nodes(func(p Process) model.Node {
		return &numberedProcess{Process: p, requests: requests, votes: votes, releases: releases}
	}))
}

// A numberedProcess handles each message once, as far as the compared bits differ.
type numberedProcess struct {
	Process
	Passage                   int                   // the number of its last request
	Voters                    map[model.NodeID]bool // the members that have voted for it
	Asked                     map[model.NodeID]int  // by process: the number of its last request
	Voted                     int                   // the number of the request that it has voted for
	requests, votes, releases int                   // the bits that are compared
}

func (p *numberedProcess) Invoke(env model.Env, op any) {
	if _, asks := op.(mutex.Acquire); asks {
		p.Passage++
		clear(p.Voters)
	}
	p.Process.Invoke(numbering{env, p}, op)
}

func (p *numberedProcess) Receive(env model.Env, from model.NodeID, m any) {
	n := m.(Numbered)
	switch n.Message.(type) {
	case Request:
		if (n.Number-p.Asked[from]-1)&p.requests != 0 {
			return
		}
		p.Asked[from]++
	case OK:
		if p.Voters[from] || (n.Number-p.Passage)&p.votes != 0 {
			return
		}
		p.Voters[from] = true
	case Release:
		if p.Vote != model.Some(from) || (n.Number-p.Voted)&p.releases != 0 {
			return
		}
	}
	p.Process.Receive(numbering{env, p}, from, n.Message)
}

// numbering is the environment of a process that numbers its messages.
type numbering struct {
	model.Env
	p *numberedProcess
}

func (e numbering) Send(to model.NodeID, m any) {
	number := e.p.Passage
	if _, votes := m.(OK); votes {
		number = e.p.Asked[to]
		e.p.Voted = number
	}
	e.Env.Send(to, Numbered{number, m})
}

func (e numbering) Broadcast(to []model.NodeID, m any) {
	e.Env.Broadcast(to, Numbered{e.p.Passage, m})
}
