package world

import (
	"contend/model"
	"contend/model/guard"
	"contend/model/rules"
)

// meter sets up the observations of a cost; nil means none.
func (w *World) meter(c *model.Cost) {
	if c == nil {
		return
	}
	w.sends = w.sends || c.Sends
	if c.Chains {
		w.chains = c
	}
}

// chain sets the chain of an observation from the causal past, or begins one, if a cost has Chains.
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

// begin begins a chain at every node, and removes the chains of messages in flight. These chains are at index
// 0 of every past.
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

// longer returns the past that a message carries. If it has chains, each has one more message.
func (w *World) longer(past []int32) []int32 {
	if w.chains != nil {
		for i, c := range past {
			past[i] = int32(model.Chain(c).Longer(w.chains))
		}
	}
	return past
}

// observeSend creates the observation of a sent message, if the meter needs it.
func (e *environment) observeSend(to model.NodeID, m any) {
	if e.w.sends {
		e.observe(model.Observation{Kind: model.Sent, Node: e.id, Op: -1, Value: m, To: to})
	}
}

func (x *watch) Measure(n int) {
	x.countEffect()
	rules.MustMeasure("claim "+x.m.claim, n, x.counts)
	x.counts = true
	x.w.Witnessed[x.m.claim] = true
	x.w.Measured = append(x.w.Measured, Measurement{x.m.claim, n, x.w.Steps})
}

// Totals returns the present numbers of a cost with AtEnd, sorted.
func (w *World) Totals(c model.Claim) []int {
	for _, m := range w.monitors {
		if m.claim == c.Name {
			return guard.Totals(c.Name, m.live)
		}
	}
	return nil
}

// Ended reports whether the run has ended: it is quiescent, no node may restart, and every script is done.
func (w *World) Ended() bool { return w.Done() && w.Quiescent() && !w.mayRestart() }
