package claims

import "contend/model"

// EndsWithin claims that each operation returns less than d ticks after its invocation, unless its node crashes. Kind
// always. It assumes time.
func EndsWithin(d model.Ticks) model.Claim {
	return model.Claim{
		Name: "an operation ends in time", Kind: model.Always, Assumes: []model.Assumption{model.Timed},
		Monitor: func(*model.System) model.Monitor { return &deadlines{after: d} },
	}
}

// deadlines has an alarm for each operation that has not returned. Its key is the node.
type deadlines struct{ after model.Ticks }

func (d *deadlines) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		w.Witness()
		w.After(o.Node, model.Exactly(d.after))
	case model.Returned, model.Crashed:
		w.Cancel(o.Node)
	}
}

// Expire implements [model.Expirer].
func (d *deadlines) Expire(w model.Watch, key any) {
	w.Violate("an operation of node %d has not returned after %d ticks", key.(model.NodeID), d.after)
}
