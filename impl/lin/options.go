package lin

import (
	"contend/impl/clocks"
	"contend/model"
	"contend/model/variant"
)

// options are the lecture's option A, other readings, and harmless edits that look like bugs: see
// docs/proofs/lin.md#readings.
var options = []model.Variant{
	{
		Name: "option-a", Title: "OPTION A: a process that sees nobody get majority releases its votes and retries; --clock cuts the endless runs",
		Edit: optionA, Unclaimed: append([]string{lively}, unordered...), Show: two,
	},
	{
		Name: "option-a-finite", Title: "option-a, but retries keep their time except for one bit: finite without a cut if channels are FIFO",
		Unclaimed: unordered,
		Edit:      variant.All(finiteA, page.Edit(`time := c.Clock.Tick()`, `time := key.(retry).Time ^ 1`)), Show: two,
	},
	{
		Name: "bag", Title: "reading: \"message delivery is reliable\" says nothing about order",
		Edit: variant.Channel(model.Bag), Show: two,
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
		Edit:      page.Edit(`others := map[model.NodeID]int{}`, ``, `default: others[vote.ID]++; theirs = max(theirs, others[vote.ID])`, ``), Joins: true,
	},
	{
		Name: "tells-queue", Title: "correction: a coordinator whose vote has changed tells all in its queue",
		Unclaimed: unordered,
		Edit: page.Edit(`if !k.votedFor(r) { env.Send(r.ID, Response{k.Vote.Value})`, `if !k.votedFor(r) { env.Send(r.ID, Response{k.Vote.Value}); k.tell(env, r.ID)`,
			`if len(k.Queue) > 0 { k.voteNext(env)`, `if len(k.Queue) > 0 { k.voteNext(env); k.tell(env, r.ID)`),
	},
	{
		Name: "by-request", Title: "reading: someone else gets majority with one request, not with two of one process",
		Unclaimed: unordered,
		Edit: page.Edit(`others := map[model.NodeID]int{}`, `others := map[clocks.Stamp]int{}`,
			`others[vote.ID]++; theirs = max(theirs, others[vote.ID])`, `others[vote]++; theirs = max(theirs, others[vote])`), Joins: true,
	},
	{
		Name: "hears-all", Title: "reading: a process analyzes votes, and enters, only when it knows all of them",
		Unclaimed: unordered,
		Edit:      page.Edit(`case mine >= c.cfg.Majority:`, `case mine >= c.cfg.Majority && len(c.Votes) == len(c.cfg.Coordinators):`), Joins: true,
	},
	{
		Name: "hears-majority", Title: "reading: nobody gets majority if M known votes show none",
		Unclaimed: unordered,
		Edit:      page.Edit(`len(c.Votes) < len(c.cfg.Coordinators)`, `len(c.Votes) < c.cfg.Majority`), Joins: true,
	},
	{
		Name: "own-clock", Title: "a process's clock counts only its own requests",
		Unclaimed: unordered,
		Edit:      page.Edit(`c.Clock = c.Clock.Merge(vote.Time)`, ``), Joins: true,
	},
	{
		Name: "larger-first", Title: "of two requests with the same time the one with the larger process ID is older",
		Unclaimed: unordered,
		Edit:      page.Edit(`r.Before(q)`, `r.Time < q.Time || r.Time == q.Time && r.ID > q.ID`),
		Joins:     true,
	},
	{
		Name: "any-yield", Title: "a coordinator assumes that a yield is of its present vote, without a check",
		Unclaimed: unordered,
		Edit:      page.Edit(`k.yield(env, m.Time.At(from))`, `k.yield(env, k.Vote.Value)`),
	},
	{
		Name: "dequeues-process", Title: "a release dequeues all requests of its process",
		Unclaimed: unordered,
		Edit: page.Edit(`k.release(env, m.Time.At(from))`,
			`k.Queue = slices.DeleteFunc(k.Queue, func(q clocks.Stamp) bool { return q.ID == from }); k.release(env, m.Time.At(from))`),
	},
	{
		Name: "stable-storage", Title: "a coordinator keeps its vote and its queue on stable storage",
		Unclaimed: unordered,
		Edit:      variant.Nodes(func(k Coordinator) model.Node { return &storingCoordinator{k} }),
	},
}

// unordered is the claim that options do not make, because the protocol as printed violates it.
var unordered = []string{"happened-before order"}

// two is the smallest check in which votes are split.
var two = model.Check{Config: model.Config{N: 2}}

// optionA gives each retry a new time, like other requests. Times then have no bound, so a cut bounds them.
func optionA(s *model.System) {
	page.Edit(`c.Yield(env)`, `c.Release(env)`)(s)
	s.Setup.(*Config).Period = model.Uniform(1, 6*model.Delay.Of(s.Config))
	most := Clock.Of(s.Config)
	if most == 0 {
		most = model.Clients.Of(s.Config)*model.Ops.Of(s.Config) + 2
	}
	s.Cuts = []model.Cut{{Name: Clock.Name, Beyond: func(n model.Node) bool {
		c, is := n.(interface{ client() *Client })
		return is && int(c.client().Clock) > most
	}}}
}

func (c *Client) client() *Client { return c }

// finiteA distinguishes a retry from the previous try by the lowest bit of its time. One bit is enough. A process
// retries after responses of all coordinators. Channels keep order, so their earlier messages have arrived. So a late
// message belongs at most to the previous try.
func finiteA(s *model.System) {
	optionA(s)
	s.Cuts = nil
	page.Edit(`c.Clock = c.Clock.Tick()`, `c.Clock = c.Clock.Tick().Tick()`, `c.Clock.Merge(vote.Time)`, `max(c.Clock, vote.Time&^1)`)(s)
}

// anyOrder prevents a process from using an older response after a newer response. A coordinator that votes for a
// process does so until the process yields or releases.
var anyOrder = variant.All(
	variant.Channel(model.Bag),
	variant.Nodes(func(k Coordinator) model.Node { return &RememberingCoordinator{k, map[model.NodeID]clocks.Lamport{}} }),
	page.Edit(`vote := m.(Response).Vote`, `if vote, known := c.Votes[from]; known && c.isMine(env, vote) { return }
	vote := m.(Response).Vote`),
)

// tell sends the coordinator's vote to all processes in the queue except one.
func (k *Coordinator) tell(env model.Env, but model.NodeID) {
	for _, r := range k.Queue {
		if r.ID != but {
			env.Send(r.ID, Response{k.Vote.Value})
		}
	}
}

// A RememberingCoordinator stores the progress of each process. So a release may overtake its own request, and a
// request the previous release.
type RememberingCoordinator struct {
	Coordinator
	Latest map[model.NodeID]clocks.Lamport // by process: the time of the last known request
}

// Receive handles each request, yield or release once.
func (k *RememberingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
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

type storingCoordinator struct {
	Coordinator `contend:"stable"`
}
