// Package liveness decides, of a finished graph of numbered states, what no single
// state can refute: whether a goal stays possible, whether every fair run comes to it, and
// whether it is reached with probability one whatever an adversary does.
//
// It knows nothing of how states are made or kept. Whoever searches hands on the edges of
// each state in the order in which it met the states, and gets back states, and rounds as
// the ordinals of the edges to take. The full arguments are in docs/proofs/search.md.
package liveness

import "slices"

// Flags say what an edge is besides the event that it takes.
type Flags uint8

const (
	// Environment marks a move of the adversary. Fairness does not cover it, and no goal
	// may wait for it.
	Environment Flags = 1 << iota
	// Repair marks a move of the environment that undoes a fault. Fairness does not cover
	// it, but a goal may wait for it.
	Repair
	// Spare marks an event that forces nothing: fairness does not owe it.
	Spare
	// Closed marks a step that rests on a strict bound which was read as closed: it may be
	// no real step.
	Closed
)

// An Edge is one step from the state that is being expanded.
type Edge struct {
	To      uint32
	Event   uint32 // that is taken; 0 when it is none of the protocol's
	Renewed uint32 // a set of events, by number in the graph's Sets, that the step makes anew
	Flags   Flags
}

// A Graph holds the edges of states, which are numbered in the order of their expansion.
//
// An event is the pending thing and not its name: a step that arms a pending alarm anew
// ends one event and begins another, and says so by Renewed. Of equal messages in flight
// the oldest is delivered first; then a name that is taken again and again stands for events
// none of which waits for ever, since a message has only finitely many before it.
type Graph struct {
	Sets Sets // of events
	Beat Beat

	fair     bool // events are kept, and the environment's own edges
	ends     []int
	targets  []uint32
	flags    []Flags
	events   []uint32
	renewed  []uint32
	cut      []Flags  // of states: those of the steps that a cut kept from being taken
	withheld []uint32 // of states: the set of events that a cut keeps from firing
}

// owed marks, among the steps that a cut kept from being taken, an event that has to happen.
const owed Flags = 1 << 7

// New makes an empty graph. Without fairness it keeps no events and no edges of the
// environment, and answers only [Graph.Possible].
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

// Close ends the edges of a state. A cut kept the events that are withheld, sorted, from
// firing there, and steps with other flags, which need not be taken, from being taken.
func (g *Graph) Close(withheld []uint32, cut Flags) {
	if len(withheld) > 0 {
		cut |= owed
	}
	g.ends, g.cut = append(g.ends, len(g.targets)), append(g.cut, cut)
	if g.fair {
		g.withheld = append(g.withheld, g.Sets.Of(withheld))
	}
}

// Size is the number of edges.
func (g *Graph) Size() int { return len(g.targets) }

func (g *Graph) begin(s uint32) int {
	if s == 0 {
		return 0
	}
	return g.ends[s-1]
}

func (g *Graph) successors(s uint32) []uint32 { return g.targets[g.begin(s):g.ends[s]] }

// CutShort reports whether a cut kept a step from being taken in some state outside a set.
func (g *Graph) CutShort(outside []bool) bool {
	for s, cut := range g.cut {
		if cut != 0 && !outside[s] {
			return true
		}
	}
	return false
}

// Sets names sets of events by small numbers. Number 0 is the empty set.
type Sets struct {
	ids   map[string]uint32
	items [][]uint32

	sorted []uint32 // of the set that is asked for, and its key
	key    []byte
}

func newSets() Sets {
	s := Sets{ids: map[string]uint32{}}
	s.Of(nil)
	return s
}

// Of returns the number of a set; the order of its events, and how often each is listed,
// do not matter.
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

// Events lists a set, sorted.
func (s *Sets) Events(set uint32) []uint32 { return s.items[set] }

// Has reports whether an event is in a set.
func (s *Sets) Has(set, event uint32) bool {
	_, ok := slices.BinarySearch(s.items[set], event)
	return ok
}
