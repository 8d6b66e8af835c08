package walk

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
)

// A Seeking says what is looked for from where a walk is, and how far.
type Seeking struct {
	Holds  func(nodes []model.Node) bool // of the states by id; nil of a node that is down or Byzantine
	States int                           // after so many it ends
	Stop   <-chan struct{}               // and when this is closed
	Tell   func(states, steps int)       // unless nil, is told from time to time how many were looked at, and how far away
}

// Sought is what came of it.
type Sought struct {
	Found bool
	Place Place // of what was found
	// States were looked at, in the end so many steps from where the walk is.
	States, Steps int
	// Complete says that there are no others: every order, every fault and every lie was tried.
	Complete bool
}

// Nearest looks for a state of which something holds, the fewest steps from where the walk is, which
// stays there.
//
// It goes breadth first through what the interpreter makes of each offer, with each answer that is
// asked for, and looks at each state once; in time, each step is taken as early as may be, so that
// what is not found so may still be there. A state takes a hundred microseconds: it is for what is near, in
// timed runs. Package checker/search takes one, but does not begin behind a timed run.
func (w *Walk) Nearest(s Seeking) Sought {
	n := nearest{w: w, s: s, met: map[[sha256.Size]byte]bool{}}
	if n.look(w.run.World, nil, Choice{}) {
		return n.found()
	}
	for len(n.layer) > 0 {
		layer := n.layer
		n.layer, n.out.Steps = nil, n.out.Steps+1
		for i, at := range layer {
			if n.expand(at) {
				return n.found()
			}
			if n.over() {
				return n.out
			}
			layer[i].world = nil // the way is enough
		}
	}
	n.out.Complete = !w.header.Timed()
	return n.out
}

// nearest is a search from where a walk is.
type nearest struct {
	w     *Walk
	s     Seeking
	met   map[[sha256.Size]byte]bool
	layer []*spot // that was found last
	done  int     // states that were expanded
	out   Sought
}

// A spot is a state, and how one comes to it.
type spot struct {
	world *world.World
	from  *spot
	by    Choice
}

// over reports whether the search is to end, and tells of it now and then.
func (n *nearest) over() bool {
	if n.done++; n.s.Tell != nil && n.done%16 == 0 {
		n.s.Tell(n.out.States, n.out.Steps)
	}
	select {
	case <-n.s.Stop:
		return true
	default:
		return n.out.States >= n.s.States
	}
}

// look looks at a state, unless it was met, and reports whether it is what is looked for.
func (n *nearest) look(is *world.World, from *spot, by Choice) bool {
	key := sha256.Sum256([]byte(strings.Join(is.State(), "\n")))
	if n.met[key] {
		return false
	}
	n.met[key] = true
	n.out.States++
	n.layer = append(n.layer, &spot{is, from, by})
	nodes := make([]model.Node, len(is.System.Nodes))
	for i := range nodes {
		nodes[i] = is.Standing(model.NodeID(i)).State
	}
	return n.s.Holds(nodes)
}

// found gives the way to the state that was looked at last.
func (n *nearest) found() Sought {
	var way Place
	for at := n.layer[len(n.layer)-1]; at.from != nil; at = at.from {
		way = append(way, at.by)
	}
	slices.Reverse(way)
	n.out.Found, n.out.Place = true, slices.Concat(n.w.place, way)
	return n.out
}

// expand takes each offer at a spot, and reports whether that led to what is looked for.
func (n *nearest) expand(at *spot) bool {
	here := n.w.seeing(at.world)
	for _, o := range here.offers() {
		if n.out.States >= n.s.States {
			return false
		}
		if n.try(here, at, o, nil) {
			return true
		}
	}
	return false
}

// try takes an offer with some answers, and with each that is asked for besides.
func (n *nearest) try(here *Walk, at *spot, o Offer, answers []int) bool {
	next, rec, err := here.stepped(o, o.earliest, answers)
	var ask *Ask
	if errors.As(err, &ask) {
		for a := range ask.Of {
			if n.out.States >= n.s.States {
				return false
			}
			if n.try(here, at, o, append(answers[:len(answers):len(answers)], a)) {
				return true
			}
		}
	}
	return err == nil && n.look(next, at, here.chosen(o, o.earliest, rec))
}
