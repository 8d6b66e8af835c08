package adversary

import "contend/model"

// A Sent is a message from a node that runs code.
type Sent struct {
	From, To model.NodeID
	Key      uint64     // equal for equal messages
	Value    func() any // returns the message; the caller must not modify it
}

// A traffic has the messages that an adversary observed in a schedule.
type traffic struct {
	cast   *Cast
	needed bool            // a behaviour needs the messages
	honest map[uint64]bool // keys of messages from nodes that run code
	lies   map[uint64]bool // keys of forged messages
	// last has the last message to each receiver from each role.
	latest map[roleKey]Sent
	// forgers has the Byzantine node that sent a message last.
	forgers map[delivery]model.NodeID
}

type roleKey struct {
	to   model.NodeID
	role model.Role
}

type delivery struct {
	to  model.NodeID
	key uint64
}

func newTraffic(k *Cast) *traffic {
	return &traffic{cast: k, honest: map[uint64]bool{}, lies: map[uint64]bool{}, latest: map[roleKey]Sent{}, forgers: map[delivery]model.NodeID{}}
}

func (t *traffic) observe(m Sent) {
	t.honest[m.Key] = true
	t.latest[roleKey{m.To, t.cast.system.Nodes[m.From].Role}] = m
}

func (t *traffic) observeLie(o Offer) {
	if t.needed {
		t.lies[o.Key()] = true
		t.forgers[delivery{o.To, o.Key()}] = o.From
	}
}

// last returns the last message to a node from the role of another node.
func (t *traffic) last(from, to model.NodeID) (Sent, bool) {
	m, ok := t.latest[roleKey{to, t.cast.system.Nodes[from].Role}]
	return m, ok
}
