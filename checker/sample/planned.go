package sample

import (
	"fmt"

	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
	"contend/model"
)

// planned is a run whose choices are all planned: see [strategy.Planner]. Before each step it is asked whether a node that is down comes back,
// whether a fault strikes or a liar speaks, which event happens, and when; each as one choice, of which 0 is the plainest.
type planned struct {
	by    strategy.Planner
	stays map[model.NodeID]bool // down until nothing else can happen, or until that is chosen
	told  strategy.Place        // names what judges will see, if there are any
	seen  int                   // how much of the observations it names
}

// plans makes a run planned if its choices are.
func plans(c Choices) *planned {
	if by, is := c.(strategy.Planner); is {
		return &planned{by: by, stays: map[model.NodeID]bool{}}
	}
	return nil
}

// passed reports whether the run has come to a place from where another goes on. The place names all that the rest of the run depends
// on: its state, the order of the events to come, what is counted, how long the network stays parted, and, if the whole run is judged, what
// was observed.
func (p *planned) passed(r *run) bool {
	if r.bounds.Judged { // before each step, so that what was observed has one name wherever the plan ends
		p.told = r.Observed(p.told, &p.seen)
	}
	if p.by.Open() {
		return false
	}
	var stays []model.NodeID
	for id := range r.system.Nodes {
		if p.stays[model.NodeID(id)] {
			stays = append(stays, model.NodeID(id))
		}
	}
	return p.by.Passed(r.Place(p.by, fmt.Appendln(nil, r.Steps(), r.scripts, r.tried, r.Longest(), max(r.parted, r.Steps()), stays, p.told)))
}

// move chooses what happens next, of the protocol's own moves and of the environment's.
func (p *planned) move(r *run, own, others []stepper.Move) (m stepper.Move, ok bool) {
	for _, m := range others {
		if m.Kind != model.Restart {
			continue
		}
		if len(own) > 0 && !p.stays[m.Node] {
			p.stays[m.Node] = r.c.Choose(2) == 1
		}
		if len(own) == 0 || !p.stays[m.Node] {
			delete(p.stays, m.Node)
			return m, true
		}
	}
	if place := r.c.Choose(1 + len(others) + lies(r)); place > len(others) {
		return lie(r, place-len(others)-1), true
	} else if place > 0 {
		m := others[place-1]
		if m.Kind == model.Restart {
			delete(p.stays, m.Node)
		}
		return m, true
	}
	if len(own) == 0 {
		return stepper.Move{}, false
	}
	return r.drawn(own), true
}

// lies is how many there are to choose from now.
func lies(r *run) (n int) {
	for from, node := range r.system.Nodes {
		for to := range r.system.Nodes {
			if node.Byzantine {
				n += r.Alphabet(model.NodeID(to), model.NodeID(from))
			}
		}
	}
	return n
}

// lie is the lie with a number among these.
func lie(r *run, number int) stepper.Move {
	for from, node := range r.system.Nodes {
		for to := range r.system.Nodes {
			if !node.Byzantine {
				continue
			}
			n := r.Alphabet(model.NodeID(to), model.NodeID(from))
			if number < n {
				return stepper.Move{Kind: model.Forge, Node: model.NodeID(to), From: model.NodeID(from), Place: number}
			}
			number -= n
		}
	}
	panic("sample: fewer lies than were counted")
}
