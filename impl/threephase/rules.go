package threephase

import "contend/model"

// Rules are what processes go by.
type Rules interface {
	// Heeds reports whether a process obeys a coordinator.
	Heeds(p *Process, coordinator model.NodeID) bool
	// Voted is where the votes that a coordinator has heard lead: to Aborted, Precommitted, or nowhere yet.
	Voted(p *Process) State
	// Acked is the decision where enough have acknowledged, and undecided before.
	Acked(p *Process) State
	// TakesOver reports whether a process that has heard of a crash is to coordinate.
	TakesOver(p *Process, self model.NodeID) bool
	// Terminates is where the states of all that are up lead: to a decision, or to Precommitted.
	Terminates(states map[model.NodeID]State) State
}

// Spec are the rules of the protocol.
type Spec struct{}

// Heeds is true of the latest coordinator, and of one after it: what an earlier one has sent, which
// has crashed, comes too late.
func (Spec) Heeds(p *Process, coordinator model.NodeID) bool { return coordinator >= p.Coordinator }

// Voted aborts as soon as one has voted no, or has crashed before its vote came.
func (Spec) Voted(p *Process) State {
	for id := range model.NodeID(p.cfg.N) {
		if s, voted := p.Heard[id]; s == Aborted || !voted && p.Down[id] {
			return Aborted
		}
	}
	if len(p.Heard) == p.cfg.N {
		return Precommitted
	}
	return Ready
}

// Acked commits when all that are up have acknowledged.
func (Spec) Acked(p *Process) State {
	if p.heardAll() {
		return Committed
	}
	return Precommitted
}

// TakesOver has the first that is up coordinate.
func (Spec) TakesOver(p *Process, self model.NodeID) bool {
	for id := range self {
		if !p.Down[id] {
			return false
		}
	}
	return true
}

// Terminates is by the four termination rules: one has aborted; one has committed; all are uncertain;
// or one is precommitted.
func (Spec) Terminates(states map[model.NodeID]State) State {
	var of [Aborted + 1]bool
	for _, s := range states {
		of[s] = true
	}
	switch {
	case of[Aborted]: // TR1
		return Aborted
	case of[Committed]: // TR2
		return Committed
	case of[Precommitted]: // TR4
		return Precommitted
	}
	return Aborted // TR3
}
