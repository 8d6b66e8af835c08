package pbft

import (
	"maps"
	"slices"

	"contend/model"
)

// mutants are bugs, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		Name: "two-liars", Title: "one fault beyond: two of four replicas are Byzantine",
		Breaks: safe, Show: model.Check{Config: model.Config{N: 4, B: 2, Beyond: true}.With(Views.Is(1))},
	},
	{
		Name: "no-certificates", Title: "PBFT without its certificates: a replica believes what a view-change message says is prepared",
		Breaks: kept, Show: model.Check{Config: sized(2, 1, 0)}, Edit: midway(noCertificates{}, nearly),
	},
	{
		Name: "ignores-certificates", Title: "a new view begins with nothing, whatever was prepared",
		Breaks: kept, Show: model.Check{Config: sized(2, 1, 0)}, Edit: midway(ignoresCertificates{}, nearly),
	},
	{
		Name: "any-certificate", Title: "published (pbft.tla, GetDigest): a new view takes any certificate of a sequence number, not that of the highest view",
		Breaks: kept, Show: model.Check{Config: sized(3, 1, 0)}, Edit: midway(anyCertificate{}, map[model.NodeID]Replica{
			1: prepared(1, []model.NodeID{1, 2}, 2),
			2: prepared(1, []model.NodeID{2}, 2),
			3: {Proofs: map[int]Certificate{1: {PrePrepare{0, 1, 1}, 2}}},
		}),
	},
	{
		Name: "forgets-certificates", Title: "a view-change message proves only what was prepared in the replica's last view",
		Breaks: kept, Show: model.Check{Config: sized(3, 1, 0)}, Edit: midway(forgetsCertificates{}, map[model.NodeID]Replica{
			1: again, 2: again, 3: prepared(0, []model.NodeID{2, 3}, 1),
		}),
	},
	{
		Name: "primary-prepares", Title: "published (pbft.tla, Prepared): prepares of the primary count",
		Breaks: unique, Show: model.Check{Config: sized(1, 1, 0)}, Edit: define(primaryPrepares{}),
	},
	{
		Name: "accepts-two", Title: "a backup accepts two pre-prepares for one view and sequence number",
		Breaks: unique, Show: model.Check{Config: sized(1, 1, 0)}, Edit: define(acceptsTwo{}),
	},
	{
		Name: "few-prepares", Title: "prepared needs 2f-1 prepares",
		Breaks: unique, Show: model.Check{Config: sized(1, 1, 0)}, Edit: define(fewPrepares{}),
	},
	{
		Name: "few-commits", Title: "committed-local needs 2f commits",
		Breaks: committed, Show: model.Check{Config: sized(1, 1, 0)}, Edit: define(fewCommits{}),
	},
	{
		Name: "no-commits", Title: "a request is executed when it is prepared: two phases",
		Breaks: committed, Show: model.Check{Config: sized(1, 1, 0)}, Edit: define(noCommits{}),
	},
	{
		Name: "votes-on", Title: "a replica that has asked for a view goes on accepting messages of its own",
		Breaks: kept, Show: model.Check{Config: sized(2, 1, 0).With(Requests.Is(1))}, Edit: define(votesOn{}),
	},
	{
		Name: "goes-back", Title: "a replica enters a view below one that it has asked for",
		Breaks: kept, Show: model.Check{Config: sized(3, 1, 0).With(Requests.Is(1))}, Edit: midway(goesBack{}, split),
	},
	{
		Name: "joins-one", Title: "a replica joins a view change that one other replica requests",
		Breaks: unforced, Show: model.Check{Config: sized(2, 1, 0).With(Requests.Is(1))}, Edit: define(joinsOne{}),
	},
	{
		Name: "above-mark", Title: "a backup accepts a sequence number above the high water mark",
		Breaks: marked, Show: model.Check{Config: sized(1, 1, 0)}, Edit: define(aboveMark{}),
	},
	{
		Name: "new-view-unchecked", Title: "a backup does not verify the set O of a new-view message",
		Breaks: kept, Show: model.Check{Config: sized(2, 1, 1)}, Edit: midway(unchecked{}, early),
	},
	{
		Name: "small-new-view", Title: "a backup accepts a new-view message with 2f view-change messages",
		Breaks: kept, Show: model.Check{Config: sized(2, 1, 1)}, Edit: midway(smallNewView{}, early),
	},
	{
		Name: "no-null-requests", Title: "a new view does not fill the gaps between sequence numbers",
		Breaks: live, Show: model.Check{Config: sized(2, 2, 0)}, Edit: func(s *model.System) {
			midway(noNull{}, gap)(s)
			expired(s, 3)
		},
	},
	{
		Name: "left-behind", Title: "reading (pbft.tla): a replica asks for a view only when its timer expires; of three the primary is left behind",
		Breaks: live, Show: model.Check{Config: sized(2, 1, 3).With(Requests.Is(1))}, Edit: func(s *model.System) {
			midway(noJoining{}, map[model.NodeID]Replica{0: {Slots: map[int]Slot{1: {Digest: 1}}}})(s)
			expired(s, 1, 2)
		},
	},
	{
		Name: "out-of-order", Title: "a request is executed when it is committed locally, before those with lower sequence numbers",
		Breaks: ordered, Show: model.Check{Config: sized(1, 2, 0)}, Edit: midway(outOfOrder{}, both(1, 2)),
	},
	{
		Name: "executes-again", Title: "a request that a faulty primary gives two sequence numbers is executed twice",
		Breaks: replies, Show: model.Check{Config: sized(1, 2, 0)}, Edit: midway(executesAgain{}, both(1, 1)),
	},
}

// midway returns an edit that gives replicas these definitions and initial states.
func midway(spec Definitions, as map[model.NodeID]Replica) func(*model.System) {
	return func(s *model.System) {
		define(spec)(s)
		begins(as)(s)
	}
}

// early is a state like [nearly], but r1 is faulty. Replicas r0 and r2 have prepared request 1, and r0 lacks one
// commit.
var early = map[model.NodeID]Replica{
	0: prepared(0, []model.NodeID{0, 2}, 1),
	2: prepared(0, []model.NodeID{2}, 1),
}

// again is a replica that begins view 1 with the request that was prepared in view 0.
var again = Replica{
	View: 1, Asked: 1,
	Slots: map[int]Slot{1: {Digest: 1}}, Proofs: map[int]Certificate{1: {PrePrepare{0, 1, 1}, 2}},
}

// both returns a state in which r1 and r2 have prepared two requests. They lack one commit of each.
func both(digests ...Digest) map[model.NodeID]Replica {
	return map[model.NodeID]Replica{
		1: prepared(0, []model.NodeID{1, 2}, digests...),
		2: prepared(0, []model.NodeID{1, 2}, digests...),
	}
}

type noCertificates struct{ Spec }

// Valid returns true.
func (noCertificates) Valid(*Config, ViewChange) bool { return true }

type ignoresCertificates struct{ Spec }

// O returns no pre-prepares.
func (ignoresCertificates) O(int, map[model.NodeID]ViewChange) []PrePrepare { return nil }

// Correct requires the O of this variant.
func (ignoresCertificates) Correct(m NewView) bool { return len(m.O) == 0 }

type anyCertificate struct{ Spec }

// O uses the certificate of the lowest view.
func (anyCertificate) O(view int, v map[model.NodeID]ViewChange) []PrePrepare {
	return fill(view, v, func(all []Certificate) Digest {
		return slices.MinFunc(all, func(a, b Certificate) int { return a.View - b.View }).Digest
	})
}

// Correct requires the O of this variant.
func (a anyCertificate) Correct(m NewView) bool { return slices.Equal(m.O, a.O(m.View, m.V)) }

type forgetsCertificates struct{ Spec }

// P omits certificates of earlier views.
func (forgetsCertificates) P(r *Replica) []Certificate {
	return slices.DeleteFunc(Spec{}.P(r), func(c Certificate) bool { return c.View < r.View })
}

type primaryPrepares struct{ Spec }

// Prepares returns true for any replica.
func (primaryPrepares) Prepares(*Config, model.NodeID, int) bool { return true }

type acceptsTwo struct{ Spec }

// MayAccept allows another digest.
func (acceptsTwo) MayAccept(r *Replica, m PrePrepare) bool {
	s, is := r.Slots[m.N]
	return m.N <= r.cfg.Numbers && (!is || s.Digest != m.Digest)
}

type fewPrepares struct{ Spec }

// EnoughPrepares accepts one prepare less.
func (fewPrepares) EnoughPrepares(cfg *Config, prepares int) bool { return prepares >= 2*cfg.F-1 }

type fewCommits struct{ Spec }

// EnoughCommits accepts one commit less.
func (fewCommits) EnoughCommits(cfg *Config, commits int) bool { return commits >= 2*cfg.F }

type noCommits struct{ Spec }

// EnoughCommits requires no commit.
func (noCommits) EnoughCommits(*Config, int) bool { return true }

type votesOn struct{ Spec }

// Heeds compares with the current view, not with the requested view.
func (votesOn) Heeds(r *Replica, view int) bool { return view >= r.View }

type goesBack struct{ Spec }

// MayEnter compares with the current view, not with the requested view.
func (goesBack) MayEnter(r *Replica, view int) bool { return view > r.View }

type joinsOne struct{ Spec }

// Joins accepts one request less.
func (joinsOne) Joins(cfg *Config, others int) bool { return others >= cfg.F }

type aboveMark struct{ Spec }

// MayAccept ignores the mark.
func (aboveMark) MayAccept(r *Replica, m PrePrepare) bool {
	_, is := r.Slots[m.N]
	return !is
}

type unchecked struct{ Spec }

// Correct returns true.
func (unchecked) Correct(NewView) bool { return true }

type smallNewView struct{ Spec }

// Enough accepts one message less.
func (smallNewView) Enough(cfg *Config, messages int) bool { return messages >= 2*cfg.F }

type noNull struct{ Spec }

// O omits the null requests.
func (noNull) O(view int, v map[model.NodeID]ViewChange) []PrePrepare {
	return slices.DeleteFunc(Spec{}.O(view, v), func(m PrePrepare) bool { return m.Digest == Null })
}

// Correct requires the O of this variant.
func (s noNull) Correct(m NewView) bool { return slices.Equal(m.O, s.O(m.View, m.V)) }

type outOfOrder struct{ Spec }

// Executes returns the lowest committed sequence number.
func (outOfOrder) Executes(r *Replica) int {
	for _, n := range slices.Sorted(maps.Keys(r.Committed)) {
		if !slices.Contains(r.Executed, r.Committed[n]) {
			return n
		}
	}
	return 0
}

type executesAgain struct{ Spec }

// Fresh returns true.
func (executesAgain) Fresh(*Replica, Digest) bool { return true }
