// Package liveness decides claims that no single state can refute, on a complete graph of numbered states:
// whether a goal stays possible, whether every fair run reaches it, and whether it is reached with probability
// 1 against every adversary.
//
// The package does not depend on how states are computed or stored. The caller adds the edges of each state in
// the order of discovery. The results are states, and rounds as the ordinals of edges. The proofs are in
// docs/proofs/search.md.
package liveness

import "slices"

// A Flags is a set of properties of an edge.
type Flags uint8

const (
	// Environment marks a move of the environment other than a repair. Fairness does not cover
	// it, and no goal may wait for it.
	Environment Flags = 1 << iota
	// Repair marks the repair of a fault. Fairness does not cover it, but a goal may wait for it.
	Repair
	// Spare marks an event that need not happen. Fairness does not cover it.
	Spare
	// Closed marks a step that needs a strict bound to be closed. It may be spurious.
	Closed
)

// An Edge is one step from the state that is being expanded.
type Edge struct {
	To      uint32
	Event   uint32 // the protocol's event that the step takes, or 0
	Renewed uint32 // the set of events that the step renews, by number in the graph's Sets
	Flags   Flags
}

// A Graph holds the edges of states. States are numbered in the order of their expansion.
//
// An event is a pending occurrence, not a name. A step that sets a pending alarm again ends one event and
// begins another: the name is in the edge's Renewed. Of equal messages in flight the oldest is delivered first.
// If such a name is taken again and again, no message waits for ever, since each has only finitely many
// messages before it.
type Graph struct {
	Sets Sets // of events
	Beat Beat

	fair          bool // store events, and edges with Environment
	ends          []int
	targets       []uint32
	flags         []Flags
	events        []uint32
	renewed       []uint32
	withheldFlags []Flags  // by state: the flags of withheld steps, and owed
	withheld      []uint32 // by state: the set of withheld events
}

// owed marks a state in which a cut withholds an event that must happen.
const owed Flags = 1 << 7

// New returns an empty graph. Without fairness it stores no events and no edges with Environment, and supports
// only [Graph.Possible] and [Graph.Reach].
func New(fair bool) *Graph { return &Graph{fair: fair, Sets: newSets()} }

// Edge adds an edge to the state that is being expanded.
func (g *Graph) Edge(e Edge) {
	if !g.fair && e.Flags&Environment != 0 {
		return
	}
	g.targets, g.flags = append(g.targets, e.To), append(g.flags, e.Flags)
	if g.fair {
		g.events, g.renewed = append(g.events, e.Event), append(g.renewed, e.Renewed)
	}
}

// Close ends the edges of a state. A cut withholds the events in withheld there, and steps with the flags cut
// that need not happen.
func (g *Graph) Close(withheld []uint32, cut Flags) {
	if len(withheld) > 0 {
		cut |= owed
	}
	g.ends, g.withheldFlags = append(g.ends, len(g.targets)), append(g.withheldFlags, cut)
	if g.fair {
		g.withheld = append(g.withheld, g.Sets.Of(withheld))
	}
}

// Size returns the number of edges.
func (g *Graph) Size() int { return len(g.targets) }

func (g *Graph) begin(s uint32) int {
	if s == 0 {
		return 0
	}
	return g.ends[s-1]
}

func (g *Graph) successors(s uint32) []uint32 { return g.targets[g.begin(s):g.ends[s]] }

// CutShort reports whether a cut withholds a step in some state outside a set.
func (g *Graph) CutShort(outside []bool) bool {
	for s, cut := range g.withheldFlags {
		if cut != 0 && !outside[s] {
			return true
		}
	}
	return false
}

// A Sets numbers sets of events. Number 0 is the empty set.
type Sets struct {
	ids   map[string]uint32
	items [][]uint32

	sorted []uint32 // scratch of Of
	key    []byte   // scratch of Of
}

func newSets() Sets {
	s := Sets{ids: map[string]uint32{}}
	s.Of(nil)
	return s
}

// Of returns the number of a set. The order and multiplicity of events do not matter. It does not keep events.
func (s *Sets) Of(events []uint32) uint32 {
	if len(events) == 0 && len(s.items) > 0 {
		return 0
	}
	s.sorted = append(s.sorted[:0], events...)
	slices.Sort(s.sorted)
	s.sorted = slices.Compact(s.sorted)
	s.key = s.key[:0]
	for _, e := range s.sorted {
		s.key = append(s.key, byte(e), byte(e>>8), byte(e>>16), byte(e>>24))
	}
	id, ok := s.ids[string(s.key)]
	if !ok {
		id = uint32(len(s.items))
		s.ids[string(s.key)], s.items = id, append(s.items, slices.Clone(s.sorted))
	}
	return id
}

// Events returns the events of a set, sorted.
func (s *Sets) Events(set uint32) []uint32 { return s.items[set] }

// Has reports whether an event is in a set.
func (s *Sets) Has(set, event uint32) bool {
	_, ok := slices.BinarySearch(s.items[set], event)
	return ok
}
