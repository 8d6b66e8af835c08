package lin

import (
	"slices"

	"contend/model"
	"contend/model/variant"
)

var variants = slices.Concat(options, mutants)

// mutants are bugs, each with the claim that it breaks. Mutants without an edit are the protocol as printed, with one
// fault more than the lecture tolerates.
var mutants = []model.Variant{
	{
		Name: "vote-without-time", Title: "a vote names the process and not its request, so a late response counts again",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(2))},
		Edit: page.Edit(`vote == c.own(env)`, `vote.ID == env.Self()`),
	},
	{
		Name: "keeps-yielded", Title: "a process counts votes that it has yielded",
		Breaks: exclusion, Show: three,
		Edit: variant.All(splitVotes, page.Edit(`env.Send(k, Yield{c.Request}); delete(c.Votes, k)`, `env.Send(k, Yield{c.Request})`)),
	},
	{
		Name: "votes-again", Title: "a coordinator votes for every request",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 1}},
		Edit: page.Edit(`if !k.Vote.Known { k.Vote = model.Some(r)`, `if true { k.Vote = model.Some(r)`),
	},
	{
		// Three processes must compete. Between two entries, a release must reach a coordinator that votes for another
		// process. Few schedules have this.
		Name: "releases-any", Title: "a release frees the coordinator's vote, whoever holds it",
		Breaks: exclusion, Show: three,
		Edit: variant.All(func(s *model.System) {
			lead(s, []string{"312", "312", "312"}, []string{"1", "12", "13", "123", "2", "23"}, []string{"1", "13", "3"}, []string{"2", "21", "23", "213", "3"})
		}, page.Edit(`k.release(env, m.Time.At(from))`, `k.release(env, m.Time.At(from))
			if k.Vote.Known && k.Vote.Value.ID != from {
				k.release(env, k.Vote.Value)
			}`)),
	},
	{
		// Two processes yield to each other forever only if no other event intervenes. A random schedule ends sooner or
		// later.
		Name: "no-tie-break", Title: "of two requests with the same time neither is older: yields exchange votes for ever",
		Breaks: granted, Show: two,
		Edit: page.Edit(`r.Before(q)`, `r.Time < q.Time`),
	},
	{
		Name: "yields-to-the-back", Title: "a yielded request goes to the end of the queue, as if it were new",
		Breaks: granted, Show: two,
		Edit: page.Edit(`k.enqueue(r); k.voteNext(env)`, `k.Queue = append(k.Queue, r); k.voteNext(env)`),
	},
	{
		Name: "forgets-queue", Title: "a coordinator votes for nobody after a release",
		Breaks: deadlockFree, Show: model.Check{Config: model.Config{N: 1}},
		Edit: page.Edit(`k.Vote = model.Optional[clocks.Stamp]{}`, `k.Vote, k.Queue = model.Optional[clocks.Stamp]{}, nil`),
	},
	{
		Name: "silent-vote", Title: "a coordinator does not notify the process that gets its vote by a yield",
		Breaks: granted, Show: two,
		Edit: page.Edit(`k.enqueue(r); k.voteNext(env); if !k.votedFor(r) {`,
			`k.enqueue(r); k.Vote, k.Queue = model.Some(k.Queue[0]), slices.Delete(k.Queue, 0, 1); if true {`),
	},
	{
		Name: "no-answer", Title: "a coordinator that has voted does not answer a request",
		Breaks: deadlockFree, Show: two,
		Edit: page.Edit(`else { k.enqueue(r) }`, `else { k.enqueue(r); return }`),
	},
	{
		Name: "former-not-told", Title: "a coordinator does not notify the process that loses its vote",
		Breaks: granted, Show: model.Check{Config: model.Config{N: 2}.With(model.Clients.Is(3))},
		Edit: page.Edit(`if !k.votedFor(r) { env.Send(r.ID, Response{k.Vote.Value}) }`, ``),
	},
	{
		Name: "stays-queued", Title: "a coordinator that did not vote for a process leaves it in its queue",
		Breaks: deadlockFree, Show: three,
		Edit: variant.All(func(s *model.System) {
			lead(s, []string{"123", "312", "132"}, []string{"1", "12", "13", "123", "2", "23", "3"}, []string{"1", "13", "3", "32", "23"}, []string{"2", "21", "23", "213", "13"})
		}, page.Edit(`k.Queue = slices.DeleteFunc(k.Queue, func(q clocks.Stamp) bool { return q == r })`, ``)),
	},
	{
		Name: "retry-keeps-time", Title: "option A, and a retry has the time of the try before: a late response counts again",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(2))},
		Edit: variant.All(finiteA, page.Edit(`time := c.Clock.Tick()`, `time := key.(retry).Time`)),
	},
	{
		// The copy must be in flight until the process asks again with the same two bits in its time.
		Name: "votes-by-two-bits", Title: "a response is delivered twice, and a process knows the vote for its request by the last two bits of the time; channels are not FIFO",
		Breaks: exclusion, Show: copied,
		Edit: variant.All(anyOrder, page.Edit(`vote == c.own(env)`, `vote.ID == env.Self() && (vote.Time-c.Request)&3 == 0`)),
	},
	{
		// The copy of a request must be in flight until its process has entered several more times.
		Name: "requests-by-three-bits", Title: "a request is delivered twice, and a coordinator knows a new one by the last three bits of the time; channels are not FIFO",
		Breaks: deadlockFree, Show: copied,
		Edit: variant.All(anyOrder, variant.Nodes(func(k RememberingCoordinator) model.Node { return &shortCoordinator{k} })),
	},
	{
		Name: "half", Title: "as printed, but M is not more than N/2",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 2, Beyond: true}.With(Majority.Is(1))},
	},
	{
		Name: "forgotten-votes", Title: "as printed, and f = 2M − N coordinators forget their votes",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 3, Beyond: true, Faults: model.Faults{Restarts: 1}}},
	},
	{
		Name: "delivered-twice", Title: "as printed, and one message is delivered twice; a cut keeps the runs in which it is a response that was yielded to",
		Breaks: exclusion, Show: variant.Beyond(three.Config, model.Faults{Duplication: 1}),
		Edit: splitVotes,
	},
	{
		Name: "forgotten-queue", Title: "as printed, and one coordinator of three, M = 3, forgets its queue",
		Breaks: deadlockFree, Show: variant.Beyond(model.Config{N: 3}.With(Majority.Is(3)), model.Faults{Restarts: 1}),
	},
}

// The smallest checks of several mutants. In copied, one coordinator and two processes get a message twice. In three,
// three coordinators serve three processes.
var (
	copied = variant.Beyond(model.Config{N: 1}.With(model.Ops.Is(4)), model.Faults{Duplication: 1})
	three  = model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(3))}
)

// splitVotes restricts the runs to those in which three processes get one of three votes each. Then p2 yields its vote
// to p1, and p3 to p2.
func splitVotes(s *model.System) {
	lead(s, []string{"213", "231", "213"}, []string{"2", "23", "213", "123"}, []string{"1", "12", "13", "123"}, []string{"3", "32", "23"})
}

// A shortCoordinator recognizes a new request by the last three bits of its time.
type shortCoordinator struct{ RememberingCoordinator }

func (k *shortCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if r, asks := m.(Request); asks && r.Time <= k.Latest[from] && (r.Time-k.Latest[from])&7 <= 4 {
		m = Request{k.Latest[from] + (r.Time-k.Latest[from])&7}
	}
	k.RememberingCoordinator.Receive(env, from, m)
}
