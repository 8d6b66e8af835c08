package sample

import (
	"fmt"

	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
	"contend/model"
)

// A planned is a run whose choices a [strategy.Planner] makes. Each step consists of these choices, 0 being
// the simplest: whether a crashed node restarts, which fault or lie occurs, which event, and when.
type planned struct {
	planner  strategy.Planner
	down     map[model.NodeID]bool // nodes that stay down until chosen, or until nothing else can happen
	observed strategy.Place        // digest of the observations, if there are judges
	seen     int                   // number of observations in the digest
}

// plans returns the plan of choices, or nil if they are not planned.
func plans(c Choices) *planned {
	if by, ok := c.(strategy.Planner); ok {
		return &planned{planner: by, down: map[model.NodeID]bool{}}
	}
	return nil
}

// revisited reports whether another run continued from this run's place. The place covers all that the rest of
// the run depends on: the state, the order of pending events, counters, the length of a partition and, with
// judges, the observations.
func (p *planned) revisited(r *run) bool {
	if r.bounds.Judged { // before each step, so that the digest does not depend on where the plan ends
		p.observed = r.Observed(p.observed, &p.seen)
	}
	if p.planner.Open() {
		return false
	}
	var stays []model.NodeID
	for id := range r.system.Nodes {
		if p.down[model.NodeID(id)] {
			stays = append(stays, model.NodeID(id))
		}
	}
	return p.planner.Passed(r.Place(p.planner, fmt.Appendln(nil, r.Steps(), r.scripts, r.tried, r.Longest(), max(r.partitionEnd, r.Steps()), stays, p.observed)))
}

// move chooses the next move from the protocol's and the environment's moves.
func (p *planned) move(r *run, own, others []stepper.Move) (m stepper.Move, ok bool) {
	for _, m := range others {
		if m.Kind != model.Restart {
			continue
		}
		if len(own) > 0 && !p.down[m.Node] {
			p.down[m.Node] = r.c.Choose(2) == 1
		}
		if len(own) == 0 || !p.down[m.Node] {
			delete(p.down, m.Node)
			return m, true
		}
	}
	if place := r.c.Choose(1 + len(others) + lies(r)); place > len(others) {
		return lie(r, place-len(others)-1), true
	} else if place > 0 {
		m := others[place-1]
		if m.Kind == model.Restart {
			delete(p.down, m.Node)
		}
		return m, true
	}
	if len(own) == 0 {
		return stepper.Move{}, false
	}
	return r.draw(own), true
}

// lies returns the number of messages that Byzantine nodes may send now.
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

// lie returns the message with an index among these.
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
