package adversary

import "contend/model"

// Alphabets has the messages that Byzantine nodes may send now, in a fixed order.
type Alphabets interface {
	// Alphabet returns the number of messages.
	Alphabet(to, from model.NodeID) int
	// MessageKey returns the same key for equal messages in all schedules of a system.
	MessageKey(to, from model.NodeID, place int) uint64
	// Message returns a message. The caller must not modify it.
	Message(to, from model.NodeID, place int) any
}

// An Offer is a message that a Byzantine node may send to a receiver now.
type Offer struct {
	From, To  model.NodeID
	Place     int // index in the receiver's alphabet
	alphabets Alphabets
}

// Key returns the key of the message, equal for equal messages.
func (o Offer) Key() uint64 { return o.alphabets.MessageKey(o.To, o.From, o.Place) }

// Value returns the message. The caller must not modify it.
func (o Offer) Value() any { return o.alphabets.Message(o.To, o.From, o.Place) }

// offers returns all messages that a node may send now, ordered by receiver.
func (k *Cast) offers(from model.NodeID, alphabets Alphabets) []Offer {
	var all []Offer
	for i := range k.system.Nodes {
		to := model.NodeID(i)
		for place := range alphabets.Alphabet(to, from) {
			all = append(all, Offer{from, to, place, alphabets})
		}
	}
	return all
}

// byReceiver calls f for each receiver with the offers to it, and returns the concatenated results.
func byReceiver(offers []Offer, f func(to model.NodeID, candidates []Offer) []Offer) []Offer {
	result := offers[:0]
	for len(offers) > 0 {
		n := 1
		for n < len(offers) && offers[n].To == offers[0].To {
			n++
		}
		result = append(result, f(offers[0].To, offers[:n])...)
		offers = offers[n:]
	}
	return result
}

// A behaviour filters the messages of a Byzantine node in one schedule.
type behaviour interface {
	name() string
	// narrow returns the allowed offers, in their order; none if the node is silent now. It may overwrite the
	// list. The list is ordered by receiver and not empty.
	narrow(t *turn, offers []Offer) []Offer
}

// A turn is an opportunity of a Byzantine node to send.
type turn struct {
	Choices
	liar    *liar
	traffic *traffic
	cast    *Cast
	idle    bool // nothing else can happen
}

// A listener is a behaviour that observes the messages to its node.
type listener interface{ observe(m Sent) }

// A Pace is the distribution of a node's instants. Of eight steps, Earliest happen at the earliest possible
// instant and Latest at the latest. The others happen in between.
type Pace struct{ Earliest, Latest int }

// A pacer is a behaviour with a pace of its own.
type pacer interface{ pace() Pace }
