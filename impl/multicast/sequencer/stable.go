package sequencer

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// A sequencer that restarts must know the last number that it assigned. So the number is in stable storage.
// This is not enough: a message that arrived before the crash may arrive again, as if its sender had received
// no acknowledgement. So the sequencer also stores which messages it has numbered.

// filter makes the sequencer ignore messages that it has numbered.
var filter = variant.Nodes(func(q Sequencer) model.Node { return &FilteringSequencer{Sequencer: q} })

// A FilteringSequencer numbers each message once. It stores all their names, since messages of one sender may
// arrive in any order.
type FilteringSequencer struct {
	Sequencer
	Known map[multicast.Message]bool
}

// Receive handles a message that may have arrived before.
func (s *FilteringSequencer) Receive(env model.Env, _ model.NodeID, m any) {
	if message := m.(Request).Message; !s.Known[message] {
		s.Known[message] = true
		s.number(env, message)
	}
}

// keep gives the sequencer stable storage, for its number and for the numbered messages.
var keep = variant.All(filter, variant.Nodes(func(q FilteringSequencer) model.Node { return &StableSequencer{q} }))

// A StableSequencer restarts with its state.
type StableSequencer struct {
	FilteringSequencer `contend:"stable"`
}
