package adversary

import "contend/model"

// mutation says what an honest node would, with one field changed (small-scope mutation: ByzzFuzz,
// Winter et al., OOPSLA 2023). What an honest node would say is what one of the same role last said
// to the receiver. The messages with the fewest fields changed, but at least one, are said; where an honest
// node has said nothing, any.
type mutation struct{}

func drawMutation(Choices, *Adversary, model.NodeID) behaviour { return mutation{} }

func (mutation) name() string { return "mutation" }

func (mutation) narrow(t *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(to model.NodeID, those []Offer) []Offer {
		honest, ok := t.traffic.peers(t.liar.id, to)
		if !ok {
			return those
		}
		return t.cast.nearest(those, t.cast.known(honest.Key, honest.Value), 1)
	})
}
