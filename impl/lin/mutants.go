package lin

import (
	"maps"
	"slices"

	"contend/impl/clocks"
	"contend/model"
)

var variants = slices.Concat(options, mutants)

// mutants are bugs, each with the claim that it must break; those without an edit are the
// protocol as printed, one step beyond what the lecture says that it stands.
var mutants = []model.Variant{
	{
		Name: "vote-without-time", Title: "a vote names the process and not its request, so a late response counts again",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(2)), Claims: []string{exclusion}},
		Edit: tune(func(c *Config) { c.Mine = func(vote, own clocks.Stamp) bool { return vote.ID == own.ID } }),
	},
	{
		Name: "keeps-yielded", Title: "a process counts votes that it has yielded",
		Breaks: exclusion, Show: three(exclusion),
		Edit: func(s *model.System) {
			s.Setup.(*Config).Nobody = func(c *Client, env model.Env) {
				votes := maps.Clone(c.Votes)
				c.Yield(env)
				c.Votes = votes
			}
			splitVotes(s)
		},
	},
	{
		Name: "votes-again", Title: "a coordinator votes for every request",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 1}},
		Edit: coordinators(func(k Coordinator) model.Node { return &fickleCoordinator{k} }),
	},
	{
		// It takes three processes, and a release that reaches a coordinator which votes for
		// another between two entries: few schedules have it.
		Name: "releases-any", Title: "a release frees the coordinator's vote, whoever holds it",
		Breaks: exclusion, Show: three(exclusion),
		Edit: func(s *model.System) {
			lead(s, []string{"312", "312", "312"}, []string{"1", "12", "13", "123", "2", "23"}, []string{"1", "13", "3"}, []string{"2", "21", "23", "213", "3"})
			ledAs(s, func(k Coordinator, through []string) model.Node { return &carelessCoordinator{k, through} })
		},
	},
	{
		// Two processes yield to each other for ever only if nothing ever comes between them:
		// a schedule picked at random ends sooner or later.
		Name: "no-tie-break", Title: "of two requests with the same time neither is older: yields exchange votes for ever",
		Breaks: granted, Show: two,
		Edit: tune(func(c *Config) { c.Before = func(a, b clocks.Stamp) bool { return a.Time < b.Time } }),
	},
	{
		Name: "yields-to-the-back", Title: "a yielded request goes to the end of the queue, as if it were new",
		Breaks: granted, Show: two,
		Edit: coordinators(func(k Coordinator) model.Node { return &demotingCoordinator{k} }),
	},
	{
		Name: "forgets-queue", Title: "a coordinator votes for nobody after a release",
		Breaks: deadlockFree, Show: model.Check{Config: model.Config{N: 1}},
		Edit: coordinators(func(k Coordinator) model.Node { return &forgetfulCoordinator{k} }),
	},
	{
		Name: "silent-vote", Title: "a coordinator does not notify the process that gets its vote by a yield",
		Breaks: granted, Show: two,
		Edit: coordinators(func(k Coordinator) model.Node { return &silentCoordinator{k} }),
	},
	{
		Name: "no-answer", Title: "a coordinator that has voted does not answer a request",
		Breaks: deadlockFree, Show: two,
		Edit: coordinators(func(k Coordinator) model.Node { return &coldCoordinator{k} }),
	},
	{
		Name: "former-not-told", Title: "a coordinator does not notify the process that loses its vote",
		Breaks: granted, Show: model.Check{Config: model.Config{N: 2}.With(model.Clients.Is(3))},
		Edit: coordinators(func(k Coordinator) model.Node { return &secretiveCoordinator{k} }),
	},
	{
		Name: "stays-queued", Title: "a coordinator that did not vote for a process leaves it in its queue",
		Breaks: deadlockFree, Show: three(deadlockFree),
		Edit: func(s *model.System) {
			lead(s, []string{"123", "312", "132"}, []string{"1", "12", "13", "123", "2", "23", "3"}, []string{"1", "13", "3", "32", "23"}, []string{"2", "21", "23", "213", "13"})
			ledAs(s, func(k Coordinator, through []string) model.Node { return &hoardingCoordinator{k, through} })
		},
	},
	{
		Name: "retry-keeps-time", Title: "option A, and a retry has the time of the try before: a late response counts again",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(2))},
		Edit: func(s *model.System) {
			finiteA(s)
			s.Setup.(*Config).Retried = func(_, time clocks.Lamport) clocks.Lamport { return time }
		},
	},
	{
		// The copy has to be on its way until the process asks again with a time that has the same two bits.
		Name: "votes-by-two-bits", Title: "a response is delivered twice, and a process knows the vote for its request by the last two bits of the time; channels are not FIFO",
		Breaks: exclusion, Show: copied(exclusion),
		Edit: func(s *model.System) {
			anyOrder(s)
			tune(func(c *Config) {
				c.Mine = func(vote, own clocks.Stamp) bool { return vote.ID == own.ID && (vote.Time-own.Time)&3 == 0 }
			})(s)
		},
	},
	{
		// The copy of a request has to be on its way until its process has entered several times more.
		Name: "requests-by-three-bits", Title: "a request is delivered twice, and a coordinator knows a new one by the last three bits of the time; channels are not FIFO",
		Breaks: deadlockFree, Show: copied(deadlockFree),
		Edit: func(s *model.System) {
			anyOrder(s)
			coordinators(func(k Coordinator) model.Node { return &shortCoordinator{k, map[model.NodeID]clocks.Lamport{}} })(s)
		},
	},
	{
		Name: "half", Title: "as printed, but M is not more than N/2",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 2, Beyond: true}.With(Majority.Is(1))},
	},
	{
		Name: "forgotten-votes", Title: "as printed, and f = 2M − N coordinators forget their votes",
		Breaks: exclusion, Show: model.Check{Config: model.Config{N: 3, Beyond: true, Faults: model.Faults{Restarts: 1}}, Claims: []string{exclusion}},
	},
	{
		Name: "delivered-twice", Title: "as printed, and one message is delivered twice; a cut keeps the runs in which it is a response that was yielded to",
		Breaks: exclusion, Show: model.Check{
			Config: model.Config{N: 3, Faults: model.Faults{Duplication: 1}}.With(model.Clients.Is(3)), Claims: []string{exclusion}, AssumeAnyway: true,
		},
		Edit: splitVotes,
	},
	{
		Name: "forgotten-queue", Title: "as printed, and one coordinator of three, M = 3, forgets its queue",
		Breaks: deadlockFree, Show: model.Check{
			Config: model.Config{N: 3, Faults: model.Faults{Restarts: 1}}.With(Majority.Is(3)), Claims: []string{deadlockFree}, AssumeAnyway: true,
		},
	},
}

// copied is one coordinator and two processes, and a message that is delivered twice.
func copied(claim string) model.Check {
	return model.Check{
		Config: model.Config{N: 1, Faults: model.Faults{Duplication: 1}}.With(model.Ops.Is(4)), Claims: []string{claim}, AssumeAnyway: true,
	}
}

// three is three coordinators and three processes.
func three(claim string) model.Check {
	return model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(3)), Claims: []string{claim}}
}

// ledAs replaces the coordinators of a system that is led.
func ledAs(s *model.System, f func(Coordinator, []string) model.Node) {
	for k := range s.Config.N {
		is := s.Nodes[k].New().(*ledCoordinator)
		s.Nodes[k].New = func() model.Node { return f(is.Coordinator, is.through) }
	}
}

// splitVotes leads three processes to where each has one vote of three: p2 yields its to p1, p3
// its to p2.
func splitVotes(s *model.System) {
	lead(s, []string{"213", "231", "213"}, []string{"2", "23", "213", "123"}, []string{"1", "12", "13", "123"}, []string{"3", "32", "23"})
}

type fickleCoordinator struct{ Coordinator }

func (k *fickleCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(Request); asks {
		k.Vote = model.Optional[clocks.Stamp]{}
	}
	k.Coordinator.Receive(env, from, m)
}

type carelessCoordinator struct {
	Coordinator
	through []string
}

func (k *carelessCoordinator) astray() bool { return k.strays(k.through) }

func (k *carelessCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	k.Coordinator.Receive(env, from, m)
	if _, leaves := m.(Release); leaves && k.Vote.Known && k.Vote.Value.ID != from {
		k.release(env, k.Vote.Value)
	}
}

type demotingCoordinator struct{ Coordinator }

func (k *demotingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if y, yields := m.(Yield); yields && len(k.Queue) > 0 {
		k.Queue = append(k.Queue, y.Time.At(from))
		k.voteNext(env)
		env.Send(from, Response{k.Vote.Value})
		return
	}
	k.Coordinator.Receive(env, from, m)
}

type forgetfulCoordinator struct{ Coordinator }

func (k *forgetfulCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if r, leaves := m.(Release); leaves && k.votedFor(r.Time.At(from)) {
		k.Queue = nil
	}
	k.Coordinator.Receive(env, from, m)
}

type silentCoordinator struct{ Coordinator }

func (k *silentCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if y, yields := m.(Yield); yields {
		k.enqueue(y.Time.At(from))
		k.Vote, k.Queue = model.Some(k.Queue[0]), slices.Delete(k.Queue, 0, 1)
		env.Send(from, Response{k.Vote.Value})
		return
	}
	k.Coordinator.Receive(env, from, m)
}

type coldCoordinator struct{ Coordinator }

func (k *coldCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if r, asks := m.(Request); asks && k.Vote.Known {
		k.enqueue(r.Time.At(from))
		return
	}
	k.Coordinator.Receive(env, from, m)
}

type secretiveCoordinator struct{ Coordinator }

func (k *secretiveCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if y, yields := m.(Yield); yields {
		k.enqueue(y.Time.At(from))
		k.voteNext(env)
		return
	}
	k.Coordinator.Receive(env, from, m)
}

type hoardingCoordinator struct {
	Coordinator
	through []string
}

func (k *hoardingCoordinator) astray() bool { return k.strays(k.through) }

func (k *hoardingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if r, leaves := m.(Release); leaves && !k.votedFor(r.Time.At(from)) {
		return
	}
	k.Coordinator.Receive(env, from, m)
}

type shortCoordinator struct {
	Coordinator
	Latest map[model.NodeID]clocks.Lamport // as in a rememberingCoordinator
}

func (k *shortCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if r, asks := m.(Request); asks && r.Time <= k.Latest[from] && (r.Time-k.Latest[from])&7 <= 4 {
		m = Request{k.Latest[from] + (r.Time-k.Latest[from])&7}
	}
	remembering := rememberingCoordinator{k.Coordinator, k.Latest}
	remembering.Receive(env, from, m)
	k.Coordinator = remembering.Coordinator
}
