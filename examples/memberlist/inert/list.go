package inert

import (
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"contend/model"
	"contend/model/foreign"

	"github.com/hashicorp/memberlist"
)

// A Packet is a message of gossip, in the library's encoding, with the port that it goes to.
type Packet struct {
	To   int
	Text string
}

// A Sight is a list's entry for a node.
type Sight struct {
	Name        string
	Port        int
	State       memberlist.NodeStateType
	Incarnation int
}

// Receive handles a gossip message.
func (l *List) Receive(text string) {
	handle := map[Kind]func(*memberlist.Memberlist, []byte, net.Addr){
		AliveKind: handleAlive, SuspectKind: handleSuspect, DeadKind: handleDead,
	}[Kind(text[0])]
	handle(l.M, []byte(text[1:]), nil)
	l.quiet()
}

// Fail ends a probe of a node without an answer: see probeNode of the library.
func (l *List) Fail(name string) {
	state, known := nodeMap(l.M)[name]
	model.Assert(known, "%s is not known", name)
	suspectNode(l.M, &Suspect{Incarnation: state.Incarnation, Node: name, From: l.name()})
	l.quiet()
}

// Expire ends the suspicion of a node.
func (l *List) Expire(name string) {
	s := nodeTimers(l.M)[name]
	s.timeoutFn()
	delete(l.Timers, name)
	l.quiet()
}

// ExpireLate fires the timer of a suspicion that was already over.
func (l *List) ExpireLate(name string) {
	l.Late[name][0].timeoutFn()
	l.Drop(name)
	l.quiet()
}

// Drop forgets the first timer of a suspicion that is over.
func (l *List) Drop(name string) {
	if l.Late[name] = l.Late[name][1:]; len(l.Late[name]) == 0 {
		delete(l.Late, name)
	}
}

// Leave leaves the group. It does not wait until other nodes have received the notice.
func (l *List) Leave() {
	_ = l.M.Leave(time.Nanosecond) // an error means that no node has received the notice yet
	l.quiet()
}

// LeaveFirst and LeaveAs are the halves of the library's Leave. Between them it holds no lock. LeaveFirst
// returns the incarnation, and LeaveAs announces that this incarnation is over.
func (l *List) LeaveFirst() (incarnation int) {
	foreign.Field[atomic.Int32](l.M, "leave").Store(1)
	return int(nodeMap(l.M)[l.name()].Incarnation)
}

// LeaveAs executes the second half of Leave.
func (l *List) LeaveAs(incarnation int) {
	deadNode(l.M, &Dead{Incarnation: uint32(incarnation), Node: l.name(), From: l.name()})
	l.quiet()
}

// Ask begins an exchange of whole lists, to join a group or later. It returns the message to the other node.
func (l *List) Ask(name string, port int, join bool) string {
	l.Wire.stream = newStream(nil)
	_ = pushPullNode(l.M, address(name, port), join) // fails, for there is no answer yet
	return l.hungUp()
}

// Answer handles the request at the other node. It returns the answer.
func (l *List) Answer(asked string) string {
	s := newStream([]byte(asked))
	handleConn(l.M, s)
	l.quiet()
	return s.out.String()
}

// Hear ends an exchange. The message to the other node is sent again, to nobody.
func (l *List) Hear(name string, port int, join bool, answer string) {
	l.Wire.stream = newStream([]byte(answer))
	err := pushPullNode(l.M, address(name, port), join)
	model.Assert(err == nil, "push/pull with %s: %v", name, err)
	l.hungUp()
}

func (l *List) hungUp() string {
	sent := l.Wire.stream.out.String()
	l.Wire.stream = nil
	l.quiet()
	return sent
}

// Reap deletes the nodes that are dead or have left, as the library does after a long time.
func (l *List) Reap() {
	c := *field[*memberlist.Config](l.M, "config")
	keep := c.GossipToTheDeadTime
	c.GossipToTheDeadTime = -1
	resetNodes(l.M)
	c.GossipToTheDeadTime = keep
	l.quiet()
}

// Gossip removes the queued messages that are due, and returns a packet for each node to which the library
// would send. The order of packets is irrelevant. If there is no such node the messages stay in the queue.
func (l *List) Gossip() []Packet {
	gossip(l.M)
	var all []Packet
	for _, p := range l.Wire.packets {
		_, port, _ := strings.Cut(p.to, ":")
		to, err := strconv.Atoi(port)
		model.Assert(err == nil, "a packet goes to %s", p.to)
		for _, text := range messages(p.text) {
			all = append(all, Packet{To: to, Text: string(text)})
		}
	}
	if len(all) > 0 {
		(*field[*memberlist.TransmitLimitedQueue](l.M, "broadcasts")).Reset()
	}
	l.Wire.packets = nil
	slices.SortFunc(all, func(a, b Packet) int {
		if a.To != b.To {
			return a.To - b.To
		}
		return strings.Compare(a.Text, b.Text)
	})
	return all
}

// Forget empties the queue.
func (l *List) Forget() { (*field[*memberlist.TransmitLimitedQueue](l.M, "broadcasts")).Reset() }

// Sees returns the list's entries for all nodes, by name.
func (l *List) Sees() []Sight {
	var all []Sight
	for _, n := range nodes(l.M) {
		all = append(all, Sight{Name: n.Name, Port: int(n.Port), State: n.State, Incarnation: int(n.Incarnation)})
	}
	return all
}

// Suspects lists the nodes whose suspicion has a timer, by name.
func (l *List) Suspects() []string { return slices.Sorted(maps.Keys(nodeTimers(l.M))) }

func (l *List) name() string { return (*field[*memberlist.Config](l.M, "config")).Name }

// quiet stops the timers that the library has started, without firing them. It collects the timers of
// suspicions that are over. It sorts the list of nodes by name, since the library's order is random.
func (l *List) quiet() {
	now := nodeTimers(l.M)
	for name, s := range l.Timers {
		if now[name] != s {
			l.Late[name] = append(l.Late[name], s)
		}
	}
	l.Timers = maps.Clone(now)
	for _, s := range now {
		s.timer.Stop()
	}
	slices.SortFunc(nodes(l.M), func(a, b *nodeState) int { return strings.Compare(a.Name, b.Name) })
}
