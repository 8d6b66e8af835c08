package live

import (
	"bufio"
	"bytes"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"contend/model"
	"contend/model/value"
)

// A hub is the network of a run. Each node has a connection to it; a message waits there until its drawn instant. So
// the hub decides the order of deliveries, and what is lost. One goroutine has its state.
type hub struct {
	system *model.System
	codec  *value.Codec
	pace   pace
	clock  clock
	token  string
	length int64 // of the run, in nanoseconds

	heard   chan heard
	faults  chan fault
	peers   []*peer
	waiting flights
	flying  map[int64]*flight // written to a connection, and not in the receiver's log yet
	last    int64             // the number of the last message
	fifo    map[[2]int]int64  // by pair, the instant of its last message
	side    model.Side        // of the present partition, or nil
	heal    int64             // the instant at which it ends
	lose    int               // the number of next messages that are lost
	late    int               // the number of next messages that are late
	tally   Tally
}

// A Tally counts the faults of a run.
type Tally struct {
	Kills      int // for good
	Restarts   int
	Lost       int // messages
	Dropped    int // messages to nodes that are down, and across a partition
	Late       int // messages
	Partitions int
	Lies       int // that were sent
}

// A peer is the connection of a node. It is nil while the node is down.
type peer struct {
	conn net.Conn
	out  chan []byte
}

// A heard is a frame of a node, or a new connection of it. The error ends the connection.
type heard struct {
	node int
	peer *peer
	new  bool
	f    frame
	err  error
}

// A flight is a message at the hub.
type flight struct {
	frame
	to    int
	due   int64 // nanoseconds since the start
	order int64
}

// flights is a heap of messages by their instants.
type flights []*flight

func (h flights) Len() int { return len(h) }
func (h flights) Less(i, j int) bool {
	return h[i].due < h[j].due || h[i].due == h[j].due && h[i].order < h[j].order
}
func (h flights) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *flights) Push(x any)   { *h = append(*h, x.(*flight)) }
func (h *flights) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

func newHub(s *model.System, codec *value.Codec, opt Options, token string) *hub {
	return &hub{system: s, codec: codec, token: token, length: int64(opt.For), pace: pace{int64(opt.Tick), opt.Pace, rand.New(rand.NewPCG(opt.Seed, 0))},
		heard: make(chan heard), faults: make(chan fault), peers: make([]*peer, len(s.Nodes)), flying: map[int64]*flight{}, fifo: map[[2]int]int64{}}
}

// accept takes the connections of nodes until the listener is closed.
func (h *hub) accept(l net.Listener, done <-chan struct{}) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go h.greet(conn, done)
	}
}

// greet reads the first frame of a connection, and then passes on the others. It closes a connection without the token.
func (h *hub) greet(conn net.Conn, done <-chan struct{}) {
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, maxLine)
	_ = conn.SetReadDeadline(time.Now().Add(startTime))
	if !lines.Scan() {
		conn.Close()
		return
	}
	hello, err := readFrame(lines.Bytes(), len(h.peers))
	if err != nil || hello.Token != h.token {
		conn.Close()
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	p := &peer{conn, make(chan []byte, 1<<12)}
	go func() {
		for line := range p.out {
			if _, err := conn.Write(line); err != nil {
				conn.Close() // the reader tells
			}
		}
		conn.Close()
	}()
	x := heard{node: hello.Node, peer: p, new: true}
	for {
		select {
		case h.heard <- x:
		case <-done:
			conn.Close()
			return
		}
		if x.err != nil {
			return
		}
		x = heard{node: hello.Node, peer: p}
		if !lines.Scan() {
			x.err = fmt.Errorf("the connection of %s has ended", h.system.Nodes[hello.Node].Name)
		} else if x.f, x.err = readFrame(lines.Bytes(), len(h.peers)); x.err != nil {
			conn.Close()
		}
	}
}

// gather waits until all nodes are connected, and begins the run at an instant soon after.
func (h *hub) gather(nodes int, stop <-chan struct{}, ended <-chan exit) error {
	limit := time.After(startTime)
	for connected := 0; connected < nodes; {
		select {
		case x := <-h.heard:
			if x.err != nil {
				return x.err
			}
			h.peers[x.node] = x.peer
			connected++
		case x := <-ended:
			return fmt.Errorf("node %s does not start: %w", h.system.Nodes[x.node].Name, x.failure())
		case <-stop:
			return errStopped
		case <-limit:
			return fmt.Errorf("%d of %d nodes have not started within %v", nodes-connected, nodes, startTime)
		}
	}
	start := time.Now().Add(startsIn).UnixNano()
	h.clock = newClock(start)
	for i := range h.peers {
		h.write(i, frame{Begin: start})
	}
	return nil
}

// serve moves messages until done is closed. Then it ends the connections.
func (h *hub) serve(done <-chan struct{}) error {
	defer func() {
		for i := range h.peers {
			h.down(i)
		}
	}()
	wake := time.NewTimer(0)
	defer wake.Stop()
	for {
		now := h.clock.now()
		for len(h.waiting) > 0 && h.waiting[0].due <= now {
			h.deliver(heap.Pop(&h.waiting).(*flight))
		}
		if len(h.waiting) > 0 {
			wake.Reset(time.Duration(h.waiting[0].due - now))
		} else {
			wake.Reset(time.Second)
		}
		select {
		case <-wake.C:
		case x := <-h.heard:
			if err := h.hear(x); err != nil {
				return err
			}
		case f := <-h.faults:
			h.strike(f)
		case <-done:
			return nil
		}
	}
}

// hear takes a frame, or the beginning or end of a connection.
func (h *hub) hear(x heard) error {
	switch {
	case x.new:
		h.peers[x.node] = x.peer
		h.write(x.node, frame{Begin: time.Now().UnixNano() - h.clock.now()})
	case x.err != nil:
		if h.peers[x.node] == x.peer {
			h.down(x.node)
		}
	case x.f.Ack > 0:
		delete(h.flying, x.f.Ack)
	case x.f.Message == nil:
		return fmt.Errorf("a frame of %s has no message", h.system.Nodes[x.node].Name)
	default:
		return h.send(x.node, x.f)
	}
	return nil
}

// send puts a message into flight, unless it is lost or merged into an equal one.
func (h *hub) send(from int, f frame) error {
	m, err := h.codec.FromJSON(f.Message)
	if err != nil {
		return fmt.Errorf("a message of %s: %w", h.system.Nodes[from].Name, err)
	}
	if h.system.Nodes[f.To].Byzantine {
		h.tempt(f.To, from, m)
		return nil
	}
	if h.system.Network.Channel == model.Set && h.inFlight(from, f) {
		return nil
	}
	if h.lose > 0 {
		h.lose--
		h.tally.Lost++
		return nil
	}
	window := h.system.Network.Message(model.NodeID(from), model.NodeID(f.To), m)
	delay := h.pace.within(window, share)
	if h.late > 0 && window.Hi.At != model.Forever {
		h.late--
		h.tally.Late++
		delay = (2*int64(window.Hi.At) + 1) * h.pace.tick
	}
	due := f.Sent + delay
	if pair := [2]int{from, f.To}; h.system.Network.Channel == model.FIFO {
		due = max(due, h.fifo[pair])
		h.fifo[pair] = due
	}
	h.put(&flight{frame: frame{From: from, Sent: f.Sent, Message: f.Message}, to: f.To, due: due})
	return nil
}

// tempt lets a liar answer a message, at most three times.
func (h *hub) tempt(liar, to int, m any) {
	back := h.system.Network.Message(model.NodeID(to), model.NodeID(liar), m)
	for range 1 + h.pace.rng.IntN(3) {
		h.tally.Lies++
		h.put(&flight{frame: frame{From: liar, Lie: true}, to: to, due: h.clock.now() + 2*h.pace.within(back, share)})
	}
}

func (h *hub) put(f *flight) {
	h.last++
	f.order = h.last
	heap.Push(&h.waiting, f)
}

// inFlight reports whether an equal message is in flight between the same nodes.
func (h *hub) inFlight(from int, f frame) bool {
	same := func(x *flight) bool {
		return !x.Lie && x.From == from && x.to == f.To && bytes.Equal(x.Message, f.Message)
	}
	for _, x := range h.waiting {
		if same(x) {
			return true
		}
	}
	for _, x := range h.flying {
		if same(x) {
			return true
		}
	}
	return false
}

// deliver writes a message to its receiver, unless a partition separates it or the receiver is down.
func (h *hub) deliver(f *flight) {
	if h.side != nil && h.clock.now() >= h.heal {
		h.side = nil
	}
	if h.peers[f.to] == nil || h.side.Parts(model.NodeID(f.From), model.NodeID(f.to)) {
		if !f.Lie && h.clock.now() < h.length { // then nodes are down because they have ended
			h.tally.Dropped++
		}
		return
	}
	f.ID = f.order
	h.flying[f.ID] = f
	h.write(f.to, f.frame)
}

// write sends a frame to a node. A node that does not read is as one that is down.
func (h *hub) write(node int, f frame) {
	p := h.peers[node]
	line, err := f.line()
	if p == nil || err != nil {
		return
	}
	select {
	case p.out <- line:
	default:
		h.down(node)
	}
}

// down ends the connection of a node. What is on the way to it does not arrive: the connection ends with the node.
func (h *hub) down(node int) {
	if h.peers[node] == nil {
		return
	}
	close(h.peers[node].out)
	h.peers[node] = nil
	for id, f := range h.flying {
		if f.to == node {
			delete(h.flying, id)
		}
	}
}

// strike lets a fault of the network happen.
func (h *hub) strike(f fault) {
	switch f.kind {
	case loss:
		h.lose++
	case delay:
		h.late++
	case partition:
		h.side, h.heal = f.side, h.clock.now()+f.length
		h.tally.Partitions++
	case kill:
		h.down(int(f.node))
	}
}
