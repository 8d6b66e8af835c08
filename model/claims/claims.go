// Package claims has the claims that papers on distributed coordination make again and again. Each
// is a constructor of a [model.Claim] with its monitor. docs/claims.md lists them: what each says,
// what it needs, and when to use it.
//
//   - lock.go: critical sections
//   - consensus.go, leader.go: decisions and elections
//   - group.go, multicast.go, order.go: multicast in a [Group] that nodes may join and leave
//   - view.go: groups that agree on their membership, in [Views]
//   - implies.go, vacuous.go: claims made of other claims
//   - refines.go: another protocol, whose runs show the same
//
// A monitor sees invocations, returns, releases, notes, deliveries and crashes. Where a protocol's
// own types say what was decided or delivered, the constructor takes a function that reads them.
// What monitors remember is part of the states of a search. They keep as little as they can, name
// nodes only by their ids, so that symmetry applies, and forget what cannot matter any more.
//
// A claim whose monitor is a goal ([EventualAgreement], [Group.Validity], [Group.Agreement],
// [Group.UniformAgreement]) is of kind [model.Eventually]. With kind
// [model.PossibleFromEverywhere] it says that the goal can always still be reached. A protocol adds
// its source and its assumptions with [From].
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
