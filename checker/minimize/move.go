package minimize

import (
	"bytes"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
)

// move is what a step of the plan's run comes to now; false if it is not possible any more.
func (f *follower) move(i int, r *world.Record) (world.Move, bool) {
	mv := r.Move
	if mv.Event != nil {
		if mv.Event = f.event(mv); mv.Event == nil {
			return mv, false
		}
		return mv, true
	}
	if mv.Node = f.plan.node(mv.Node); mv.Kind != model.Partition && mv.Node < 0 {
		return mv, false
	}
	switch mv.Kind {
	case model.Forge:
		return f.lie(i, mv)
	case model.Mistake:
		of := f.plan.node(mv.Value.(model.NodeID))
		mv.Value = of
		return mv, of >= 0
	case model.Partition:
		mv.Value = f.side(mv.Value.(model.Side))
	}
	return mv, true
}

// side is what a side of a partition comes to.
func (f *follower) side(was model.Side) (is model.Side) {
	if f.plan.nodes == nil {
		return was
	}
	for _, id := range was {
		if now := f.plan.node(id); now >= 0 {
			is = append(is, now)
		}
	}
	return is
}

// nameIn is the name that an event of the plan's run has now.
func (f *follower) nameIn(e *world.Event) called {
	n := nameOf(e)
	n.node = f.plan.node(n.node)
	if e.Kind == model.Deliver { // of others the sender says nothing
		n.from = f.plan.node(n.from)
	}
	return n
}

// event finds the event that a step took in the plan's run: the one that the same step made, or another of its name that
// no later step takes; see matching.
func (f *follower) event(mv world.Move) *world.Event {
	was := mv.Event
	if mv.Kind == was.Kind {
		delete(f.wanted, was)
	}
	name, of := f.nameIn(was), f.plan.of
	if name.node < 0 && was.Node >= 0 || name.from < 0 && was.From >= 0 {
		return nil
	}
	var other, equal *world.Event
	for _, e := range f.world.Pending() {
		if nameOf(e) != name || mv.Kind != e.Kind && e.Optional {
			continue
		}
		b := f.births[e]
		if made := (birth{f.origin[b.step], b.nth}); made == of.births[was] && f.plan.by != oldest {
			return e
		}
		if f.plan.by == narrow || f.plan.by == closest && f.promised(e) {
			continue
		}
		if other == nil {
			other = e
		}
		if equal == nil && bytes.Equal(f.stage.codec.Any(e.Value, nil), of.stage.codec.Any(was.Value, nil)) {
			equal = e
		}
	}
	if equal == nil {
		equal = other
	}
	f.amiss = true
	return equal
}

// promised reports whether a later step of the plan takes an event.
func (f *follower) promised(e *world.Event) bool {
	b := f.births[e]
	made := birth{f.origin[b.step], b.nth}
	for was := range f.wanted {
		if f.plan.of.births[was] == made && f.nameIn(was) == nameOf(e) {
			return true
		}
	}
	return false
}

// honestly delivers what a node that is no liar any more says instead: a message of the same type.
func (f *follower) honestly(mv world.Move) (world.Move, bool) {
	name := called{model.Deliver, mv.Node, mv.From, world.TypeName(mv.Value)}
	e := f.pending(name, func(e *world.Event) bool { return !f.promised(e) })
	f.amiss = true
	return world.Move{Kind: model.Deliver, Event: e}, e != nil
}

// lie is what a liar says in a step: the same as in the plan's run, or else what has the same place in
// its alphabet and is of the same type, or the first of that type.
func (f *follower) lie(i int, mv world.Move) (world.Move, bool) {
	if mv.From = f.plan.node(mv.From); mv.From < 0 {
		return mv, false
	}
	if !f.stage.system.Nodes[mv.From].Byzantine {
		return f.honestly(mv)
	}
	may, was := f.world.Alphabet(mv.Node, mv.From), mv.Value
	if at, set := f.plan.forged[i]; set {
		if at >= len(may) {
			return mv, false
		}
		mv.Value = may[at]
		return mv, true
	}
	if text, set := f.plan.said[i]; set {
		at := slices.IndexFunc(may, func(v any) bool { return describe.Value(v, f.stage.system.Name) == text })
		if at >= 0 {
			mv.Value = may[at]
		}
		return mv, at >= 0
	}
	want := f.stage.codec.Any(was, nil)
	for _, mv.Value = range may {
		if bytes.Equal(f.stage.codec.Any(mv.Value, nil), want) {
			return mv, true
		}
	}
	if f.plan.by == narrow {
		return mv, false
	}
	stood, known := f.plan.of.places[i+1]
	if at := stood.at; known && at < len(may) && world.TypeName(may[at]) == world.TypeName(was) {
		mv.Value, f.amiss = may[at], true
		return mv, true
	}
	for _, mv.Value = range may {
		if world.TypeName(mv.Value) == world.TypeName(was) {
			f.amiss = true
			return mv, true
		}
	}
	return mv, false
}
