package step

import (
	"contend/checker/search/component"
	"contend/model"
)

// A partition is one way to partition the network.
type partition struct {
	base uint32 // of the event that heals the partition
	side model.Side
}

// listPartitions lists the partitions of the network that the system allows.
func (e *Engine) listPartitions() {
	for _, side := range e.Sys.Sides() {
		b := e.Store.Base(component.Base{Kind: component.Kind(model.Heal), Slot: -1, Value: e.Value(side)})
		e.partitions = append(e.partitions, partition{b, side})
	}
}

// activeSide returns the side of the present partition, or nil.
func (w *Worker) activeSide(v []uint32) model.Side {
	for _, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Kind == component.Kind(model.Heal) {
			return w.sideOf(f.Base)
		}
	}
	return nil
}

func (w *Worker) sideOf(base uint32) model.Side {
	for _, c := range w.partitions {
		if c.base == base {
			return c.side
		}
	}
	return nil
}

// separated reports whether the present partition drops messages from node a to node b.
func (w *Worker) separated(v []uint32, a, b int16) bool {
	return len(w.partitions) > 0 && w.activeSide(v).Parts(model.NodeID(a), model.NodeID(b))
}

// partitionMoves emits each partition of the network, if the budget allows and no partition is active.
func (w *Worker) partitionMoves(v []uint32) {
	if !w.mayPartition(v) {
		return
	}
	for _, c := range w.partitions {
		w.partitionNetwork(v, c)
	}
}

// partitionNetwork partitions the network: messages in flight across the partition are lost.
func (w *Worker) partitionNetwork(v []uint32, c partition) {
	next := w.copyState(v)
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
	w.finish(w.addPart(next, heals))
}
