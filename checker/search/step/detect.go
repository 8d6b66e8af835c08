package step

import (
	"contend/checker/search/component"
	"contend/model"
)

// sendReports adds the failure detector's reports that a node is down, or up again. A report that is still
// pending and says the opposite is removed instead.
func (w *Worker) sendReports(v []uint32, of int, down bool) []uint32 {
	tells, withdraws := model.Suspect, model.Trust
	if !down {
		tells, withdraws = withdraws, tells
	}
	for _, id := range w.informs {
		to := int(id)
		if v[to] == component.Down { // as the node itself is
			continue
		}
		if k := w.findReport(v, withdraws, to, of); k >= 0 {
			v = w.Cut(v, k)
			continue
		}
		v = w.addPart(v, w.reportPart(tells, to, of, w.Sys.Detector.Report))
	}
	return v
}

// reportCrashed adds reports to a restarted node about each node that is down.
func (w *Worker) reportCrashed(v []uint32, to int) []uint32 {
	for of := range w.N {
		if w.informed[to] && of != to && v[of] == component.Down && !w.Sys.Nodes[of].Byzantine {
			v = w.addPart(v, w.reportPart(model.Suspect, to, of, w.Sys.Detector.Report))
		}
	}
	return v
}

// reportPart returns the part of a report that is created now, with the window in.
func (w *Worker) reportPart(kind model.EventKind, to, of int, in model.Window) uint32 {
	b := w.reportBase(kind, to, of)
	about := aboutCrash | ofReport
	if in == w.Sys.Detector.Mistake {
		about = aboutCrash | ofMistake
	}
	return w.Recall(b, uint32(about), func() uint32 { return w.Pending(b, in) })
}

// reportBase returns the base of a report. The reaction to the report is memoized under it.
func (w *Worker) reportBase(kind model.EventKind, to, of int) uint32 {
	return w.Recall(uint32(to*w.N+of), aboutCrash|ofReportBase+uint32(kind), func() uint32 {
		return w.Store.Base(component.Base{Kind: component.Kind(kind), Slot: int16(to), Value: w.Value(model.NodeID(of))})
	})
}

// findReport returns the index of a pending report; -1 if there is none.
func (w *Worker) findReport(v []uint32, kind model.EventKind, to, of int) int {
	b := w.reportBase(kind, to, of)
	for k := w.Head; k < len(v); k++ {
		if w.Flats[v[k]].Base == b {
			return k
		}
	}
	return -1
}

// falseSuspicions emits each false suspicion that the budget allows. Both nodes are up, and no withdrawal of an
// earlier suspicion is pending.
func (w *Worker) falseSuspicions(v []uint32) {
	if !w.suspicionLeft(v) {
		return
	}
	for _, to := range w.informs {
		for of := range w.N {
			if w.mayMistake(v, int(to), of) {
				w.falseSuspicion(v, int(to), of)
			}
		}
	}
}

func (w *Worker) falseSuspicion(v []uint32, to, of int) {
	trigger := w.reportBase(model.Suspect, to, of)
	w.Move = Move{Kind: model.Mistake, Delay: w.Move.Delay, Base: trigger}
	w.each(w.React(v[to], trigger).outcomes, func(o *component.Outcome) {
		next, ok := w.beginOutcome(v, int16(to), o, "Suspect")
		if !ok {
			return
		}
		w.number(next, w.moreAt, next[w.moreAt]-1<<suspicionShift)
		next = w.addPart(next, w.reportPart(model.Trust, to, of, w.Sys.Detector.Mistake))
		w.set(next, to, o.Next)
		w.effects(next, &rest{slot: int16(to), effects: o.Effects})
	})
}
