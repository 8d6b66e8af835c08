package claims

import (
	"contend/model"
)

// A Group defines the operations and deliveries of a multicast protocol. Its methods are claims about the
// protocol. Its functions are called for observations, and must be pure.
type Group struct {
	// Join and Leave report whether an operation makes its node a member, or ends the membership. They are
	// nil in a group with fixed members: the nodes that are neither servers nor Byzantine. In other groups
	// only the nodes of First are members before they join.
	Join, Leave func(call any) bool
	// First returns the initial members of a group that nodes join and leave; nil means none.
	First func(s *model.System) []model.NodeID
	// Multicast reports whether an operation multicasts a message; nil means all but joins and leaves.
	Multicast func(call any) bool
	// Message returns the message of a delivered value.
	Message func(delivered any) Message
}

// A Message is identified by its sender and its number among the sender's multicasts, from 1 to 64.
type Message struct {
	Sender model.NodeID
	Number int
}

const mostMessages = 64

// dynamic reports whether members join and leave.
func (g *Group) dynamic() bool { return g.Join != nil }

func (g *Group) joins(call any) bool  { return g.Join != nil && g.Join(call) }
func (g *Group) leaves(call any) bool { return g.Leave != nil && g.Leave(call) }

func (g *Group) multicasts(call any) bool {
	if g.Multicast != nil {
		return g.Multicast(call)
	}
	return !g.joins(call) && !g.leaves(call)
}

// A Standing is the relation of a node to its group: Outside, Joining, Member or Leaving.
type Standing int

// A joining node is a member from the return of the operation. A leaving node is no member from its invocation.
// During these operations either is permitted.
const (
	Outside Standing = iota
	Joining
	Member
	Leaving
)

// Members is the membership of a group. It is plain state for monitors.
type Members struct {
	Standing map[model.NodeID]Standing // without nodes that are Outside
}

// Follow updates the membership with an observation. A monitor must call it for each observation.
func (m *Members) Follow(g *Group, o model.Observation) {
	now := m.Standing[o.Node]
	switch {
	case o.Kind == model.Invoked && g.joins(o.Value):
		now = Joining
	case o.Kind == model.Invoked && g.leaves(o.Value):
		now = Leaving
	case o.Kind == model.Returned && now == Joining:
		now = Member
	case o.Kind == model.Returned && now == Leaving, o.Kind == model.Crashed:
		now = Outside
	}
	if now == Outside {
		delete(m.Standing, o.Node)
	} else {
		m.Standing[o.Node] = now
	}
}

// first returns the initial members.
func (g *Group) first(s *model.System) Members {
	m := Members{Standing: map[model.NodeID]Standing{}}
	var first []model.NodeID
	switch {
	case !g.dynamic():
		first = s.IDs(processes)
	case g.First != nil:
		first = g.First(s)
	}
	for _, id := range first {
		m.Standing[id] = Member
	}
	return m
}

// processes reports whether a node may be a member.
func processes(n model.NodeSpec) bool { return n.Role != model.Server && !n.Byzantine }

// numbers is a set of message numbers.
type numbers uint64

func bit(number int) numbers { return 1 << (number - 1) }

// below returns the numbers less than number.
func below(number int) numbers { return bit(number) - 1 }

// Messages has sets of message numbers, by sender. No set is empty.
type Messages map[model.NodeID]numbers

func (s Messages) has(m Message) bool { return s[m.Sender]&bit(m.Number) != 0 }

func (s Messages) add(m Message) { s[m.Sender] |= bit(m.Number) }

func (s Messages) remove(m Message) { s.set(m.Sender, s[m.Sender]&^bit(m.Number)) }

func (s Messages) set(sender model.NodeID, to numbers) {
	if to == 0 {
		delete(s, sender)
	} else {
		s[sender] = to
	}
}

// meets reports whether two sets intersect.
func (s Messages) meets(other Messages) bool {
	for sender, in := range s {
		if in&other[sender] != 0 {
			return true
		}
	}
	return false
}

// A Ledger has the messages that members have yet to deliver. A member owes the messages that were multicast
// while it was a member, from their invocation until it delivers them, leaves or crashes.
type Ledger struct {
	Members Members
	Sent    map[model.NodeID]int      // the number of messages of each sender
	Owed    map[model.NodeID]Messages // by member; no set is empty
}

func (g *Group) ledger(s *model.System) Ledger { return Ledger{Members: g.first(s)} }

// follow updates the ledger with an observation. It returns the message that was multicast or delivered, if
// any. Owed reports whether the node owed the delivery.
func (l *Ledger) follow(g *Group, o model.Observation) (sent, delivered *Message, owed bool) {
	l.Members.Follow(g, o)
	if l.Members.Standing[o.Node] != Member {
		delete(l.Owed, o.Node)
	}
	switch {
	case o.Kind == model.Invoked && g.multicasts(o.Value):
		l.Sent[o.Node]++
		sent = &Message{o.Node, l.Sent[o.Node]}
		mustBeNumber(sent.Number)
		for id, standing := range l.Members.Standing {
			if standing == Member {
				l.owe(id, *sent)
			}
		}
	case o.Kind == model.Delivered:
		m := g.Message(o.Value)
		delivered, owed = &m, l.settle(o.Node, m)
	}
	return sent, delivered, owed
}

func mustBeNumber(n int) {
	if n < 1 || n > mostMessages {
		model.Misused("message %d of a sender is multicast or delivered, but the claims here number 1 to %d", n, mostMessages)
	}
}

// forgive removes the messages of a sender from those that nodes owe.
func (l *Ledger) forgive(sender model.NodeID) {
	for _, id := range sorted(l.Owed) {
		l.Owed[id].set(sender, 0)
		if len(l.Owed[id]) == 0 {
			delete(l.Owed, id)
		}
	}
}

func (l *Ledger) owe(id model.NodeID, m Message) {
	if l.Owed[id] == nil {
		l.Owed[id] = Messages{}
	}
	l.Owed[id].add(m)
}

// settle removes a message from the messages that a node owes, and reports whether the node owed it.
func (l *Ledger) settle(id model.NodeID, m Message) (owed bool) {
	mustBeNumber(m.Number)
	owed = l.Owed[id].has(m)
	if owed {
		l.Owed[id].remove(m)
	}
	if len(l.Owed[id]) == 0 {
		delete(l.Owed, id)
	}
	return owed
}
