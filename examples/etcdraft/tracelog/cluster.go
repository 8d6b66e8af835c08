package main

import (
	"encoding/json"
	"math/rand"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// A cluster is a run of members with the messages between them.
type cluster struct {
	r        *rand.Rand
	log      *traceLog
	peers    []*peer
	flying   []pb.Message
	isolated map[uint64]bool

	bootstrap int // the number of members that bootstrap; 0: all begin with a snapshot
}

func newCluster(r *rand.Rand, out *json.Encoder, members, bootstrap int) *cluster {
	c := &cluster{r: r, log: &traceLog{out: out}, bootstrap: bootstrap}
	for i := range members {
		c.peers = append(c.peers, newPeer(c, uint64(i+1), members))
	}
	return c
}

// A traceLog holds the entries of the present action back, since a crash may lose the last of them.
type traceLog struct {
	out     *json.Encoder
	held    []*raft.TracingEvent
	written int
}

// TraceEvent is called by the library.
func (l *traceLog) TraceEvent(e *raft.TracingEvent) { l.held = append(l.held, e) }

func (l *traceLog) flush() {
	for _, e := range l.held {
		_ = l.out.Encode(e) // main reports the error of its writer
		l.written++
	}
	l.held = nil
}

// chance reports true once in n times.
func (c *cluster) chance(n int) bool { return c.r.Intn(n) == 0 }

func (c *cluster) any() *peer { return c.peers[c.r.Intn(len(c.peers))] }

// step takes one action: most often a message arrives. Leadership is not handed over, since the library's log has none of
// the messages for that, and they may carry a term.
func (c *cluster) step(calm bool) {
	if !calm && c.chance(80) {
		c.partition()
	}
	p := c.any()
	switch k := c.r.Intn(60); {
	case k == 0 && !calm && c.chance(3):
		p.start()
	case k == 1:
		c.act(p, calm, func() { _ = p.node.Campaign() })
	case k == 2 && !calm && len(c.flying) > 0:
		c.take() // lost
	case k == 3 && !calm:
		c.change()
	case k < 10 && p.leads():
		c.act(p, calm, p.node.Tick)
	case k < 16:
		c.act(p, calm, func() { _ = p.node.Propose([]byte("x")) })
	case k == 16 && p.leads():
		c.act(p, calm, func() { p.node.ReadIndex([]byte{byte(c.r.Intn(256))}) })
	case len(c.flying) > 0:
		if m := c.take(); !c.isolated[m.From] && !c.isolated[m.To] {
			to := c.peers[m.To-1]
			c.act(to, calm, func() { _ = to.node.Step(m) })
		}
	}
}

// take removes one of the oldest messages.
func (c *cluster) take() pb.Message {
	i := c.r.Intn(min(len(c.flying), 4))
	m := c.flying[i]
	c.flying = append(c.flying[:i], c.flying[i+1:]...)
	return m
}

// act lets a member do something, and handles what follows, unless the member crashes: in the middle, so that the log loses
// entries, or later.
func (c *cluster) act(p *peer, calm bool, do func()) {
	c.log.flush()
	do()
	if n := len(c.log.held); !calm && n > 0 && c.chance(400) {
		c.log.held = c.log.held[:1+c.r.Intn(n)]
		p.start()
		return
	}
	p.drain(calm)
}

// partition isolates one member, or none. What was in flight is lost at times.
func (c *cluster) partition() {
	c.isolated = nil
	if !c.chance(3) {
		c.isolated = map[uint64]bool{c.any().id: true}
	}
	if c.chance(3) {
		c.flying = nil
	}
}

// change proposes a change of the members to each leader: of one, of two at once, or the end of a joint configuration.
func (c *cluster) change() {
	for _, p := range c.peers {
		if !p.leads() {
			continue
		}
		config := p.node.Status().Config
		voters := len(config.Voters[0])
		one := func() pb.ConfChangeSingle {
			id := c.any().id
			if _, in := config.Voters[0][id]; in && voters > 1 && id != p.id {
				voters--
				return pb.ConfChangeSingle{Type: pb.ConfChangeRemoveNode, NodeID: id}
			}
			return pb.ConfChangeSingle{Type: pb.ConfChangeAddNode, NodeID: id}
		}
		first := one()
		var cc pb.ConfChangeI = pb.ConfChange{Type: first.Type, NodeID: first.NodeID}
		switch second := one(); {
		case len(config.Voters[1]) > 0:
			cc = pb.ConfChangeV2{}
		case c.chance(2) && second.NodeID != first.NodeID:
			v2 := pb.ConfChangeV2{Changes: []pb.ConfChangeSingle{first, second}}
			if c.chance(2) {
				v2.Transition = pb.ConfChangeTransitionJointExplicit
			}
			cc = v2
		}
		c.act(p, false, func() { _ = p.node.ProposeConfChange(cc) })
	}
}
