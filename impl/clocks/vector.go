package clocks

import (
	"maps"

	"contend/model"
)

// A Vector is a vector clock (Fidge, Mattern 1988). For each process it has the number of counted events in the past.
// Zero entries are missing.
type Vector map[model.NodeID]int

// Tick returns the vector after one more event of a process.
func (v Vector) Tick(of model.NodeID) Vector {
	next := maps.Clone(v)
	if next == nil {
		next = Vector{}
	}
	next[of]++
	return next
}

// Merge returns the vector of the larger entries of two vectors.
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

// AtMost reports whether no entry is larger than the entry of another vector.
func (v Vector) AtMost(other Vector) bool {
	for id, n := range v {
		if n > other[id] {
			return false
		}
	}
	return true
}

// Before reports whether a vector is at most another vector and differs from it. Then its event happened before the
// event of the other vector.
func (v Vector) Before(other Vector) bool { return v.AtMost(other) && !other.AtMost(v) }

// Concurrent reports whether neither of two vectors is at most the other.
func (v Vector) Concurrent(other Vector) bool { return !v.AtMost(other) && !other.AtMost(v) }
