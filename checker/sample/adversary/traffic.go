package adversary

import "contend/model"

// A Sent message was sent by a node that runs code.
type Sent struct {
	From, To model.NodeID
	Key      uint64     // equal for equal messages
	Value    func() any // makes the message, which must not be changed
}

// traffic is what the adversary has seen in a schedule.
type traffic struct {
	cast   *Cast
	wanted bool            // some behaviour looks at it
	honest map[uint64]bool // the messages that nodes which run code sent
	lies   map[uint64]bool // the messages that Byzantine nodes said
	// last is what was last sent to each node by one of a role.
	last map[heardBy]Sent
	// told is what Byzantine nodes said to each node, with those who said it.
	told map[told]model.NodeID
}

type heardBy struct {
	to   model.NodeID
	role model.Role
}

type told struct {
	to  model.NodeID
	key uint64
}

func newTraffic(k *Cast) *traffic {
	return &traffic{cast: k, honest: map[uint64]bool{}, lies: map[uint64]bool{}, last: map[heardBy]Sent{}, told: map[told]model.NodeID{}}
}

func (t *traffic) heard(m Sent) {
	t.honest[m.Key] = true
	t.last[heardBy{m.To, t.cast.system.Nodes[m.From].Role}] = m
}

func (t *traffic) lied(o Offer) {
	if t.wanted {
		t.lies[o.Key()] = true
		t.told[told{o.To, o.Key()}] = o.From
	}
}

// peers is what a node of the liar's role last sent to a node.
func (t *traffic) peers(from, to model.NodeID) (Sent, bool) {
	m, ok := t.last[heardBy{to, t.cast.system.Nodes[from].Role}]
	return m, ok
}
