package claims

import (
	"slices"

	"contend/model"
)

// FIFOOrder claims that a node delivers a message only after all earlier messages of the sender. Only messages
// count that were multicast while the receiver was a member. Kind always.
func (g Group) FIFOOrder() model.Claim {
	c := g.claim("FIFO order", model.Always, func(s *model.System) model.Monitor {
		return &fifo{g: &g, Ledger: g.ledger(s)}
	})
	return Vacuous(c, g.once, "nobody multicasts twice")
}

type fifo struct {
	g      *Group
	Ledger Ledger
}

func (f *fifo) Observe(w model.Watch, o model.Observation) {
	_, m, _ := f.Ledger.follow(f.g, o)
	if m == nil {
		return
	}
	if m.Number > 1 {
		w.Witness()
	}
	if f.Ledger.Owed[o.Node][m.Sender]&below(m.Number) != 0 {
		w.Violate("it delivers message %d of a sender, but not yet an earlier one", m.Number)
	}
}

// CausalOrder claims that a node delivers a message only after all messages that precede it causally. A
// message is preceded by the messages that its sender had multicast or delivered before, and by their
// predecessors. As in [Group.FIFOOrder], only messages count that were multicast while the receiver was a
// member. A message that was received but not delivered precedes nothing. Kind always.
func (g Group) CausalOrder() model.Claim {
	return g.claim("causal order", model.Always, func(s *model.System) model.Monitor {
		return &causal{g: &g, Ledger: g.ledger(s)}
	})
}

type causal struct {
	g      *Group
	Ledger Ledger
	// Known has, for each node, the messages that it has multicast or delivered, with all their predecessors.
	// Before has the predecessors of a message, by sender and number. Both have only messages that some node
	// owes.
	Known  map[model.NodeID]Messages
	Before map[model.NodeID]map[int]Messages
}

func (c *causal) Observe(w model.Watch, o model.Observation) {
	sent, delivered, _ := c.Ledger.follow(c.g, o)
	switch {
	case sent != nil:
		c.sends(o.Node, *sent)
	case delivered != nil:
		before := c.Before[delivered.Sender][delivered.Number]
		if len(before) > 0 {
			w.Witness()
		}
		if before.meets(c.Ledger.Owed[o.Node]) {
			w.Violate("it delivers a message, but not yet one that precedes it causally")
		}
		c.learns(o.Node, *delivered)
	}
	c.forget()
}

func (c *causal) sends(id model.NodeID, m Message) {
	if c.Before[id] == nil {
		c.Before[id] = map[int]Messages{}
	}
	before := Messages{}
	for sender, in := range c.Known[id] {
		before[sender] = in
	}
	c.Before[id][m.Number] = before
	c.know(id)[id] |= bit(m.Number)
}

func (c *causal) learns(id model.NodeID, m Message) {
	known := c.know(id)
	known.add(m)
	for sender, in := range c.Before[m.Sender][m.Number] {
		known[sender] |= in
	}
}

func (c *causal) know(id model.NodeID) Messages {
	if c.Known[id] == nil {
		c.Known[id] = Messages{}
	}
	return c.Known[id]
}

// forget removes messages that every node has delivered.
func (c *causal) forget() {
	owed := Messages{}
	for _, debts := range c.Ledger.Owed {
		for sender, in := range debts {
			owed[sender] |= in
		}
	}
	for _, id := range sorted(c.Known) {
		if keep(c.Known[id], owed); len(c.Known[id]) == 0 {
			delete(c.Known, id)
		}
	}
	for _, sender := range sorted(c.Before) {
		for number, before := range c.Before[sender] {
			if keep(before, owed); owed[sender]&bit(number) == 0 {
				delete(c.Before[sender], number)
			}
		}
		if len(c.Before[sender]) == 0 {
			delete(c.Before, sender)
		}
	}
}

// keep removes from s the messages that are not in of.
func keep(s, kept Messages) {
	for _, sender := range sorted(s) {
		s.set(sender, s[sender]&kept[sender])
	}
}

// TotalOrder claims that no two correct nodes deliver two messages in different orders. Deliveries of crashed
// nodes do not count. Kind always.
func (g Group) TotalOrder() model.Claim { return g.total("total order", false) }

// UniformTotalOrder is [Group.TotalOrder] that also counts nodes that crash later.
func (g Group) UniformTotalOrder() model.Claim { return g.total("uniform total order", true) }

func (g Group) total(name string, uniform bool) model.Claim {
	return g.claim(name, model.Always, func(s *model.System) model.Monitor {
		m := &total{g: &g, uniform: uniform, Delivered: map[model.NodeID][]Message{}}
		for id := range g.first(s).Standing {
			m.Delivered[id] = nil
		}
		return m
	})
}

type total struct {
	g       *Group
	uniform bool
	// Delivered has the deliveries of each node, in order. In a group with fixed members the common prefix is
	// removed.
	Delivered map[model.NodeID][]Message
}

func (t *total) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Crashed && !t.uniform:
		delete(t.Delivered, o.Node)
	case o.Kind == model.Delivered:
		m := t.g.Message(o.Value)
		for _, other := range sorted(t.Delivered) {
			if other != o.Node {
				t.compare(w, t.Delivered[o.Node], t.Delivered[other], m)
			}
		}
		t.Delivered[o.Node] = append(t.Delivered[o.Node], m)
	}
	for !t.g.dynamic() && t.alike() {
		for id := range t.Delivered {
			t.Delivered[id] = t.Delivered[id][1:]
		}
	}
}

// compare reports a violation if another node has delivered m before a message that this node delivered
// earlier.
func (t *total) compare(w model.Watch, mine, other []Message, m Message) {
	index := slices.Index(other, m)
	if index < 0 {
		return
	}
	w.Witness()
	if slices.ContainsFunc(mine, func(before Message) bool { return slices.Contains(other[index+1:], before) }) {
		w.Violate("it delivers two messages in another order than another node")
	}
}

// alike reports whether all nodes have delivered the same first message.
func (t *total) alike() bool {
	var first []Message
	for _, id := range sorted(t.Delivered) {
		all := t.Delivered[id]
		if len(all) == 0 || len(first) > 0 && first[0] != all[0] {
			return false
		}
		first = all[:1]
	}
	return len(first) > 0
}
