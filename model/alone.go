package model

import "slices"

// Alone returns a copy of the system in which only one node runs its code. All other nodes are Byzantine and
// send nothing by themselves. The copy has no faults, scripts, cuts or detector. It can run an honest node in
// the place of a Byzantine one.
func (s *System) Alone(id NodeID) *System {
	a := *s
	a.Nodes = slices.Clone(s.Nodes)
	for i := range a.Nodes {
		a.Nodes[i].Script, a.Nodes[i].Byzantine = nil, NodeID(i) != id
	}
	a.Forge = func(Node, NodeID, NodeID) []any { return nil }
	a.Faults, a.Detector, a.Cuts = Faults{}, Detector{}, nil
	return &a
}
