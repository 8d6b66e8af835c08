package minimize

import (
	"bytes"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
)

// move returns the move for a step of the base run; false if it is impossible.
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
		node := f.plan.node(mv.Value.(model.NodeID))
		mv.Value = node
		return mv, node >= 0
	case model.Partition:
		mv.Value = f.side(mv.Value.(model.Side))
	}
	return mv, true
}

// side maps the nodes of a partition's side.
func (f *follower) side(nodes model.Side) (mapped model.Side) {
	if f.plan.nodes == nil {
		return nodes
	}
	for _, id := range nodes {
		if now := f.plan.node(id); now >= 0 {
			mapped = append(mapped, now)
		}
	}
	return mapped
}

// mappedName returns the name of a base run's event, with mapped nodes.
func (f *follower) mappedName(e *world.Event) eventName {
	n := nameOf(e)
	n.node = f.plan.node(n.node)
	if e.Kind == model.Deliver { // other events have no sender
		n.from = f.plan.node(n.from)
	}
	return n
}

// event returns the pending event for a base run's step. It prefers the event created by the same step, then
// another of the same name that no later step needs: see matching.
func (f *follower) event(mv world.Move) *world.Event {
	original := mv.Event
	if mv.Kind == original.Kind {
		delete(f.wanted, original)
	}
	name, base := f.mappedName(original), f.plan.base
	if name.node < 0 && original.Node >= 0 || name.from < 0 && original.From >= 0 {
		return nil
	}
	var other, equal *world.Event
	for _, e := range f.world.Pending() {
		if nameOf(e) != name || mv.Kind != e.Kind && e.Optional {
			continue
		}
		b := f.births[e]
		if made := (birth{f.origin[b.step], b.nth}); made == base.births[original] && f.plan.matching != oldest {
			return e
		}
		if f.plan.matching == narrow || f.plan.matching == closest && f.reserved(e) {
			continue
		}
		if other == nil {
			other = e
		}
		if equal == nil && bytes.Equal(f.stage.codec.Any(e.Value, nil), base.stage.codec.Any(original.Value, nil)) {
			equal = e
		}
	}
	if equal == nil {
		equal = other
	}
	f.missed = true
	return equal
}

// reserved reports whether a later step of the plan needs an event.
func (f *follower) reserved(e *world.Event) bool {
	b := f.births[e]
	made := birth{f.origin[b.step], b.nth}
	for original := range f.wanted {
		if f.plan.base.births[original] == made && f.mappedName(original) == nameOf(e) {
			return true
		}
	}
	return false
}

// honestMessage returns the delivery of a former liar's message of the same type.
func (f *follower) honestMessage(mv world.Move) (world.Move, bool) {
	name := eventName{model.Deliver, mv.Node, mv.From, world.TypeName(mv.Value)}
	e := f.pending(name, func(e *world.Event) bool { return !f.reserved(e) })
	f.missed = true
	return world.Move{Kind: model.Deliver, Event: e}, e != nil
}

// lie returns the move of a liar's step. The message is the base run's. If that is impossible, it is the message with the same index and type, or the first message of that type.
func (f *follower) lie(i int, mv world.Move) (world.Move, bool) {
	if mv.From = f.plan.node(mv.From); mv.From < 0 {
		return mv, false
	}
	if !f.stage.system.Nodes[mv.From].Byzantine {
		return f.honestMessage(mv)
	}
	may, original := f.world.Alphabet(mv.Node, mv.From), mv.Value
	if at, set := f.plan.forged[i]; set {
		if at >= len(may) {
			return mv, false
		}
		mv.Value = may[at]
		return mv, true
	}
	if text, set := f.plan.texts[i]; set {
		at := slices.IndexFunc(may, func(v any) bool { return describe.Value(v, f.stage.system.Name) == text })
		if at >= 0 {
			mv.Value = may[at]
		}
		return mv, at >= 0
	}
	want := f.stage.codec.Any(original, nil)
	for _, mv.Value = range may {
		if bytes.Equal(f.stage.codec.Any(mv.Value, nil), want) {
			return mv, true
		}
	}
	if f.plan.matching == narrow {
		return mv, false
	}
	stood, known := f.plan.base.places[i+1]
	if at := stood.index; known && at < len(may) && world.TypeName(may[at]) == world.TypeName(original) {
		mv.Value, f.missed = may[at], true
		return mv, true
	}
	for _, mv.Value = range may {
		if world.TypeName(mv.Value) == world.TypeName(original) {
			f.missed = true
			return mv, true
		}
	}
	return mv, false
}
