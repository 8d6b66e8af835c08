package step

import (
	"contend/checker/search/component"
	"contend/model"
)

// reports tells the others that a node is down, or is back.
func (w *Worker) reports(v []uint32, of int, down bool) []uint32 {
	tells, withdraws := model.Suspect, model.Trust
	if !down {
		tells, withdraws = withdraws, tells
	}
	for _, id := range w.informs {
		to := int(id)
		if v[to] == component.Down { // as the node itself is
			continue
		}
		if k := w.reported(v, withdraws, to, of); k >= 0 {
			v = w.Cut(v, k)
			continue
		}
		v = w.put(v, w.report(tells, to, of, w.Sys.Detector.Report))
	}
	return v
}

// catchesUp tells a node that is back which others are down.
func (w *Worker) catchesUp(v []uint32, to int) []uint32 {
	for of := range w.N {
		if w.informed[to] && of != to && v[of] == component.Down && !w.Sys.Nodes[of].Byzantine {
			v = w.put(v, w.report(model.Suspect, to, of, w.Sys.Detector.Report))
		}
	}
	return v
}

// report is the part of a report that begins now.
func (w *Worker) report(kind model.EventKind, to, of int, in model.Window) uint32 {
	b := w.reportBase(kind, to, of)
	about := aboutCrash | ofReport
	if in == w.Sys.Detector.Mistake {
		about = aboutCrash | ofMistake
	}
	return w.Recall(b, uint32(about), func() uint32 { return w.Pending(b, in) })
}

// reportBase is a report without its time; the handler that it is for is cached under it.
func (w *Worker) reportBase(kind model.EventKind, to, of int) uint32 {
	return w.Recall(uint32(to*w.N+of), aboutCrash|ofReportBase+uint32(kind), func() uint32 {
		return w.Store.Base(component.Base{Kind: component.Kind(kind), Slot: int16(to), Value: w.Value(model.NodeID(of))})
	})
}

// reported finds a report that is pending; -1 if there is none.
func (w *Worker) reported(v []uint32, kind model.EventKind, to, of int) int {
	b := w.reportBase(kind, to, of)
	for k := w.Head; k < len(v); k++ {
		if w.Flats[v[k]].Base == b {
			return k
		}
	}
	return -1
}

// mistakes takes each false suspicion that the budget allows: of a node that is up, by one that
// trusts it.
func (w *Worker) mistakes(v []uint32) {
	if !w.suspects(v) {
		return
	}
	for _, to := range w.informs {
		for of := range w.N {
			if w.mayMistake(v, int(to), of) {
				w.mistake(v, int(to), of)
			}
		}
	}
}

func (w *Worker) mistake(v []uint32, to, of int) {
	trigger := w.reportBase(model.Suspect, to, of)
	w.Move = Move{Kind: model.Mistake, Delay: w.Move.Delay, Base: trigger}
	w.each(w.React(v[to], trigger).outcomes, func(o *component.Outcome) {
		next, ok := w.suffered(v, int16(to), o, "Suspect")
		if !ok {
			return
		}
		w.number(next, w.moreAt, next[w.moreAt]-1<<suspicionShift)
		next = w.put(next, w.report(model.Trust, to, of, w.Sys.Detector.Mistake))
		w.set(next, to, o.Next)
		w.effects(next, &rest{slot: int16(to), effects: o.Effects})
	})
}
