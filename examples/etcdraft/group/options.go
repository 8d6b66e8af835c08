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
		Edit: func(s *model.System) {
			set(func(o *member.Options) { o.Async = true })(s)
			setup(s).Handle = (*member.Peer).HandleAsync
		}, Show: small,
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
		Name: "torn", Title: "power may fail between two writes of a Ready: snapshot, entries, hard state", Joins: true,
		Edit: handle(member.Torn(member.Snapshot, member.Entries, member.HardState)), Show: small,
	},
}

var (
	// small tries an option.
	small = model.Check{Config: model.Config{N: 2}}
	// changed tries one that is about changes of the configuration.
	removed = model.Check{Config: model.Config{N: 2}.With(Changes.Is(1), Proposals.Is(0))}
	changed = model.Check{Config: model.Config{N: 2}.With(Voters.Is(1), Changes.Is(1), Proposals.Is(0))}
)

func setup(s *model.System) *member.Config { return s.Setup.(*member.Config) }

// set sets options of the library.
func set(edit func(*member.Options)) func(*model.System) {
	return func(s *model.System) { edit(&setup(s).Options) }
}
