package checker

import (
	"hash/fnv"

	"contend/checker/edges"
	"contend/model"
	"contend/model/world"
)

// shown tells the fuzzer of the states that the nodes of a run come to: each takes a branch of its own the first time,
// so that an input that leads to a new one is kept, and mutated further.
type shown struct {
	taken map[int]bool
	last  map[model.NodeID]uint64 // hashes of states
}

func newShown() *shown { return &shown{map[int]bool{}, map[model.NodeID]uint64{}} }

// step shows the node that took a step.
func (s *shown) step(w *world.World, r world.Record) {
	if r.Node < 0 {
		return // the network
	}
	h := fnv.New64a()
	h.Write([]byte{byte(r.Node)})
	h.Write(w.Node(r.Node))
	x := h.Sum64()
	if s.last[r.Node] == x {
		return
	}
	s.last[r.Node] = x
	x ^= x >> 32
	if branch := int((x ^ x>>16) % edges.Count); !s.taken[branch] {
		s.taken[branch] = true
		edges.Take(branch)
	}
}
