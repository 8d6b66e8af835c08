package step

import (
	"contend/checker/search/component"
	"contend/model"
	"contend/model/guard"
)

// told tells the meter of the i-th effect, a message that is sent, and goes on after it.
func (w *Worker) told(v []uint32, r *rest, i int) {
	base := r.effects[i].Base
	seen := w.Recall(base, aboutNote|ofSending, func() uint32 {
		b := w.Store.Bases.Items[base]
		return w.Seen.Id(component.Observation{Kind: model.Sent, Node: b.From, Op: -1, Value: b.Value, To: b.Slot})
	})
	after := *r
	after.effects = r.effects[i+1:]
	w.observe(v, seen, r.slot, &after)
}

// carried is what a message carries of the causal past of its sender: where that is of chains,
// each has a message more.
func (w *Worker) carried(past uint32) uint32 {
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

// observeChain returns an observation with the chain that it ends, which is in a past of its node.
// An invocation begins one, or a moment of the cost.
func (w *Worker) observeChain(v []uint32, seen uint32, node int16, past uint32) uint32 {
	place := node
	begins := w.Recall(seen, aboutCausal, func() uint32 { return uint32(w.begins(seen)) })
	switch {
	case w.chains.Since != nil:
		if place = 0; begins != 0 {
			past = w.beginAll(v)
		}
	case begins != 0:
		at := w.pastAt + int(node)
		past = w.begun(v[at], node, model.Chain(begins))
		w.setPast(v, at, past)
	}
	length := w.Recall(past, aboutCount|ofChains|toLength|uint32(place), func() uint32 {
		return uint32(model.Chain(w.Past(past)[place]).Length())
	})
	return w.Recall(seen, aboutSeenPast|length, func() uint32 {
		o := w.Seen.Items[seen]
		o.Chain = int32(length)
		return w.Seen.Id(o)
	})
}

// begins is the chain that begins with an observation, or zero.
func (w *Worker) begins(seen uint32) model.Chain {
	o := w.Seen.Items[seen]
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

// beginAll has a chain begin at every node, and returns their past; what is in flight belongs to
// none. Such chains are in the first place of each past, whichever node they are at, so that
// nothing of those before is left in a state.
func (w *Worker) beginAll(v []uint32) uint32 {
	none := w.Recall(0, aboutCausal|ofChains, func() uint32 { return w.PastID(make([]int32, w.N)) })
	past := w.begun(none, 0, model.ChainFrom(0))
	for at := w.pastAt; at < w.Head; at++ {
		w.setPast(v, at, past)
	}
	for i := w.Head; i < len(v); i++ {
		if old := w.bases[w.Flats[v[i]].Base].Past; old != 0 && old != none {
			w.replace(v, i, w.with(v[i], none))
		}
	}
	return past
}

// begun is a node's causal past in which a chain of its own begins.
func (w *Worker) begun(past uint32, node int16, chain model.Chain) uint32 {
	return w.Recall(past, aboutUnion|ofChains|uint32(node)<<16|uint32(chain.Op()), func() uint32 {
		all := w.Past(past)
		all[node] = int32(chain)
		return w.PastID(all)
	})
}
