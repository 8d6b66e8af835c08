package simulate

import (
	"contend/model"
	"contend/model/guard"
)

// A Behaviour is what faulty servers do. They run no code: what may arrive from one is
// the alphabet that [model.System.Forge] gives, at the receiver's state when it arrives.
type Behaviour struct {
	speaks bool
	place  int // in the alphabet; −1: drawn each time
}

// Silent servers never answer, as if they had crashed before the run.
var Silent = Behaviour{}

// Random servers answer every message, once, with a message drawn uniformly from the
// alphabet, at an instant drawn uniformly within a round trip from its sending.
var Random = Behaviour{speaks: true, place: -1}

// Stubborn servers answer every message at the instant of its sending, always with the
// message at one place of the alphabet, from 0: counted round where it is shorter.
func Stubborn(place int) Behaviour { return Behaviour{speaks: true, place: place} }

// hear lets a server know of a message that was sent to it.
func (b Behaviour) hear(r *simulation, server, from model.NodeID) {
	if !b.speaks {
		return
	}
	e := &event{kind: model.Forge, node: from, from: server}
	e.at = r.now
	if b.place < 0 {
		trip := latest(r.System.Network.Window(from, server)) + latest(r.System.Network.Window(server, from))
		e.at += Time(r.chance.Int64N(int64(trip) + 1))
	}
	r.push(e)
}

// forge lets a faulty server's message arrive, if it has anything to say.
func (r *simulation) forge(e *event) {
	alphabet, failed := guard.Forge(r.System, r.nodes[e.node].live, e.node, e.from)
	if failed != nil {
		model.Refuse("Forge fails, so there is nothing to measure; verify check finds the run: %v", failed)
	}
	r.result.Alphabet = max(r.result.Alphabet, len(alphabet))
	if len(alphabet) == 0 {
		return
	}
	place := r.Faulty.place
	if place < 0 {
		place = r.chance.IntN(len(alphabet))
	}
	e.value = r.Codec.Copy(alphabet[place%len(alphabet)])
	r.result.Said = e.value
	r.receive(e.node, e.from, e.value)
}
