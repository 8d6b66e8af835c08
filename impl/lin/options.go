package lin

import (
	"slices"

	"contend/impl/clocks"
	"contend/model"
)

// options are the other readings of the lecture, its option A, and edits that look like bugs and
// are none: see docs/proofs/lin.md#readings.
var options = []model.Variant{
	{
		Name: "option-a", Title: "OPTION A: a process that sees nobody get majority releases its votes and retries; --clock cuts the endless runs",
		Edit: optionA, Unclaimed: append([]string{lively}, unordered...), Show: two,
	},
	{
		Name: "option-a-finite", Title: "option-a, but retries keep their time except for one bit: finite without a cut if channels are FIFO",
		Unclaimed: unordered,
		Edit:      finiteA, Show: two,
	},
	{
		Name: "bag", Title: "reading: \"message delivery is reliable\" says nothing about order",
		Edit: func(s *model.System) { s.Network.Channel = model.Bag }, Show: two,
	},
	{
		Name: "any-order", Title: "bag, with what it needs: a coordinator knows how far each process has come, and a process knows which votes it has",
		Unclaimed: unordered,
		Edit:      anyOrder, Show: two,
	},
	{
		Name: "led", Title: "the protocol as printed; a cut keeps the runs of a livelock of four processes",
		Unclaimed: unordered,
		Edit:      livelock, Show: model.Check{Config: model.Config{N: 4}.With(model.Clients.Is(4)), Claims: []string{granted}},
	},
	{
		Name: "slow-releases", Title: "the protocol as printed; a cut keeps runs in which three coordinators vote for three processes, two of which have left",
		Unclaimed: unordered,
		Edit:      slowReleases, Show: model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(3)), Claims: []string{exclusion}},
	},
	{
		Name: "yields-always", Title: "correction: a process without majority yields, even if another seems to get it",
		Unclaimed: unordered,
		Edit:      tune(func(c *Config) { c.Same = func(clocks.Stamp, clocks.Stamp) bool { return false } }), Joins: true,
	},
	{
		Name: "tells-queue", Title: "correction: a coordinator whose vote has changed tells all in its queue",
		Unclaimed: unordered,
		Edit:      coordinators(func(k Coordinator) model.Node { return &tellingCoordinator{k} }),
	},
	{
		Name: "by-request", Title: "reading: someone else gets majority with one request, not with two of one process",
		Unclaimed: unordered,
		Edit:      tune(func(c *Config) { c.Same = func(a, b clocks.Stamp) bool { return a == b } }), Joins: true,
	},
	{
		Name: "hears-all", Title: "reading: a process analyzes votes, and enters, only when it knows all of them",
		Unclaimed: unordered,
		Edit:      tune(func(c *Config) { c.Enough = c.All }), Joins: true,
	},
	{
		Name: "hears-majority", Title: "reading: nobody gets majority if M known votes show none",
		Unclaimed: unordered,
		Edit:      tune(func(c *Config) { c.All = c.Majority }), Joins: true,
	},
	{
		Name: "own-clock", Title: "a process's clock counts only its own requests",
		Unclaimed: unordered,
		Edit:      tune(func(c *Config) { c.Merge = func(clock, _ clocks.Lamport) clocks.Lamport { return clock } }), Joins: true,
	},
	{
		Name: "larger-first", Title: "of two requests with the same time the one with the larger process ID is older",
		Unclaimed: unordered,
		Edit: tune(func(c *Config) {
			c.Before = func(a, b clocks.Stamp) bool { return a.Time < b.Time || a.Time == b.Time && a.ID > b.ID }
		}),
		Joins: true,
	},
	{
		Name: "any-yield", Title: "a coordinator assumes that a yield is of its present vote, without a check",
		Unclaimed: unordered,
		Edit:      coordinators(func(k Coordinator) model.Node { return &trustingCoordinator{k} }),
	},
	{
		Name: "dequeues-process", Title: "a release dequeues all requests of its process",
		Unclaimed: unordered,
		Edit:      coordinators(func(k Coordinator) model.Node { return &sweepingCoordinator{k} }),
	},
	{
		Name: "stable-storage", Title: "a coordinator keeps its vote and its queue on stable storage",
		Unclaimed: unordered,
		Edit:      coordinators(func(k Coordinator) model.Node { return &storingCoordinator{k} }),
	},
}

// unordered is what options do not claim, since the protocol as printed does not keep it.
var unordered = []string{"happened-before order"}

// two is the smallest check in which votes are split.
var two = model.Check{Config: model.Config{N: 2}}

func tune(f func(*Config)) func(*model.System) {
	return func(s *model.System) { f(s.Setup.(*Config)) }
}

func coordinators(f func(Coordinator) model.Node) func(*model.System) {
	return replace(model.Server, func(c *Config) model.Node { return f(Coordinator{cfg: c}) })
}

func clients(f func(Client) model.Node) func(*model.System) {
	return replace(model.Client, func(c *Config) model.Node { return f(Client{cfg: c}) })
}

func replace(role model.Role, f func(*Config) model.Node) func(*model.System) {
	return func(s *model.System) {
		for _, id := range s.IDs(func(n model.NodeSpec) bool { return n.Role == role }) {
			s.Nodes[id].New = func() model.Node { return f(s.Setup.(*Config)) }
		}
	}
}

// optionA gives each retry a new time, like other requests. Times then have no bound, so a
// cut bounds them.
func optionA(s *model.System) {
	c := s.Setup.(*Config)
	c.Nobody, c.Period = (*Client).Release, model.Uniform(1, 6*model.Delay.Of(s.Config))
	c.Retried = func(clock, _ clocks.Lamport) clocks.Lamport { return clock + 1 }
	most := Clock.Of(s.Config)
	if most == 0 {
		most = model.Clients.Of(s.Config)*model.Ops.Of(s.Config) + 2
	}
	s.Cuts = []model.Cut{{Name: Clock.Name, Beyond: func(n model.Node) bool { c, is := n.(*Client); return is && int(c.Clock) > most }}}
}

// finiteA tells a retry from the one before by the lowest bit of its time. One bit will do: a
// process retries when it has heard of all coordinators, and what they sent before that has then
// arrived, as channels keep order. So what arrives late is from one try before at most.
func finiteA(s *model.System) {
	optionA(s)
	c := s.Setup.(*Config)
	c.Tick, s.Cuts = 2, nil
	c.Merge = func(clock, time clocks.Lamport) clocks.Lamport { return max(clock, time&^1) }
	c.Retried = func(_, time clocks.Lamport) clocks.Lamport { return time ^ 1 }
}

func anyOrder(s *model.System) {
	s.Network.Channel = model.Bag
	coordinators(func(k Coordinator) model.Node { return &rememberingCoordinator{k, map[model.NodeID]clocks.Lamport{}} })(s)
	clients(func(c Client) model.Node { return &steadyClient{c} })(s)
}

// A rememberingCoordinator knows how far each process has come: a release may overtake its own
// request, and a request the release before.
type rememberingCoordinator struct {
	Coordinator
	Latest map[model.NodeID]clocks.Lamport // the time of the last request that it knows of
}

func (k *rememberingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Request:
		if m.Time <= k.Latest[from] {
			return // it was released before it came
		}
		k.release(env, k.Latest[from].At(from))
		k.Latest[from] = m.Time
	case Release:
		k.Latest[from] = max(k.Latest[from], m.Time)
	}
	k.Coordinator.Receive(env, from, m)
}

// A steadyClient does not confuse an older response with a newer one: a coordinator that votes for
// it goes on to do so until it yields or releases.
type steadyClient struct{ Client }

func (c *steadyClient) Receive(env model.Env, from model.NodeID, m any) {
	if vote, known := c.Votes[from]; known && c.cfg.Mine(vote, c.own(env)) {
		return
	}
	c.Client.Receive(env, from, m)
}

type tellingCoordinator struct{ Coordinator }

func (k *tellingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	before := k.Vote
	k.Coordinator.Receive(env, from, m)
	if _, asks := m.(Request); asks || k.Vote == before {
		return
	}
	for _, r := range k.Queue {
		if r.ID != from { // who is told as the former
			env.Send(r.ID, Response{k.Vote.Value})
		}
	}
}

type trustingCoordinator struct{ Coordinator }

func (k *trustingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if _, yields := m.(Yield); yields && k.Vote.Known {
		k.Coordinator.Receive(env, k.Vote.Value.ID, Yield{k.Vote.Value.Time})
		return
	}
	k.Coordinator.Receive(env, from, m)
}

type sweepingCoordinator struct{ Coordinator }

func (k *sweepingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	if _, leaves := m.(Release); leaves {
		k.Queue = slices.DeleteFunc(k.Queue, func(r clocks.Stamp) bool { return r.ID == from })
	}
	k.Coordinator.Receive(env, from, m)
}

type storingCoordinator struct {
	Coordinator `contend:"stable"`
}
