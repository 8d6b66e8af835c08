package walk

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
)

// A Seeking is the condition and the limits of a search.
type Seeking struct {
	Holds  func(nodes []model.Node) bool // is called with the node states by id, nil for a node that is down or Byzantine
	States int                           // how many states the search examines at most
	Stop   <-chan struct{}               // closed to end the search
	Tell   func(states, steps int)       // unless nil, is called every 16 states with the number of states and of steps so far
}

// A Sought is the result of a search.
type Sought struct {
	Found bool
	Place Place // of the state, if Found
	// States is the number of states examined, and Steps the distance of the last.
	States, Steps int
	// Complete reports that every order, fault and forged message was tried.
	Complete bool
}

// Nearest searches for a state that satisfies s.Holds, in the fewest steps from the current state. The walk
// does not move.
//
// The search is breadth first, over every offer and every answer, and examines each state once. In a timed
// walk each step is taken at its earliest instant only, so a state that is not found may exist. A state takes
// about 100 µs. For larger searches use package checker/search, but it cannot begin in the middle of a timed
// run.
func (w *Walk) Nearest(s Seeking) Sought {
	n := nearest{w: w, s: s, visited: map[[sha256.Size]byte]bool{}}
	if n.look(w.run.World, nil, Choice{}) {
		return n.result()
	}
	for len(n.layer) > 0 {
		layer := n.layer
		n.layer, n.out.Steps = nil, n.out.Steps+1
		for i, at := range layer {
			if n.expand(at) {
				return n.result()
			}
			if n.spend() {
				return n.out
			}
			layer[i].world = nil // only the path is still needed
		}
	}
	n.out.Complete = !w.header.Timed()
	return n.out
}

// nearest is a search from the present state of a walk.
type nearest struct {
	w        *Walk
	s        Seeking
	visited  map[[sha256.Size]byte]bool
	layer    []*spot // the states of the last layer
	expanded int     // states that were expanded
	out      Sought
}

// A spot is a state, with the choice that leads to it.
type spot struct {
	world  *world.World
	from   *spot
	choice Choice
}

// spend counts a state, calls Tell now and then, and reports whether the search is over.
func (n *nearest) spend() bool {
	if n.expanded++; n.s.Tell != nil && n.expanded%16 == 0 {
		n.s.Tell(n.out.States, n.out.Steps)
	}
	select {
	case <-n.s.Stop:
		return true
	default:
		return n.out.States >= n.s.States
	}
}

// look examines a state, unless it was met before, and reports whether it satisfies the condition.
func (n *nearest) look(state *world.World, from *spot, by Choice) bool {
	key := sha256.Sum256([]byte(strings.Join(state.State(), "\n")))
	if n.visited[key] {
		return false
	}
	n.visited[key] = true
	n.out.States++
	n.layer = append(n.layer, &spot{state, from, by})
	nodes := make([]model.Node, len(state.System.Nodes))
	for i := range nodes {
		nodes[i] = state.Status(model.NodeID(i)).State
	}
	return n.s.Holds(nodes)
}

// result returns the result for the last state that look examined.
func (n *nearest) result() Sought {
	var way Place
	for at := n.layer[len(n.layer)-1]; at.from != nil; at = at.from {
		way = append(way, at.choice)
	}
	slices.Reverse(way)
	n.out.Found, n.out.Place = true, slices.Concat(n.w.place, way)
	return n.out
}

// expand takes each offer in a state, and reports whether a next state satisfies the condition.
func (n *nearest) expand(from *spot) bool {
	here := n.w.in(from.world)
	for _, o := range here.offers() {
		if n.out.States >= n.s.States {
			return false
		}
		if n.try(here, from, o, nil) {
			return true
		}
	}
	return false
}

// try takes an offer with some answers, and then with every possible answer to further choices.
func (n *nearest) try(here *Walk, from *spot, o Offer, answers []int) bool {
	next, rec, err := here.step(o, o.earliest, answers)
	var ask *Ask
	if errors.As(err, &ask) {
		for a := range ask.Of {
			if n.out.States >= n.s.States {
				return false
			}
			if n.try(here, from, o, append(answers[:len(answers):len(answers)], a)) {
				return true
			}
		}
	}
	return err == nil && n.look(next, from, here.newChoice(o, o.earliest, rec))
}
