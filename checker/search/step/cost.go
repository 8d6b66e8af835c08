package step

import (
	"contend/checker/search/component"
	"contend/model"
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

// observeChain returns an observation with the chain that it ends. An invocation begins one.
func (w *Worker) observeChain(v []uint32, seen uint32, node int16) uint32 {
	at := w.pastAt + int(node)
	begins := w.Recall(seen, aboutCausal, func() uint32 {
		if o := w.Seen.Items[seen]; o.Kind == model.Invoked {
			return uint32(model.ChainFrom(int(o.Op)))
		}
		return 0
	})
	if begins != 0 {
		w.setPast(v, at, w.begun(v[at], node, model.Chain(begins)))
	}
	past := v[at]
	length := w.Recall(past, aboutCount|ofChains|toLength|uint32(node), func() uint32 {
		return uint32(model.Chain(w.Past(past)[node]).Length())
	})
	return w.Recall(seen, aboutSeenPast|length, func() uint32 {
		o := w.Seen.Items[seen]
		o.Chain = int32(length)
		return w.Seen.Id(o)
	})
}

// begun is a node's causal past in which a chain of its own begins.
func (w *Worker) begun(past uint32, node int16, chain model.Chain) uint32 {
	return w.Recall(past, aboutUnion|ofChains|uint32(node)<<16|uint32(chain.Op()), func() uint32 {
		all := w.Past(past)
		all[node] = int32(chain)
		return w.PastID(all)
	})
}
