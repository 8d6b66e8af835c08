package model

import (
	"fmt"
	"slices"
)

// A Side is one side of a network partition: the side without the first node of the system, sorted.
//
// Messages in flight between the sides when the partition begins are lost, and so are messages sent between
// the sides while it lasts. Forged messages do not cross it. The healing is a pending event with the window
// [Network.Partition], so it happens in every fair run. There is at most one partition at a time, and
// [Faults.Partitions] in a run. Reports of the failure detector are not affected.
type Side []NodeID

// Parts reports whether two nodes are on different sides.
func (s Side) Parts(a, b NodeID) bool { return slices.Contains(s, a) != slices.Contains(s, b) }

// MostParted is the largest number of nodes of a system with partitions. The number of possible partitions
// doubles with each node.
const MostParted = 12

// Sides returns all partitions of the network, or nil if the budget allows none.
func (s *System) Sides() []Side {
	if s.Faults.Partitions == 0 {
		return nil
	}
	var all []Side
	for mask := 1; mask < 1<<(len(s.Nodes)-1); mask++ {
		var side Side
		for i := range s.Nodes[1:] {
			if mask>>i&1 == 1 {
				side = append(side, NodeID(i+1))
			}
		}
		all = append(all, side)
	}
	return all
}

// Heals returns the window in which a partition heals.
func (n Network) Heals() Window {
	if n.Partition == (Window{}) {
		return Anytime()
	}
	return n.Partition
}

func (s *System) validatePartitions() error {
	if err := s.Network.Partition.Validate(); err != nil {
		return fmt.Errorf("network: partition: %w", err)
	}
	if n := len(s.Nodes); s.Faults.Partitions > 0 && (n < 2 || n > MostParted) {
		return fmt.Errorf("faults: partitions is %d, but this system has %d nodes, and only a network of 2 to %d is cut", s.Faults.Partitions, n, MostParted)
	}
	return nil
}
