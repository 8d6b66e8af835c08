package world

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/wrapped"
)

// Fork returns an independent copy of the world. Both share the immutable events and records. So an event in a
// record of one world is also pending in the other, while it is pending in both. The cost is a copy of the
// monitors, and a few words for each pending event.
//
// A world with [model.Cost.Since] clears the pasts of events, and cannot be forked: Fork panics with a Misuse.
func (w *World) Fork() *World {
	if w.chains != nil && w.chains.Since != nil {
		model.Misused("a world that follows chains from a moment on cannot be forked")
	}
	f := *w
	f.Violations, f.Measured, f.Boot = slices.Clip(w.Violations), slices.Clip(w.Measured), slices.Clip(w.Boot)
	f.ToByzantine = slices.Clip(w.ToByzantine)
	f.Witnessed, f.Cut, f.names, f.disabled = maps.Clone(w.Witnessed), maps.Clone(w.Cut), maps.Clone(w.names), maps.Clone(w.disabled)
	f.pending, f.past, f.atBoot = slices.Clone(w.pending), slices.Clone(w.past), slices.Clone(w.atBoot)
	f.nodes = make([]*node, len(w.nodes))
	for i, n := range w.nodes {
		if w.opt.InPlace {
			n.shared = true
		}
		own := *n // no deep copy: a handler runs on a copy of the state
		own.holds, own.past = maps.Clone(n.holds), slices.Clone(n.past)
		f.nodes[i] = &own
	}
	f.monitors = make([]*monitor, len(w.monitors))
	for i, m := range w.monitors {
		own := *m
		own.live, own.holds = w.Codec.Fresh(m.live).(model.Monitor), maps.Clone(m.holds)
		f.monitors[i] = &own
	}
	return &f
}

// Forget removes the messages for which gone returns true: those in flight, and those that may arrive again after a
// restart. The caller knows that they will not arrive.
func (w *World) Forget(gone func(e *Event) bool) {
	messages := func(e *Event) bool { return e.Kind == model.Deliver && gone(e) }
	w.pending, w.past = slices.DeleteFunc(w.pending, messages), slices.DeleteFunc(w.past, messages)
}

// Branch is [World.Fork] for a run with its own objects: a branch of this run's objects. The cell shows its
// running handlers. With a purity the handlers run twice.
func (w *World) Branch(objects *wrapped.Objects, running *guard.Cell, purity *Purity) *World {
	f := w.Fork()
	f.System, f.opt.Running, f.opt.Purity = objects.System, running, purity
	f.setting = w.setting.with(objects)
	for _, n := range f.nodes {
		n.live, n.restart = objects.Node(n.live), objects.Node(n.restart)
	}
	return f
}
