package simulate

import (
	"contend/model"
	"contend/model/guard"
)

// A Behaviour is a behaviour of faulty servers. They run no code. Their messages are in the alphabet of
// [model.System.Forge] for the receiver's state on arrival.
type Behaviour struct {
	answers bool
	index   int // index in the alphabet; −1: drawn for each message
}

// Silent servers never answer, as if they had crashed before the run.
var Silent = Behaviour{}

// Random servers answer each message once, with a message drawn uniformly from the alphabet, at an instant
// drawn uniformly within a round trip.
var Random = Behaviour{answers: true, index: -1}

// Stubborn servers answer each message at the instant of its sending. The answer has a fixed index of the
// alphabet, from 0, modulo the size.
func Stubborn(place int) Behaviour { return Behaviour{answers: true, index: place} }

// receive schedules a faulty server's answer to a message.
func (b Behaviour) receive(r *simulation, server, from model.NodeID) {
	if !b.answers {
		return
	}
	e := &event{kind: model.Forge, node: from, from: server}
	e.instant = r.now
	if b.index < 0 {
		trip := latest(r.System.Network.Window(from, server)) + latest(r.System.Network.Window(server, from))
		e.instant += Time(r.chance.Int64N(int64(trip) + 1))
	}
	r.push(e)
}

// forge delivers a faulty server's message, unless its alphabet is empty.
func (r *simulation) forge(e *event) {
	alphabet, failed := guard.Forge(r.System, r.nodes[e.node].live, e.node, e.from)
	if failed != nil {
		model.Refuse("Forge fails, so there is nothing to measure; verify check finds the run: %v", failed)
	}
	r.result.Alphabet = max(r.result.Alphabet, len(alphabet))
	if len(alphabet) == 0 {
		return
	}
	place := r.Faulty.index
	if place < 0 {
		place = r.chance.IntN(len(alphabet))
	}
	e.value = r.Codec.Copy(alphabet[place%len(alphabet)])
	r.result.LastMessage = e.value
	r.receive(e.node, e.from, e.value)
}
