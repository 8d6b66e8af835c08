package gofuzz

import (
	"hash/fnv"

	"contend/model"
	"contend/model/world"
)

// States tells the fuzzer of the states that the nodes of a run come to: each takes a branch of its own the first time,
// so that an input that leads to a new one is kept, and mutated further.
type States struct {
	taken map[int]bool
	last  map[model.NodeID]uint64 // hashes of states
}

// NewStates begins with a run.
func NewStates() *States { return &States{map[int]bool{}, map[model.NodeID]uint64{}} }

// State names the state of the node that took a step in a world; there is none where the network took it.
func State(w *world.World, r world.Record) (state uint64, is bool) {
	if r.Node < 0 {
		return 0, false
	}
	h := fnv.New64a()
	h.Write([]byte{byte(r.Node)})
	h.Write(w.Node(r.Node))
	return h.Sum64(), true
}

// Step tells of the node that took a step in a world.
func (s *States) Step(w *world.World, r world.Record) {
	x, is := State(w, r)
	if !is || s.last[r.Node] == x {
		return
	}
	s.last[r.Node] = x
	x ^= x >> 32
	if branch := int((x ^ x>>16) % branches); !s.taken[branch] {
		s.taken[branch] = true
		take(branch)
	}
}
