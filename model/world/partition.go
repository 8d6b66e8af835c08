package world

import (
	"slices"

	"contend/model"
)

// side returns the side of the present partition, or nil.
func (w *World) side() model.Side {
	if w.System.Faults.Partitions == 0 {
		return nil
	}
	i := slices.IndexFunc(w.pending, func(e *Event) bool { return e.Kind == model.Heal })
	if i < 0 {
		return nil
	}
	return w.pending[i].Value.(model.Side)
}

// separated reports whether a partition separates two nodes.
func (w *World) separated(a, b model.NodeID) bool { return w.side().Parts(a, b) }

// partitions appends the partitions that the budget allows.
func (w *World) partitions(moves []Move) []Move {
	if w.budget.Partitions == 0 || w.side() != nil {
		return moves
	}
	for _, side := range w.System.Sides() {
		moves = append(moves, Move{Kind: model.Partition, Node: -1, Value: side})
	}
	return moves
}

// mayPartition reports whether a move is a possible partition.
func (w *World) mayPartition(m Move) bool {
	side, ok := m.Value.(model.Side)
	return ok && slices.ContainsFunc(w.partitions(nil), func(p Move) bool { return slices.Equal(p.Value.(model.Side), side) })
}

// partition executes a partition.
func (w *World) partition(side model.Side) {
	w.budget.Partitions--
	lost := func(e *Event) bool { return e.Kind == model.Deliver && side.Parts(e.From, e.Node) }
	w.pending = slices.DeleteFunc(w.pending, lost)
	w.past = slices.DeleteFunc(w.past, lost)
	w.add(w.event(Event{Kind: model.Heal, Node: -1, Value: side, Window: w.System.Network.Heals()}))
}
