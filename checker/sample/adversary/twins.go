package adversary

import (
	"contend/model"
)

// twins are two honest nodes that have the identity of the Byzantine one (Bano et al., Twins, OPODIS 2021).
// Each hears some of the other nodes only, and speaks to these. What a twin said last to a node is
// said; where the alphabet does not allow that, what differs from it in the fewest fields. A
// node that the twin has not answered hears nothing, unless nothing else can happen.
type twins struct {
	part int
	by   [2]*twin
	said [2]map[model.NodeID]shape
}

func drawTwins(c Choices, a *Adversary, id model.NodeID) behaviour {
	begin := a.cast.twinned(id)
	return &twins{part: drawSet(c), by: [2]*twin{begin, begin}, said: [2]map[model.NodeID]shape{{}, {}}}
}

func (*twins) name() string { return "twins" }

// side is the twin for a node.
func (w *twins) side(id model.NodeID) int {
	if in(w.part, id) {
		return 1
	}
	return 0
}

func (w *twins) heard(m Sent) { w.step(w.side(m.From), trigger{from: m.From, key: m.Key}, m.Value) }

// step lets a twin take something in.
func (w *twins) step(side int, t trigger, message func() any) {
	if w.by[side] == nil {
		return
	}
	r := w.by[side].react(t, message)
	w.by[side] = r.next
	for _, m := range r.said {
		w.said[side][m.to] = m.is
	}
}

func (w *twins) narrow(t *turn, offers []Offer) []Offer {
	side := t.Choose(2)
	if t.Choose(4) == 0 {
		w.step(side, trigger{alarm: true}, nil)
	}
	return byReceiver(offers, func(to model.NodeID, those []Offer) []Offer {
		honest, said := w.said[w.side(to)][to]
		switch {
		case said:
			return t.cast.nearest(those, honest, 0)
		case t.idle || w.by[w.side(to)] == nil:
			return those
		}
		return nil
	})
}
