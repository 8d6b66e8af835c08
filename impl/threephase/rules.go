package threephase

import "contend/model"

// Rules are the rules of processes.
type Rules interface {
	// Heeds reports whether a process obeys a coordinator.
	Heeds(p *Process, coordinator model.NodeID) bool
	// Voted returns Aborted or Precommitted if the votes that the coordinator has received suffice for it, and
	// otherwise Ready.
	Voted(p *Process) State
	// Acked returns the decision if the acknowledgements suffice, and otherwise an undecided state.
	Acked(p *Process) State
	// TakesOver reports whether a process becomes the coordinator after a crash.
	TakesOver(p *Process, self model.NodeID) bool
	// Terminates returns the decision, or Precommitted, that follows from the states of all processes that are up.
	Terminates(states map[model.NodeID]State) State
}

// Spec are the rules of the protocol.
type Spec struct{}

// Heeds returns true for the current coordinator and later ones. An earlier coordinator has crashed.
func (Spec) Heeds(p *Process, coordinator model.NodeID) bool { return coordinator >= p.Coordinator }

// Voted returns Aborted after the first no vote, or crash before a vote.
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

// Acked returns Committed when all processes that are up have acknowledged.
func (Spec) Acked(p *Process) State {
	if p.heardAll() {
		return Committed
	}
	return Precommitted
}

// TakesOver reports whether all processes before this process have crashed.
func (Spec) TakesOver(p *Process, self model.NodeID) bool {
	for id := range self {
		if !p.Down[id] {
			return false
		}
	}
	return true
}

// Terminates implements the four termination rules. TR1: a process has aborted. TR2: a process has committed. TR3: all
// are uncertain. TR4: a process is precommitted.
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
