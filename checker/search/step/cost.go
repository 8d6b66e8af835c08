package step

import (
	"contend/checker/search/component"
	"contend/model"
	"contend/model/guard"
)

// observeSend notifies the monitors of the i-th effect, a sent message, and continues with the effects after
// it.
func (w *Worker) observeSend(v []uint32, r *rest, i int) {
	base := r.effects[i].Base
	seen := w.Recall(base, aboutNote|ofSending, func() uint32 {
		b := w.Store.Bases.Items[base]
		return w.Store.Seen.Id(component.Observation{Kind: model.Sent, Node: b.From, Op: -1, Value: b.Value, To: b.Slot})
	})
	after := *r
	after.effects = r.effects[i+1:]
	w.observe(v, seen, r.slot, &after)
}

// carriedPast returns the causal past that a message carries, given the past of its sender. Where pasts consist
// of chains, each chain is longer by one message.
func (w *Worker) carriedPast(past uint32) uint32 {
	if w.chains == nil {
		return past
	}
	return w.Recall(past, aboutCount|ofChains, func() uint32 {
		all := w.Past(past)
		for i, c := range all {
			all[i] = int32(model.Chain(c).Longer(w.chains))
		}
		return w.PastID(all)
	})
}

// observeChain returns an observation with the length of the chain that it ends. The chain lies in a past of
// the node. An invocation begins a chain; if the cost has a Since, only an observation that Since selects
// begins chains.
func (w *Worker) observeChain(v []uint32, seen uint32, node int16, past uint32) uint32 {
	place := node
	begins := w.Recall(seen, aboutCausal, func() uint32 { return uint32(w.newChain(seen)) })
	switch {
	case w.chains.Since != nil:
		if place = 0; begins != 0 {
			past = w.beginChains(v)
		}
	case begins != 0:
		at := w.pastAt + int(node)
		past = w.withChain(v[at], node, model.Chain(begins))
		w.setPast(v, at, past)
	}
	length := w.Recall(past, aboutCount|ofChains|toLength|uint32(place), func() uint32 {
		return uint32(model.Chain(w.Past(past)[place]).Length())
	})
	return w.Recall(seen, aboutSeenPast|length, func() uint32 {
		o := w.Store.Seen.Items[seen]
		o.Chain = int32(length)
		return w.Store.Seen.Id(o)
	})
}

// newChain returns the chain that begins with an observation, or 0.
func (w *Worker) newChain(seen uint32) model.Chain {
	o := w.Store.Seen.Items[seen]
	switch {
	case w.chains.Since != nil:
		if guard.Since(w.chains, w.Observation(o)) {
			return model.ChainFrom(0)
		}
	case o.Kind == model.Invoked:
		return model.ChainFrom(int(o.Op))
	}
	return 0
}

// beginChains begins a chain at every node and returns the past of each node. Messages in flight get a past
// without chains. Such chains are all in the first place of a past, so that no earlier chain stays in a state.
func (w *Worker) beginChains(v []uint32) uint32 {
	none := w.Recall(0, aboutCausal|ofChains, func() uint32 { return w.PastID(make([]int32, w.N)) })
	past := w.withChain(none, 0, model.ChainFrom(0))
	for at := w.pastAt; at < w.Head; at++ {
		w.setPast(v, at, past)
	}
	for i := w.Head; i < len(v); i++ {
		if old := w.bases[w.Flats[v[i]].Base].Past; old != 0 && old != none {
			w.replacePart(v, i, w.withPast(v[i], none))
		}
	}
	return past
}

// withChain returns a node's causal past with the chain added in place of the node's chain.
func (w *Worker) withChain(past uint32, node int16, chain model.Chain) uint32 {
	return w.Recall(past, aboutUnion|ofChains|uint32(node)<<16|uint32(chain.Op()), func() uint32 {
		all := w.Past(past)
		all[node] = int32(chain)
		return w.PastID(all)
	})
}
