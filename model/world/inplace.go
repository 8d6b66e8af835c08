package world

import (
	"contend/model"
)

// In a world in place, a handler runs on the state of its node itself, unless the node is shared with a fork: then it is copied
// before the handler, once. As in a live world, arguments and results are still copied, and invariants read the states
// themselves. The state of a node whose handler failed is the one in which it failed.

// inPlace reports whether handlers run in place: no cut has to undo a step, and nobody compares the states around it.
func (w *World) inPlace() bool {
	return w.opt.InPlace && len(w.System.Cuts) == 0 && !w.opt.Trace && w.opt.Purity == nil
}

// runInPlace is run in a world in place.
func (w *World) runInPlace(id model.NodeID, choose Chooser, c call) error {
	n := w.nodes[id]
	if n.shared {
		n.live, n.shared = w.Codec.Fresh(n.live), false
	}
	e := &environment{w: w, id: id, choose: choose, call: c}
	if failed := e.run(n.live, c, w.Codec.Copy(c.arg)); failed != nil {
		w.fail(e.describe(nil), failed)
		return nil
	}
	w.Codec.Tidy(n.live)
	for _, f := range e.effects {
		if f(); w.failed {
			break
		}
	}
	return nil
}
