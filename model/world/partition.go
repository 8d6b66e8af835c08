package world

import (
	"slices"

	"contend/model"
)

// cut is the side of the cut that lasts, or nil.
func (w *World) cut() model.Side {
	if w.System.Faults.Partitions == 0 {
		return nil
	}
	i := slices.IndexFunc(w.pending, func(e *Event) bool { return e.Kind == model.Heal })
	if i < 0 {
		return nil
	}
	return w.pending[i].Value.(model.Side)
}

// parted reports whether a cut keeps messages of one node from another.
func (w *World) parted(a, b model.NodeID) bool { return w.cut().Parts(a, b) }

// partitions adds the cuts that the budget allows.
func (w *World) partitions(moves []Move) []Move {
	if w.budget.Partitions == 0 || w.cut() != nil {
		return moves
	}
	for _, side := range w.System.Sides() {
		moves = append(moves, Move{Kind: model.Partition, Node: -1, Value: side})
	}
	return moves
}

// mayPart reports whether a move is one of them.
func (w *World) mayPart(m Move) bool {
	side, is := m.Value.(model.Side)
	return is && slices.ContainsFunc(w.partitions(nil), func(p Move) bool { return slices.Equal(p.Value.(model.Side), side) })
}

// partition cuts the network.
func (w *World) partition(side model.Side) {
	w.budget.Partitions--
	lost := func(e *Event) bool { return e.Kind == model.Deliver && side.Parts(e.From, e.Node) }
	w.pending = slices.DeleteFunc(w.pending, lost)
	w.past = slices.DeleteFunc(w.past, lost)
	w.add(w.event(Event{Kind: model.Heal, Node: -1, Value: side, Window: w.System.Network.Heals()}))
}
