package model

import "slices"

// Alone returns the system in which one node runs its code, an honest one in the place of a
// Byzantine one, say, and all others are Byzantine: it is told what it is told, and nothing comes
// of what it says. There are no faults, no scripts and no detector.
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
