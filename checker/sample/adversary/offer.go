package adversary

import "contend/model"

// Messages are what a Byzantine node may say to a node now, in a fixed order.
type Messages interface {
	Len() int
	// Key is equal for equal messages, in all schedules of a system.
	Key(place int) uint64
	// Value is the message, which must not be changed.
	Value(place int) any
}

// An Offer is one message that a Byzantine node may say to one receiver now.
type Offer struct {
	From, To model.NodeID
	Place    int // in the receiver's alphabet
	messages Messages
}

// Key is equal for equal messages.
func (o Offer) Key() uint64 { return o.messages.Key(o.Place) }

// Value is the message, which must not be changed.
func (o Offer) Value() any { return o.messages.Value(o.Place) }

// offers lists what a node may say now, ordered by receiver.
func (k *Cast) offers(from model.NodeID, alphabet func(to, from model.NodeID) Messages) []Offer {
	var all []Offer
	for i := range k.system.Nodes {
		to := model.NodeID(i)
		if m := alphabet(to, from); m != nil {
			for place := range m.Len() {
				all = append(all, Offer{from, to, place, m})
			}
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

// a behaviour is how a Byzantine node behaves during one schedule.
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
