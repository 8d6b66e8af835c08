// Package claims has the common claims of papers on distributed coordination. Each is a constructor of a
// [model.Claim] with its monitor. docs/claims.md lists them with their meanings, requirements and uses.
//
//   - lock.go: critical sections
//   - consensus.go, leader.go: decisions and elections
//   - log.go, matching.go, lognotes.go: servers that replicate a log, in a [ReplicatedLog]
//   - store.go: a [Store] that survives crashes, and replicas
//   - calls.go: operations in time
//   - group.go, multicast.go, order.go: multicast in a [Group] that nodes may join and leave
//   - view.go: groups that agree on their membership, in [Views]
//   - implies.go, vacuous.go: combinations of claims
//   - refines.go: refinement of another protocol
//
// A monitor observes invocations, returns, releases, notes, deliveries and crashes. A constructor takes a
// function if the protocol's own types contain the decided or delivered value. The state of a monitor is part
// of the states of a search. So monitors store little, identify nodes only by id so that symmetry applies, and
// drop what is no longer needed.
//
// A claim whose monitor is a goal ([EventualAgreement], [Converge], [Group.Validity], [Group.Agreement],
// [Group.UniformAgreement]) is of kind [model.Eventually]. With kind [model.PossibleFromEverywhere] it means
// that the goal stays reachable. A protocol adds its source and its assumptions with [From].
package claims

import (
	"cmp"
	"maps"
	"slices"

	"contend/model"
)

// From returns a claim with a source, a proof and further assumptions.
func From(c model.Claim, source, proof string, assumes ...model.Assumption) model.Claim {
	c.Source, c.Proof = source, proof
	c.Assumes = append(append([]model.Assumption(nil), c.Assumes...), assumes...)
	return c
}

// sorted returns the keys of a map, sorted.
func sorted[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
