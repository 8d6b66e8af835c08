package runs

import (
	"fmt"

	"contend/checker/search/component"
	"contend/checker/search/step"
	"contend/model"
)

// nameOf returns a name of a move by its content. Of the picks it contains only the answers. Compared moves
// leave the same state; with the same event and the same answers, they have the same questions.
func (x *Taker) nameOf(m step.Move) string {
	if m.Kind >= step.Passing {
		return fmt.Sprint(int(m.Kind), m.Delay)
	}
	b := x.Store.Bases.Items[m.Base]
	name := fmt.Sprint(m.Kind, m.Delay, m.Slot, b.Kind, b.Slot, b.From, b.Op, b.Pos, b.Optional, x.Values.Items[b.Value])
	for _, p := range m.Picks {
		name += fmt.Sprintf(" %d", p.Is)
	}
	return name
}

// Step returns the step of a move whose event has an occurrence.
func (x *Taker) Step(m step.Move, occurrence int32) Step {
	if m.Kind >= step.Passing {
		return Step{Kind: m.Kind, Delay: int(m.Delay)}
	}
	s := Step{Kind: m.Kind, Delay: int(m.Delay), Node: model.NodeID(m.Slot), Occurrence: int(occurrence)}
	if m.Kind != model.Crash && m.Kind != model.Stop && m.Kind != model.Restart {
		b := x.Store.Bases.Items[m.Base]
		s.Node, s.From, s.Op, s.Value = model.NodeID(b.Slot), model.NodeID(b.From), int(b.Op), x.Decoded(b.Value)
		s.Optional = b.Optional
		if m.Kind == model.Expire {
			s.Node, s.Claim = -1, x.ClaimOf[int(b.Slot)-x.N]
		}
	}
	s.Picks = Picks(m.Picks)
	return s
}

// Picks returns the answers to a handler.
func Picks(list []component.Pick) (all []Pick) {
	for _, p := range list {
		all = append(all, Pick{Of: int(p.Of), Is: int(p.Is), Held: p.Held != 0})
	}
	return all
}

// NodeBytes returns the encoded states of the nodes in a vector; nil for nodes that are down.
func (x *Taker) NodeBytes(v []uint32) [][]byte {
	out := make([][]byte, x.N)
	for i := range out {
		if v[i] != component.Down {
			out[i] = []byte(x.Locals.Items[v[i]].Bytes)
		}
	}
	return out
}

// inFlight returns the messages in flight in a vector.
func (x *Taker) inFlight(v []uint32, named step.Cast) []Message {
	var out []Message
	for i, id := range v[x.Head:] {
		if b := x.Store.Bases.Items[x.Store.Flats[id].Base]; model.EventKind(b.Kind) == model.Deliver {
			out = append(out, Message{model.NodeID(b.From), model.NodeID(b.Slot), x.Decoded(b.Value), int(named.Is[i])})
		}
	}
	return out
}

// InFlight returns the messages in flight in a vector, with occurrence 0.
func (x *Taker) InFlight(v []uint32) []Message {
	return x.inFlight(v, step.Cast{Is: make([]int32, len(v)-x.Head)})
}
