package world

import (
	"contend/model"
	"contend/model/guard"
	"contend/model/rules"
)

// meter has a cost followed; nil is none.
func (w *World) meter(c *model.Cost) {
	if c == nil {
		return
	}
	w.sends = w.sends || c.Sends
	if c.Chains {
		w.chains = c
	}
}

// chain says how long the chain is that ends with an observation, where chains are followed: it
// is in the past that the observation has. An invocation begins one, or a moment of the cost.
func (w *World) chain(o *model.Observation, past []int32) {
	switch {
	case w.chains == nil:
	case w.chains.Since != nil:
		if guard.Since(w.chains, *o) {
			w.begin()
			return
		}
		o.Chain = model.Chain(past[0]).Length()
	case o.Kind == model.Invoked:
		w.nodes[o.Node].past[o.Node] = int32(model.ChainFrom(o.Op))
	default:
		o.Chain = model.Chain(past[o.Node]).Length()
	}
}

// begin has a chain begin at every node; what is in flight belongs to none. Such chains are in
// the first place of each past, whichever node they are at.
func (w *World) begin() {
	for _, n := range w.nodes {
		n.past[0] = int32(model.ChainFrom(0))
	}
	for _, events := range [][]*Event{w.pending, w.past} {
		for _, e := range events {
			clear(e.causalPast)
		}
	}
}

// longer is what a message carries of its sender's causal past: where that is of chains, each
// has a message more.
func (w *World) longer(past []int32) []int32 {
	if w.chains != nil {
		for i, c := range past {
			past[i] = int32(model.Chain(c).Longer(w.chains))
		}
	}
	return past
}

// toldOf lets the meter know of a message that is sent, if it asks for that.
func (e *environment) toldOf(to model.NodeID, m any) {
	if e.w.sends {
		e.observed(model.Observation{Kind: model.Sent, Node: e.id, Op: -1, Value: m, To: to})
	}
}

func (x *watch) Measure(n int) {
	x.acts()
	rules.MustMeasure("claim "+x.m.claim, n, x.counts)
	x.counts = true
	x.w.Witnessed[x.m.claim] = true
	x.w.Measured = append(x.w.Measured, Measurement{x.m.claim, n, x.w.Steps})
}

// Totals returns the numbers of a cost that is read at the end, as they are now, in ascending
// order.
func (w *World) Totals(c model.Claim) []int {
	for _, m := range w.monitors {
		if m.claim == c.Name {
			return guard.Totals(c.Name, m.live)
		}
	}
	return nil
}

// Ended reports whether the run has come to its end: it is quiescent, nobody may come back, and every
// script is done.
func (w *World) Ended() bool { return w.Done() && w.Quiescent() && !w.returns() }
