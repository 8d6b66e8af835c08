package world

import (
	"slices"

	"contend/model"
)

// The failure detector. Whether a node was last told to suspect another need not be kept: a
// report to trust it is pending, or it is down and none to suspect it is.

// reports tells the others that a node is down, or is back.
func (w *World) reports(of model.NodeID, down bool) {
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

// catchesUp tells a node that is back which others are down.
func (w *World) catchesUp(id model.NodeID) {
	if !slices.Contains(w.informs, id) {
		return
	}
	for of, n := range w.nodes {
		if n.down {
			w.add(w.event(Event{Kind: model.Suspect, Node: id, Value: model.NodeID(of), Window: w.System.Detector.Report}))
		}
	}
}

// report finds a report that is pending, or nil.
func (w *World) report(kind model.EventKind, to, of model.NodeID) *Event {
	i := slices.IndexFunc(w.pending, func(e *Event) bool { return e.Kind == kind && e.Node == to && e.Value == of })
	if i < 0 {
		return nil
	}
	return w.pending[i]
}

// mistakes adds the false suspicions that the budget allows.
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

// mayMistake reports whether a node may be told that another is down, which is up and which it
// trusts.
func (w *World) mayMistake(to, of model.NodeID) bool {
	return w.budget.Suspicions > 0 && to != of && slices.Contains(w.informs, to) && of >= 0 && int(of) < len(w.nodes) &&
		w.nodes[to].live != nil && w.nodes[of].live != nil && w.report(model.Trust, to, of) == nil
}

// mistake tells a node that another is down, and withdraws it later.
func (w *World) mistake(m Move, choose Chooser) error {
	of := m.Value.(model.NodeID)
	err := w.run(m.Node, choose, told(model.Suspect, of, func(own *environment) {
		own.do(func() {
			w.budget.Suspicions--
			w.add(w.event(Event{Kind: model.Trust, Node: m.Node, Value: of, Window: w.System.Detector.Mistake}))
		})
	}))
	return err
}

// told is the handler of a report; before comes first.
func told(kind model.EventKind, of model.NodeID, before func(own *environment)) call {
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
