package sample

import (
	"hash/maphash"

	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// scheduled lets a strategy choose the events of a run.
type scheduled struct {
	by   strategy.Scheduler
	ids  map[*world.Event]int32
	seed maphash.Seed
	list []strategy.Event
}

// names is the seed of the names of values and states: they are compared within a process only.
var names = maphash.MakeSeed()

// named is equal for equal values.
func named(codec *value.Codec, v any) uint64 { return maphash.Bytes(names, codec.Any(v, nil)) }

func newScheduled(by strategy.Scheduler) *scheduled {
	return &scheduled{by: by, ids: map[*world.Event]int32{}, seed: names}
}

// next chooses one of the protocol's moves.
func (s *scheduled) next(w *world.World, moves []world.Move) int {
	s.list = s.list[:0]
	for _, m := range moves {
		s.list = append(s.list, s.event(w, m))
	}
	return s.by.Next(s.list)
}

// event describes a move.
func (s *scheduled) event(w *world.World, m world.Move) strategy.Event {
	if m.Event == nil {
		return strategy.Event{ID: -1, Kind: m.Kind, Node: m.Node, From: m.From}
	}
	e := m.Event
	id, known := s.ids[e]
	if !known {
		id = int32(len(s.ids))
		s.ids[e] = id
	}
	from := e.Node
	if e.Kind == model.Deliver {
		from = e.From
	}
	key := maphash.Bytes(s.seed, append(w.Codec.Any(e.Value, nil), byte(e.Kind), byte(e.Node), byte(from)))
	return strategy.Event{ID: id, Cause: int32(e.BornStep), Kind: m.Kind, Node: e.Node, From: from, Key: key}
}

// local names the state of a node, or of none.
func (s *scheduled) local(w *world.World, id model.NodeID) uint64 {
	if id < 0 || w.Live(id) == nil {
		return 0
	}
	return maphash.Bytes(s.seed, w.Node(id))
}

// took tells of a step.
func (s *scheduled) took(w *world.World, m world.Move, before uint64) {
	e := s.event(w, m)
	s.by.Took(strategy.Step{Number: w.Steps, Environment: m.Kind.Adversarial(), Event: e, Before: before, After: s.local(w, e.Node)})
}
