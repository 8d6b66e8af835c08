package adversary

import (
	"contend/model"
)

// twins is the behaviour of two honest nodes with one Byzantine identity (Bano et al., Twins, OPODIS 2021).
// Each twin receives from and sends to a part of the other nodes. A receiver gets its twin's last message to
// it, or the messages of the alphabet that differ from it in the fewest fields. A receiver without such a
// message gets nothing, unless nothing else can happen.
type twins struct {
	part  int
	twins [2]*twin
	sent  [2]map[model.NodeID]shape
}

func drawTwins(c Choices, a *Adversary, id model.NodeID) behaviour {
	begin := a.cast.honest(id)
	return &twins{part: drawSet(c), twins: [2]*twin{begin, begin}, sent: [2]map[model.NodeID]shape{{}, {}}}
}

func (*twins) name() string { return "twins" }

// side returns the index of the twin that communicates with a node.
func (w *twins) side(id model.NodeID) int {
	if contains(w.part, id) {
		return 1
	}
	return 0
}

func (w *twins) observe(m Sent) { w.step(w.side(m.From), trigger{from: m.From, key: m.Key}, m.Value) }

// step triggers a twin.
func (w *twins) step(side int, t trigger, message func() any) {
	if w.twins[side] == nil {
		return
	}
	r := w.twins[side].react(t, message)
	w.twins[side] = r.next
	for _, m := range r.sent {
		w.sent[side][m.to] = m.shape
	}
}

func (w *twins) narrow(t *turn, offers []Offer) []Offer {
	side := t.Choose(2)
	if t.Choose(4) == 0 {
		w.step(side, trigger{alarm: true}, nil)
	}
	return byReceiver(offers, func(to model.NodeID, candidates []Offer) []Offer {
		honest, known := w.sent[w.side(to)][to]
		switch {
		case known:
			return t.cast.nearest(candidates, honest, 0)
		case t.idle || w.twins[w.side(to)] == nil:
			return candidates
		}
		return nil
	})
}
