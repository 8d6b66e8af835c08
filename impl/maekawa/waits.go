package maekawa

import (
	"maps"
	"slices"

	"contend/model"
)

// circular claims that a process that wants to enter does so, with two exceptions. In problem 1 it waits in a circle,
// or for a process in a circle. Otherwise failures excuse it. The monitor calls excused for each process that waits
// outside a circle.
func circular(name, place, anchor string, excused func(w *waits, id model.NodeID) bool, assumes ...model.Assumption) model.Claim {
	return model.Claim{
		Name: name, Kind: model.Eventually, Source: lecture + ", " + place, Proof: proofs + anchor,
		Assumes: append([]model.Assumption{model.AtMostOnce, model.NoLoss, model.NoMemoryLoss}, assumes...),
		Monitor: func(s *model.System) model.Monitor { return &waits{sets: s.Setup.(*Config).Sets, excused: excused} },
	}
}

// The processes that failures excuse.
func nobody(*waits, model.NodeID) bool      { return false }
func ownSet(w *waits, id model.NodeID) bool { return w.failed(id) }
func anySet(w *waits, _ model.NodeID) bool  { return w.Struck }

// waits stores which process waits for whose vote.
type waits struct {
	sets    [][]model.NodeID
	excused func(w *waits, id model.NodeID) bool
	Wants   map[model.NodeID]bool         // true for a waiting process, false for a process in the section
	Has     map[model.NodeID]model.NodeID // by voter: the process that has its vote
	Down    []model.NodeID                // the failed processes, in the order of ids
	Struck  bool                          // a member failed in the set of a process that waited or was in the section
}

func (w *waits) Observe(_ model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		w.Wants[o.Node] = true
	case model.Noted:
		w.Has[o.Node] = o.Value.(Voted).For
	case model.Returned:
		w.Wants[o.Node] = false
	case model.Released:
		w.gone(o.Node)
	case model.Crashed:
		w.Down = append(w.Down, o.Node)
		slices.Sort(w.Down)
		w.strike() // a process that fails is a member of its own set
		w.gone(o.Node)
	}
	w.strike()
}

// gone deletes a process that has left or failed.
func (w *waits) gone(id model.NodeID) {
	delete(w.Wants, id)
	maps.DeleteFunc(w.Has, func(_, holder model.NodeID) bool { return holder == id })
}

func (w *waits) strike() {
	for id := range w.Wants {
		if w.failed(id) {
			w.Struck = true
		}
	}
}

// failed reports whether a member of a process's voting set has failed.
func (w *waits) failed(id model.NodeID) bool {
	return slices.ContainsFunc(w.sets[id], func(v model.NodeID) bool { return slices.Contains(w.Down, v) })
}

// Reached reports whether each waiting process is excused, or waits in a circle or for a process in a circle.
func (w *waits) Reached() bool {
	circle := w.circle()
	for id, waits := range w.Wants {
		if waits && !circle[id] && !w.excused(w, id) {
			return false
		}
	}
	return true
}

// circle removes processes that wait for no remaining process, until there are none. Each remaining process waits for a
// remaining process.
func (w *waits) circle() map[model.NodeID]bool {
	left := map[model.NodeID]bool{}
	for id, waits := range w.Wants {
		if waits {
			left[id] = true
		}
	}
	for before := -1; before != len(left); {
		before = len(left)
		maps.DeleteFunc(left, func(id model.NodeID, _ bool) bool { return !w.waitsFor(id, left) })
	}
	return left
}

// waitsFor reports whether one of others has a vote for which the process waits.
func (w *waits) waitsFor(id model.NodeID, others map[model.NodeID]bool) bool {
	return slices.ContainsFunc(w.sets[id], func(v model.NodeID) bool {
		holder, has := w.Has[v]
		return has && holder != id && others[holder]
	})
}
