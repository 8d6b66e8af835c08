// Package outside confirms the findings of the search with the library alone: lists of members with all their
// goroutines, on the library's own mock network. A test sends late messages by hand. This package does not
// use the search.
package outside

import (
	"bytes"
	"log"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/go-msgpack/v2/codec"
	"github.com/hashicorp/memberlist"
)

// A group is a mock network with a node that is sent messages by hand.
type group struct {
	*testing.T
	net  memberlist.MockNetwork
	hand *memberlist.MockTransport
}

func newGroup(t *testing.T) *group {
	g := &group{T: t}
	g.hand = g.place("hand")
	go swallow(g.hand, nil)
	return g
}

// place returns the transport of a node: "127.0.0.1", from port 1 on. The first port is the hand's.
func (g *group) place(name string) *memberlist.MockTransport { return g.net.NewTransport(name) }

// swallow drops the messages to a node that does not exist.
func swallow(at *memberlist.MockTransport, until <-chan struct{}) {
	for {
		select {
		case <-at.PacketCh():
		case c := <-at.StreamCh():
			c.Close()
		case <-until:
			return
		}
	}
}

// create makes a list, on the library's configuration for local networks, but quick and without the exchange of
// lists every half minute. Nobody is suspected but by hand.
func (g *group) create(name string, at *memberlist.MockTransport, edit func(*memberlist.Config)) *memberlist.Memberlist {
	c := memberlist.DefaultLANConfig()
	c.Name, c.Transport, c.Logger = name, at, log.New(g.Output(), name+" ", log.Lmicroseconds)
	c.GossipInterval, c.ProbeInterval, c.PushPullInterval = time.Millisecond, time.Hour, 0
	if edit != nil {
		edit(c)
	}
	m, err := memberlist.Create(c)
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { _ = m.Shutdown() })
	return m
}

// The messages of gossip, as the library encodes them.
type (
	alive struct {
		Incarnation uint32
		Node        string
		Addr        []byte
		Port        uint16
		Meta        []byte
		Vsn         []uint8
	}
	suspect struct {
		Incarnation uint32
		Node, From  string
	}
	dead suspect
)

func live(name string, incarnation uint32, port uint16) alive {
	return alive{incarnation, name, net.IPv4(127, 0, 0, 1), port, nil, []uint8{1, 5, 2, 0, 0, 0}}
}

// tell sends messages to the node at a port, with pauses, so that they are handled in order.
func (g *group) tell(port int, messages ...any) {
	for _, m := range messages {
		kind := byte(5)
		switch m.(type) {
		case alive:
			kind = 4
		case suspect:
			kind = 3
		}
		text := bytes.NewBuffer([]byte{kind})
		if err := codec.NewEncoder(text, &codec.MsgpackHandle{}).Encode(m); err != nil {
			g.Fatal(err)
		}
		to := net.JoinHostPort("127.0.0.1", string(rune('0'+port)))
		if _, err := g.hand.WriteTo(text.Bytes(), to); err != nil {
			g.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// has reports whether a node is a member, for a list.
func has(m *memberlist.Memberlist, name string) bool {
	return slices.ContainsFunc(m.Members(), func(n *memberlist.Node) bool { return n.Name == name })
}
