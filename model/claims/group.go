package claims

import (
	"contend/model"
)

// A Group says how the operations and deliveries of a multicast protocol are to be read. Its
// methods are claims about it.
type Group struct {
	// Join and Leave say which operations make their node a member, and end that; nil in a
	// group that nobody joins or leaves. Then its members are the nodes that are neither
	// servers nor Byzantine; else nobody is a member before he joins, but for the First.
	Join, Leave func(call any) bool
	// First lists who is a member as a run begins, of a group that nodes join and leave; nil: nobody.
	First func(s *model.System) []model.NodeID
	// Multicast says which operations multicast a message; nil: all but joins and leaves.
	Multicast func(call any) bool
	// Message says which message a delivered value is.
	Message func(delivered any) Message
}

// A Message names a message by its sender and its number among those that the sender
// multicasts, from 1 to 64.
type Message struct {
	Sender model.NodeID
	Number int
}

const mostMessages = 64

// dynamic reports whether members come and go.
func (g *Group) dynamic() bool { return g.Join != nil }

func (g *Group) joins(call any) bool  { return g.Join != nil && g.Join(call) }
func (g *Group) leaves(call any) bool { return g.Leave != nil && g.Leave(call) }

func (g *Group) multicasts(call any) bool {
	if g.Multicast != nil {
		return g.Multicast(call)
	}
	return !g.joins(call) && !g.leaves(call)
}

// A Standing is what a node is to its group: Outside, Joining, Member or Leaving.
type Standing int

// A node that joins is a member from the return of the operation on, and one that leaves no
// more from its invocation on: between the two ends of these operations it may count as either.
const (
	Outside Standing = iota
	Joining
	Member
	Leaving
)

// Members follows who is a member when. It is plain state for the monitors here and for those of
// one's own, which hand it what they observe.
type Members struct {
	Standing map[model.NodeID]Standing // of those that are not outside
}

// Follow takes an observation in; first tells of the members that there are as the run begins.
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

// first returns the members that there are as a run begins.
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

// processes are the nodes that may be members.
func processes(n model.NodeSpec) bool { return n.Role != model.Server && !n.Byzantine }

// numbers is a set of message numbers.
type numbers uint64

func bit(number int) numbers { return 1 << (number - 1) }

// below are the numbers before one.
func below(number int) numbers { return bit(number) - 1 }

// Messages are sets of message numbers, by sender; none is empty.
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

// meets reports whether two sets have a message in common.
func (s Messages) meets(other Messages) bool {
	for sender, in := range s {
		if in&other[sender] != 0 {
			return true
		}
	}
	return false
}

// A Ledger keeps which members still owe the delivery of which messages: those that were
// multicast, as of the invocation, while they were members, until they deliver them, leave or
// crash.
type Ledger struct {
	Members Members
	Sent    map[model.NodeID]int      // messages of each sender
	Owed    map[model.NodeID]Messages // by each member that owes any
}

func (g *Group) ledger(s *model.System) Ledger { return Ledger{Members: g.first(s)} }

// follow takes an observation in. Where it multicasts or delivers a message it says which; of a
// delivery, whether it was owed.
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
		for id, is := range l.Members.Standing {
			if is == Member {
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

func (l *Ledger) owe(id model.NodeID, m Message) {
	if l.Owed[id] == nil {
		l.Owed[id] = Messages{}
	}
	l.Owed[id].add(m)
}

// settle takes a message off what a node owes.
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
