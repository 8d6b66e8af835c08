package step

import (
	"contend/checker/search/component"
	"contend/model"
)

// A cutting is one way to cut the network.
type cutting struct {
	base uint32 // of the event that it heals
	side model.Side
}

// cuttings lists the ways to cut the network of a system.
func (e *Engine) cuttings() {
	for _, side := range e.Sys.Sides() {
		b := e.Store.Base(component.Base{Kind: component.Kind(model.Heal), Slot: -1, Value: e.Value(side)})
		e.cuts = append(e.cuts, cutting{b, side})
	}
}

// cut is the side of the cut that lasts, or nil.
func (w *Worker) cut(v []uint32) model.Side {
	for _, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Kind == component.Kind(model.Heal) {
			return w.sideOf(f.Base)
		}
	}
	return nil
}

func (w *Worker) sideOf(base uint32) model.Side {
	for _, c := range w.cuts {
		if c.base == base {
			return c.side
		}
	}
	return nil
}

// parted reports whether a cut keeps messages of one node from another.
func (w *Worker) parted(v []uint32, a, b int16) bool {
	return len(w.cuts) > 0 && w.cut(v).Parts(model.NodeID(a), model.NodeID(b))
}

// partitions cuts the network in every way that there is, if the budget allows and it is whole.
func (w *Worker) partitions(v []uint32) {
	if !w.mayPart(v) {
		return
	}
	for _, c := range w.cuts {
		w.part(v, c)
	}
}

// part cuts the network.
func (w *Worker) part(v []uint32, c cutting) {
	next := w.copied(v)
	for k := w.Head; k < len(next); {
		f := &w.Flats[next[k]]
		sent := f.Kind == component.Kind(model.Deliver) || f.Kind == component.Delivered
		if !sent || !c.side.Parts(model.NodeID(f.From), model.NodeID(f.Slot)) {
			k++
			continue
		}
		next = w.Cut(next, k)
	}
	w.number(next, w.moreAt, next[w.moreAt]-1<<partitionShift)
	w.Move = Move{Kind: model.Partition, Delay: w.Move.Delay, Slot: -1, Base: c.base}
	heals := w.Recall(c.base, aboutCrash|ofHeal, func() uint32 { return w.Pending(c.base, w.Sys.Network.Heals()) })
	w.finish(w.put(next, heals))
}
