package gofuzz

import (
	"hash/fnv"

	"contend/model"
	"contend/model/world"
)

// States shows the fuzzer the states of a run's nodes. Each state takes a branch when it first occurs, so
// that the fuzzer keeps inputs with new states.
type States struct {
	shown map[int]bool
	last  map[model.NodeID]uint64 // hashes of states
}

// NewStates returns the States of a new run.
func NewStates() *States { return &States{map[int]bool{}, map[model.NodeID]uint64{}} }

// State returns a hash of the state of the node that took a step in a world. It returns false if no node took
// it.
func State(w *world.World, r world.Record) (state uint64, ok bool) {
	if r.Node < 0 {
		return 0, false
	}
	h := fnv.New64a()
	h.Write([]byte{byte(r.Node)})
	h.Write(w.Node(r.Node))
	return h.Sum64(), true
}

// Step takes the branch of the state after a step in a world.
func (s *States) Step(w *world.World, r world.Record) {
	x, ok := State(w, r)
	if !ok || s.last[r.Node] == x {
		return
	}
	s.last[r.Node] = x
	x ^= x >> 32
	if branch := int((x ^ x>>16) % branches); !s.shown[branch] {
		s.shown[branch] = true
		takeBranch(branch)
	}
}
