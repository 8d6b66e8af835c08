package world

import (
	"slices"

	"contend/model"
)

// crash crashes a node, and ends its alarms, holds and application. Messages in flight to it stay only if it
// may restart.
func (w *World) crash(id model.NodeID, comesBack bool, choose Chooser) {
	n := w.nodes[id]
	if comesBack {
		w.budget.Restarts -= w.costOfCrash()
		n.restart = w.Codec.Recovered(w.setting.nodes[id], n.live)
	} else {
		w.budget.Crashes -= w.costOfCrash()
	}
	n.live, n.down, n.holds, n.busy = nil, true, nil, comesBack && w.inOperation(id)
	stays := func(e *Event) bool {
		return e.Node != id || e.Kind == model.Deliver && comesBack
	}
	w.pending = slices.DeleteFunc(w.pending, func(e *Event) bool { return !stays(e) })
	w.past = slices.DeleteFunc(w.past, func(e *Event) bool { return !stays(e) })
	w.addReports(id, true)
	w.observe(model.Observation{Kind: model.Crashed, Node: id, Op: -1}, choose)
}

// costOfCrash returns what a crash takes from its budget.
func (w *World) costOfCrash() int {
	if w.opt.Unlimited {
		return 0
	}
	return 1
}

// inOperation reports whether an operation of a node has not returned or not been released.
func (w *World) inOperation(id model.NodeID) bool {
	return w.nodes[id].busy || slices.ContainsFunc(w.pending, func(e *Event) bool { return e.Node == id && e.Kind == model.Release })
}

// restart restarts a node with its stable fields. Messages that arrived before the crash become pending again,
// if their windows have not passed. The application continues with the next operation.
func (w *World) restart(id model.NodeID, choose Chooser) error {
	n := w.nodes[id]
	was := *n
	n.become(n.restart, w.Codec)
	n.down, n.restart, n.busy = false, nil, false
	if err := w.start(id, choose, func(own *environment) { w.resume(id, own) }); err != nil {
		*n = was
		return err
	}
	return nil
}

// resume adds the pending events of a restarted node, before the effects of Start.
func (w *World) resume(id model.NodeID, own *environment) {
	own.do(func() {
		for _, e := range w.past {
			if e.Node == id {
				again := *e
				again.Optional, again.Repeats = true, e
				w.setName(&again)
				w.pending = append(w.pending, &again)
			}
		}
		w.past = slices.DeleteFunc(w.past, func(e *Event) bool { return e.Node == id })
		w.invokes(id, w.nodes[id].op)
		w.addReports(id, false)
		w.reportDown(id)
	})
	own.observe(model.Observation{Kind: model.Recovered, Node: id, Op: -1})
}

// storeForRestart stores a delivery, if its node may still crash and restart.
func (w *World) storeForRestart(e *Event) {
	n := w.nodes[e.Node]
	if !w.System.Network.Once && w.System.Nodes[e.Node].MayRecover() && n.live != nil && (w.opt.Unlimited || w.budget.Restarts > 0) {
		w.past = append(w.past, e)
	}
}

// boot calls Start in the initial state.
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

// start calls Start, if the node has it, after before.
func (w *World) start(id model.NodeID, choose Chooser, before func(own *environment)) error {
	return w.run(id, choose, call{handler: "Start", run: func(n model.Node, env model.Env, own *environment, _ any) {
		before(own)
		if s, ok := n.(model.Starter); ok {
			s.Start(env)
		}
	}})
}
