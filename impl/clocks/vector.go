package clocks

import (
	"maps"

	"contend/model"
)

// A Vector is a vector clock (Fidge, Mattern 1988): of each process how many of its events, of
// those that the protocol counts, are in the past. No entry is 0: what is not there is.
type Vector map[model.NodeID]int

// Tick is the vector with one event more of a process.
func (v Vector) Tick(of model.NodeID) Vector {
	next := maps.Clone(v)
	if next == nil {
		next = Vector{}
	}
	next[of]++
	return next
}

// Merge is the vector whose entries are the larger ones of two.
func (v Vector) Merge(told Vector) Vector {
	next := maps.Clone(v)
	if next == nil {
		next = Vector{}
	}
	for id, n := range told {
		next[id] = max(next[id], n)
	}
	return next
}

// AtMost reports whether no entry is larger than that of another vector.
func (v Vector) AtMost(other Vector) bool {
	for id, n := range v {
		if n > other[id] {
			return false
		}
	}
	return true
}

// Before reports whether a vector is at most another and not equal: what has it happened
// before what has the other.
func (v Vector) Before(other Vector) bool { return v.AtMost(other) && !other.AtMost(v) }

// Concurrent reports whether of two vectors neither is at most the other.
func (v Vector) Concurrent(other Vector) bool { return !v.AtMost(other) && !other.AtMost(v) }
