// Package claims has the claims that papers on distributed coordination ask for again and
// again, each a constructor of a [model.Claim] with its monitor:
//
//   - of locks: [MutualExclusion], [BoundedOvertaking], [HappenedBefore], [CrashSurvived],
//     [RecoverySurvived] (lock.go)
//   - of consensus: [Agreement], [UniformAgreement], [Validity], [DecidesOnce],
//     [EventualAgreement] (consensus.go)
//   - of elections: [OneLeaderATerm] (leader.go)
//   - of multicast, in a [Group] that nodes may join and leave (group.go): that messages come
//     ([Group.Validity], [Group.Agreement], [Group.UniformAgreement]), that no others do
//     ([Group.Integrity]), and in which order ([Group.FIFOOrder], [Group.CausalOrder],
//     [Group.TotalOrder], [Group.UniformTotalOrder])
//   - made of others: that one claim implies another, at every moment or in the end ([Implies],
//     [ImpliesInTheEnd]), and two at once ([Both]) (implies.go)
//   - of groups that agree on their membership, in [Views] (view.go): [Views.VirtualSynchrony],
//     [Views.ViewAgreement], [Views.ViewOrder], [Views.SelfInclusion], [Views.SendingView],
//     [Views.NothingFromBefore]
//
// A monitor sees invocations, returns, releases, notes, deliveries and crashes. Where a
// protocol's own types say what was decided or delivered, the constructor takes a function
// that reads them. What monitors remember is part of a search's states: they keep as little as
// they can, name nodes only by their ids, so that symmetry applies, and forget what cannot
// matter any more.
//
// The kind of a claim whose monitor is a goal ([EventualAgreement], [Group.Validity],
// [Group.Agreement], [Group.UniformAgreement]) is [model.Eventually]; the same claim with
// kind [model.PossibleFromEverywhere] says that the goal can always be reached still. A
// protocol adds what it assumes and where its paper makes the claim: see [From].
package claims

import (
	"maps"
	"slices"

	"contend/model"
)

// From returns a claim with its source, its proof and what else it assumes.
func From(c model.Claim, source, proof string, assumes ...model.Assumption) model.Claim {
	c.Source, c.Proof = source, proof
	c.Assumes = append(append([]model.Assumption(nil), c.Assumes...), assumes...)
	return c
}

// sorted returns the ids that a map has, in order.
func sorted[V any](m map[model.NodeID]V) []model.NodeID {
	return slices.Sorted(maps.Keys(m))
}
