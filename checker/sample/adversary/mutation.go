package adversary

import "contend/model"

// mutation is the behaviour that changes one field of an honest message (small-scope mutation: ByzzFuzz,
// Winter et al., OOPSLA 2023). The honest message is the last one from a node of the same role to the
// receiver. The behaviour allows the messages that differ from it in the fewest fields, at least one. Without
// an honest message it allows all.
type mutation struct{}

func drawMutation(Choices, *Adversary, model.NodeID) behaviour { return mutation{} }

func (mutation) name() string { return "mutation" }

func (mutation) narrow(t *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(to model.NodeID, candidates []Offer) []Offer {
		honest, ok := t.traffic.last(t.liar.id, to)
		if !ok {
			return candidates
		}
		return t.cast.nearest(candidates, t.cast.cachedShape(honest.Key, honest.Value), 1)
	})
}
