package world

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/wrapped"
)

// Fork returns a world that is where this one is, so that either can go on without the other.
// They share the events that are pending and those that happened, which nothing changes: what is
// found in a record of the one is pending in the other as long as it is in both. Of what a node or a
// handler may change each has its own. It costs as much as a copy of the monitors and of a few words
// for each pending event.
//
// A world that follows chains from a moment on (see [model.Cost.Since]) forgets pasts of events, and
// cannot be forked.
func (w *World) Fork() *World {
	if w.chains != nil && w.chains.Since != nil {
		model.Misused("a world that follows chains from a moment on cannot be forked")
	}
	f := *w
	f.Violations, f.Measured, f.Boot = slices.Clip(w.Violations), slices.Clip(w.Measured), slices.Clip(w.Boot)
	f.ToLiars = slices.Clip(w.ToLiars)
	f.Witnessed, f.Cut, f.names, f.cutOff = maps.Clone(w.Witnessed), maps.Clone(w.Cut), maps.Clone(w.names), maps.Clone(w.cutOff)
	f.pending, f.past, f.atBoot = slices.Clone(w.pending), slices.Clone(w.past), slices.Clone(w.atBoot)
	f.nodes = make([]*node, len(w.nodes))
	for i, n := range w.nodes {
		own := *n // a handler runs on a copy of the state
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

// Branch is Fork for a run with objects of its own, which are a branch of those of this run. Its handlers are shown in a cell, and run twice
// if there is a purity.
func (w *World) Branch(objects *wrapped.Objects, running *guard.Cell, purity *Purity) *World {
	f := w.Fork()
	f.System, f.opt.Running, f.opt.Purity = objects.System, running, purity
	own := func(n model.Node) model.Node {
		if n == nil {
			return nil
		}
		return objects.Node(n)
	}
	setting := *w.setting
	setting.system, setting.nodes = objects.System, nil
	for _, n := range w.setting.nodes {
		setting.nodes = append(setting.nodes, own(n))
	}
	f.setting = &setting
	for _, n := range f.nodes {
		n.live, n.kept = own(n.live), own(n.kept)
	}
	return f
}
