package adversary

import "contend/model"

// Alphabets say what a Byzantine node may say to another now. The messages have a fixed order.
type Alphabets interface {
	// Alphabet is how many there are.
	Alphabet(to, from model.NodeID) int
	// MessageKey is equal for equal messages, in all schedules of a system.
	MessageKey(to, from model.NodeID, place int) uint64
	// Message is not to be changed.
	Message(to, from model.NodeID, place int) any
}

// An Offer is one message that a Byzantine node may say to one receiver now.
type Offer struct {
	From, To model.NodeID
	Place    int // in the receiver's alphabet
	of       Alphabets
}

// Key is equal for equal messages.
func (o Offer) Key() uint64 { return o.of.MessageKey(o.To, o.From, o.Place) }

// Value is the message, which must not be changed.
func (o Offer) Value() any { return o.of.Message(o.To, o.From, o.Place) }

// offers lists what a node may say now, ordered by receiver.
func (k *Cast) offers(from model.NodeID, of Alphabets) []Offer {
	var all []Offer
	for i := range k.system.Nodes {
		to := model.NodeID(i)
		for place := range of.Alphabet(to, from) {
			all = append(all, Offer{from, to, place, of})
		}
	}
	return all
}

// byReceiver calls f for each receiver with the offers to it, and returns what f keeps.
func byReceiver(offers []Offer, f func(to model.NodeID, those []Offer) []Offer) []Offer {
	kept := offers[:0]
	for len(offers) > 0 {
		n := 1
		for n < len(offers) && offers[n].To == offers[0].To {
			n++
		}
		kept = append(kept, f(offers[0].To, offers[:n])...)
		offers = offers[n:]
	}
	return kept
}

// A behaviour is how a Byzantine node behaves during one schedule.
type behaviour interface {
	name() string
	// narrow returns those of the offers that the node would make, in their order; none where it is
	// silent now. It may overwrite the list, which is ordered by receiver and has at least one.
	narrow(t *turn, offers []Offer) []Offer
}

// A turn is a moment at which a Byzantine node may speak.
type turn struct {
	Choices
	liar    *liar
	traffic *traffic
	cast    *Cast
	idle    bool // nothing else can happen
}

// A listener is a behaviour that wants the messages to its node.
type listener interface{ heard(m Sent) }

// A Pace is how a node spends time: of eight steps, so many are taken at the earliest instant
// possible and so many at the latest; the others at one in between.
type Pace struct{ Earliest, Latest int }

// A pacer is a behaviour with a pace of its own.
type pacer interface{ pace() Pace }
