package world

import (
	"slices"

	"contend/model"
)

// The failure detector needs no separate state. A node suspects another in two cases. A report to trust the
// other is pending, or the other is down and no report to suspect it is pending.

// addReports adds the reports on a crash or a restart, and removes the reports that become outdated.
func (w *World) addReports(subject model.NodeID, down bool) {
	adds, withdraws := model.Suspect, model.Trust
	if !down {
		adds, withdraws = withdraws, adds
	}
	for _, to := range w.informs {
		if to == subject || w.nodes[to].live == nil {
			continue
		}
		if e := w.report(withdraws, to, subject); e != nil {
			w.remove(e)
			continue
		}
		w.add(w.event(Event{Kind: adds, Node: to, Value: subject, Window: w.System.Detector.Report}))
	}
}

// reportDown adds the reports to a restarted node on the nodes that are down.
func (w *World) reportDown(id model.NodeID) {
	if !slices.Contains(w.informs, id) {
		return
	}
	for subject, n := range w.nodes {
		if n.down {
			w.add(w.event(Event{Kind: model.Suspect, Node: id, Value: model.NodeID(subject), Window: w.System.Detector.Report}))
		}
	}
}

// report returns a pending report, or nil.
func (w *World) report(kind model.EventKind, to, subject model.NodeID) *Event {
	i := slices.IndexFunc(w.pending, func(e *Event) bool { return e.Kind == kind && e.Node == to && e.Value == subject })
	if i < 0 {
		return nil
	}
	return w.pending[i]
}

// mistakes appends the false suspicions that the budget allows.
func (w *World) mistakes(moves []Move) []Move {
	for _, to := range w.informs {
		for subject := range w.nodes {
			if subject := model.NodeID(subject); w.mayMistake(to, subject) {
				moves = append(moves, Move{Kind: model.Mistake, Node: to, Value: subject})
			}
		}
	}
	return moves
}

// mayMistake reports whether a false suspicion is possible: both nodes are up, and the first trusts the second.
func (w *World) mayMistake(to, subject model.NodeID) bool {
	return w.budget.Suspicions > 0 && to != subject && slices.Contains(w.informs, to) && subject >= 0 && int(subject) < len(w.nodes) &&
		w.nodes[to].live != nil && w.nodes[subject].live != nil && w.report(model.Trust, to, subject) == nil
}

// mistake executes a false suspicion, and adds the report that withdraws it.
func (w *World) mistake(m Move, choose Chooser) error {
	subject := m.Value.(model.NodeID)
	err := w.run(m.Node, choose, reportCall(model.Suspect, subject, func(own *environment) {
		own.do(func() {
			w.budget.Suspicions--
			w.add(w.event(Event{Kind: model.Trust, Node: m.Node, Value: subject, Window: w.System.Detector.Mistake}))
		})
	}))
	return err
}

// reportCall returns the call for a report. It calls before first.
func reportCall(kind model.EventKind, subject model.NodeID, before func(own *environment)) call {
	c := call{handler: "Suspect", arg: subject}
	if kind == model.Trust {
		c.handler = "Trust"
	}
	c.run = func(n model.Node, env model.Env, own *environment, subject any) {
		before(own)
		if s := n.(model.Suspecter); kind == model.Trust {
			s.Trust(env, subject.(model.NodeID))
		} else {
			s.Suspect(env, subject.(model.NodeID))
		}
	}
	return c
}
