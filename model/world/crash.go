package world

import (
	"slices"

	"contend/model"
)

// crash takes a node down: its timers, holds and application are gone. What is in
// flight to a node that may come back stays in flight; to another nothing can matter any more.
func (w *World) crash(id model.NodeID, comesBack bool, choose Chooser) {
	n := w.nodes[id]
	if comesBack {
		w.budget.Restarts--
		n.kept = w.Codec.Recovered(w.setting.nodes[id], n.live)
	} else {
		w.budget.Crashes--
	}
	n.live, n.down, n.holds, n.busy = nil, true, nil, comesBack && w.within(id)
	stays := func(e *Event) bool {
		return e.Node != id || e.Kind == model.Deliver && comesBack
	}
	w.pending = slices.DeleteFunc(w.pending, func(e *Event) bool { return !stays(e) })
	w.past = slices.DeleteFunc(w.past, func(e *Event) bool { return !stays(e) })
	w.reports(id, true)
	w.observe(model.Observation{Kind: model.Crashed, Node: id, Op: -1}, choose)
}

// within reports whether the application of a node is within an operation: it has not returned, or has still to release.
func (w *World) within(id model.NodeID) bool {
	return w.nodes[id].busy || slices.ContainsFunc(w.pending, func(e *Event) bool { return e.Node == id && e.Kind == model.Release })
}

// restart brings a node back, with its stable fields. What reached the old
// incarnation may arrive once more, so long as the network could still deliver it. The
// application goes on with the operation after the last that it began.
func (w *World) restart(id model.NodeID, choose Chooser) error {
	n := w.nodes[id]
	was := *n
	n.become(n.kept, w.Codec)
	n.down, n.kept, n.busy = false, nil, false
	if err := w.start(id, choose, func(own *environment) { w.comesBack(id, own) }); err != nil {
		*n = was
		return err
	}
	return nil
}

// comesBack makes what is pending at a node that is back, before Start has its effects.
func (w *World) comesBack(id model.NodeID, own *environment) {
	own.do(func() {
		for _, e := range w.past {
			if e.Node == id {
				again := *e
				again.Optional, again.Repeats = true, e
				w.named(&again)
				w.pending = append(w.pending, &again)
			}
		}
		w.past = slices.DeleteFunc(w.past, func(e *Event) bool { return e.Node == id })
		w.invokes(id, w.nodes[id].op)
		w.reports(id, false)
		w.catchesUp(id)
	})
	own.observed(model.Observation{Kind: model.Recovered, Node: id, Op: -1})
}

// keepForRestart remembers a delivery to a node that may yet crash and come back.
func (w *World) keepForRestart(e *Event) {
	n := w.nodes[e.Node]
	if !w.System.Network.Once && w.System.Nodes[e.Node].MayRecover() && n.live != nil && w.budget.Restarts > 0 {
		w.past = append(w.past, e)
	}
}

// boot runs Start as the run begins.
func (w *World) boot(id model.NodeID) {
	if _, ok := w.nodes[id].live.(model.Starter); !ok {
		return
	}
	choose := w.opt.Boot
	if choose == nil {
		choose = func(int, string) int { return 0 }
	}
	w.current.Choices = nil
	if err := w.start(id, choose, func(*environment) {}); err != nil {
		model.Refuse("node %s: Start leads beyond a cut", w.System.Name(id))
	}
	for _, c := range w.current.Choices {
		w.Boot = append(w.Boot, Booted{id, c})
	}
}

// start runs Start, if there is one; before comes first.
func (w *World) start(id model.NodeID, choose Chooser, before func(own *environment)) error {
	return w.run(id, choose, call{handler: "Start", run: func(n model.Node, env model.Env, own *environment, _ any) {
		before(own)
		if s, ok := n.(model.Starter); ok {
			s.Start(env)
		}
	}})
}
