package group

import (
	"slices"

	"contend/examples/etcdraft/member"
	"contend/model"
)

var variants = slices.Concat(options, mutants)

// options are the library's own, other workloads, and how storage is written.
var options = []model.Variant{
	{Name: "prevote", Title: "PreVote", Joins: true, Edit: set(func(o *member.Options) { o.PreVote = true }), Show: small},
	{Name: "checkquorum", Title: "CheckQuorum", Joins: true, Edit: set(func(o *member.Options) { o.CheckQuorum = true }), Show: small},
	{Name: "no-forwarding", Title: "DisableProposalForwarding", Joins: true, Edit: set(func(o *member.Options) { o.NoForwarding = true }), Show: small},
	{Name: "step-down", Title: "StepDownOnRemoval", Joins: true, Edit: set(func(o *member.Options) { o.StepDown = true }), Show: small},
	{
		Name: "async", Title: "AsyncStorageWrites: threads that write and apply, when they come round to it", Joins: true,
		Edit: async, Unclaimed: []string{commits}, Show: small,
	},
	{
		Name: "async-single", Title: "as async, of a single peer",
		Edit: func(s *model.System) {
			if voters(s.Config) != 1 {
				model.Misused("it is for a single voter")
			}
			async(s)
		}, Unclaimed: []string{commits}, Show: model.Check{Config: model.Config{N: 1}},
	},
	{Name: "abstract", Title: "states of a peer are told apart by what of it can matter still", Joins: true, Edit: func(s *model.System) { setup(s).Abstract = true }, Show: small},
	{Name: "fifo", Title: "channels are FIFO", Joins: true, Edit: func(s *model.System) { s.Network.Channel = model.FIFO }, Show: small},
	{
		Name: "comes-again", Title: "what arrived before a crash may arrive once more, as where the network delivers at least once", Joins: true,
		Edit: func(s *model.System) { s.Network.Once = false }, Show: small,
	},
	{Name: "learners", Title: "changes make a learner of a peer, and then a voter", Joins: true, Edit: changing(learners), Show: changed},
	{Name: "joint", Title: "the change adds all new peers and removes the first, through a joint configuration that is left by itself", Joins: true, Edit: changing(joint), Show: changed},
	{Name: "explicit", Title: "as joint, and a change of its own leaves the joint configuration", Joins: true, Edit: changing(explicit), Show: changed},
	{Name: "alone", Title: "the change removes all peers but the first, through a joint configuration that is left by itself", Joins: true, Edit: changing(alone), Show: removed},
	{
		Name: "torn", Title: "power may fail between two writes of a Ready: its entries, then its snapshot and hard state at once", Joins: true,
		Edit: handle(member.Torn(member.Entries, member.Together)), Show: small,
	},
	{
		Name: "lease", Title: "ReadOnlyLeaseBased, with CheckQuorum, ElectionTick 2 and HeartbeatTick 1: peers' clocks tick when they like", Joins: true,
		Edit: lease, Show: small,
	},
	{
		Name: "lease-transfer", Title: "as lease, and p1 hands leadership over to p2, then reads",
		Edit: func(s *model.System) {
			lease(s)
			s.Nodes[0].Script = ops(member.Transfer{To: 2}, member.Read{ID: "r1"})
		}, Show: handedOver,
	},
	{
		Name: "lease-alike", Title: "as lease, with --time grid: channels are FIFO, all clocks tick once each unit, p2's election time-out is over after two, p1 reads after three",
		Edit: leaseAlike, Show: handedOver,
	},
	{
		Name: "read-twice", Title: "channels are FIFO; p2 asks for its read twice, with one context; p1 reads too; p3 campaigns and appends",
		Edit: readTwice, Show: readingTwice,
	},
}

// async makes threads write to storage and apply entries. Their pending work is lost in a crash, including a
// commit index: the library does not require that it is durable.
func async(s *model.System) {
	set(func(o *member.Options) { o.Async = true })(s)
	setup(s).Handle = (*member.Peer).HandleAsync
}

// lease rests reads on the leader's lease.
func lease(s *model.System) {
	set(func(o *member.Options) { o.CheckQuorum, o.Lease = true, true })(s)
}

// leaseAlike rests reads on leases and gives the peers clocks that do not drift: a tick takes one
// unit of time, and an election time-out two ticks.
func leaseAlike(s *model.System) {
	lease(s)
	set(func(o *member.Options) { o.Ticking, o.TimingOut = model.Exactly(1), model.Exactly(2) })(s)
	s.Network.Channel = model.FIFO
	s.Nodes[0].Script = []model.Op{{Call: member.Read{ID: "r1"}, After: model.Exactly(3)}}
}

// readTwice sets the shortest workload that breaks the library's bookkeeping of reads.
func readTwice(s *model.System) {
	if s.Config.N != 3 || Led.Of(s.Config) != 1 || Candidates.Of(s.Config) != 2 {
		model.Misused("it is for n = 3, led = 1, candidates = 2")
	}
	s.Network.Channel = model.FIFO
	s.Nodes[0].Script = ops(member.Read{ID: "b"})
	s.Nodes[1].Script = ops(member.ReadAgain{ID: "a"})
	s.Nodes[2].Script = ops(member.Append{Value: "x1"})
	setup(s).Budgets = func(id uint64) member.Budget {
		return member.Budget{Campaigns: map[uint64]int{3: Campaigns.Of(s.Config)}[id]}
	}
}

// handedOver and readingTwice try options that violate a known claim, with a claim that holds.
var handedOver = model.Check{Config: model.Config{N: 3}.With(Led.Is(1), Candidates.Is(1), Campaigns.Is(0), Proposals.Is(0)), Claims: []string{electionSafety}}

var readingTwice = model.Check{Config: model.Config{N: 3}.With(Led.Is(1), Candidates.Is(2), Campaigns.Is(0)), Claims: []string{electionSafety}}

var (
	// small tries an option.
	small = model.Check{Config: model.Config{N: 2}}
	// changed and removed try options about changes of the configuration.
	removed = model.Check{Config: model.Config{N: 2}.With(Changes.Is(1), Proposals.Is(0))}
	changed = model.Check{Config: model.Config{N: 2}.With(Voters.Is(1), Changes.Is(1), Proposals.Is(0))}
)

func setup(s *model.System) *member.Config { return s.Setup.(*member.Config) }

// set sets options of the library.
func set(edit func(*member.Options)) func(*model.System) {
	return func(s *model.System) { edit(&setup(s).Options) }
}
