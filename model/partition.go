package model

import (
	"fmt"
	"slices"
)

// A Side is one of the two sides of a partition, which cuts the network in two: the one without
// the first node of the system. Its nodes are in order.
//
// What is in flight from one side to the other when the network is cut is lost, and so is what
// is sent while the cut lasts; what Byzantine nodes make up does not arrive across it. That
// the cut heals is a pending event with the window [Network.Partition], so that every fair run
// sees it. There is one cut at a time, and [Faults.Partitions] in a run. The reports of a
// failure detector go through.
type Side []NodeID

// Parts reports whether two nodes are on different sides.
func (s Side) Parts(a, b NodeID) bool { return slices.Contains(s, a) != slices.Contains(s, b) }

// MostParted is how many nodes a system may have whose network may be cut: each of its cuts is a
// move, and there are twice as many with each node more.
const MostParted = 12

// Sides lists every way to cut the network, if its budget allows one.
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

// Heals is the window in which a partition heals.
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
