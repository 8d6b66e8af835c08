package world

import (
	"slices"

	"contend/model"
)

// The failure detector needs no state of its own. A node suspects another exactly if a report to trust that
// node is pending, or if that node is down and no report to suspect it is pending.

// addReports adds the reports on a crash or a restart, and removes those that it outdates.
func (w *World) addReports(of model.NodeID, down bool) {
	tells, withdraws := model.Suspect, model.Trust
	if !down {
		tells, withdraws = withdraws, tells
	}
	for _, to := range w.informs {
		if to == of || w.nodes[to].live == nil {
			continue
		}
		if e := w.report(withdraws, to, of); e != nil {
			w.remove(e)
			continue
		}
		w.add(w.event(Event{Kind: tells, Node: to, Value: of, Window: w.System.Detector.Report}))
	}
}

// reportDown adds the reports to a restarted node on the nodes that are down.
func (w *World) reportDown(id model.NodeID) {
	if !slices.Contains(w.informs, id) {
		return
	}
	for of, n := range w.nodes {
		if n.down {
			w.add(w.event(Event{Kind: model.Suspect, Node: id, Value: model.NodeID(of), Window: w.System.Detector.Report}))
		}
	}
}

// report returns a pending report, or nil.
func (w *World) report(kind model.EventKind, to, of model.NodeID) *Event {
	i := slices.IndexFunc(w.pending, func(e *Event) bool { return e.Kind == kind && e.Node == to && e.Value == of })
	if i < 0 {
		return nil
	}
	return w.pending[i]
}

// mistakes appends the false suspicions that the budget allows.
func (w *World) mistakes(moves []Move) []Move {
	for _, to := range w.informs {
		for of := range w.nodes {
			if of := model.NodeID(of); w.mayMistake(to, of) {
				moves = append(moves, Move{Kind: model.Mistake, Node: to, Value: of})
			}
		}
	}
	return moves
}

// mayMistake reports whether a false suspicion is possible: both nodes are up, and the first trusts the second.
func (w *World) mayMistake(to, of model.NodeID) bool {
	return w.budget.Suspicions > 0 && to != of && slices.Contains(w.informs, to) && of >= 0 && int(of) < len(w.nodes) &&
		w.nodes[to].live != nil && w.nodes[of].live != nil && w.report(model.Trust, to, of) == nil
}

// mistake executes a false suspicion, and adds the report that withdraws it.
func (w *World) mistake(m Move, choose Chooser) error {
	of := m.Value.(model.NodeID)
	err := w.run(m.Node, choose, reportCall(model.Suspect, of, func(own *environment) {
		own.do(func() {
			w.budget.Suspicions--
			w.add(w.event(Event{Kind: model.Trust, Node: m.Node, Value: of, Window: w.System.Detector.Mistake}))
		})
	}))
	return err
}

// reportCall returns the call for a report, which runs before first.
func reportCall(kind model.EventKind, of model.NodeID, before func(own *environment)) call {
	c := call{handler: "Suspect", given: of}
	if kind == model.Trust {
		c.handler = "Trust"
	}
	c.run = func(n model.Node, env model.Env, own *environment, of any) {
		before(own)
		if s := n.(model.Suspecter); kind == model.Trust {
			s.Trust(env, of.(model.NodeID))
		} else {
			s.Suspect(env, of.(model.NodeID))
		}
	}
	return c
}
