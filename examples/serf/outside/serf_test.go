// Package outside confirms the findings of the search with Serf alone: nodes on the loopback interface, with files. It does not use the search.
package outside

import (
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hashicorp/memberlist"
	"github.com/hashicorp/serf/serf"
	"github.com/stretchr/testify/require"
)

// A node is a member and its place.
type node struct {
	*serf.Serf
	name, snapshot string
	port           int
	events         chan serf.Event
}

// place returns a node that does not run.
func place(t *testing.T, name string) *node {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return &node{name: name, snapshot: filepath.Join(t.TempDir(), "snapshot"), port: l.Addr().(*net.TCPAddr).Port}
}

// start starts a node with the snapshot that is there.
func (n *node) start(t *testing.T) {
	c := serf.DefaultConfig()
	n.events = make(chan serf.Event, 1024)
	c.NodeName, c.EventCh, c.SnapshotPath, c.RejoinAfterLeave = n.name, n.events, n.snapshot, true
	c.Logger = log.New(t.Output(), n.name+" ", log.Lmicroseconds)
	c.MemberlistConfig = memberlist.DefaultLocalConfig()
	c.MemberlistConfig.BindAddr, c.MemberlistConfig.BindPort, c.MemberlistConfig.AdvertisePort = "127.0.0.1", n.port, n.port
	c.MemberlistConfig.Logger = c.Logger
	c.MemberlistConfig.GossipInterval = 500 * time.Millisecond
	var err error
	n.Serf, err = serf.Create(c)
	require.NoError(t, err)
	s := n.Serf
	t.Cleanup(func() { _ = s.Shutdown() })
}

// status returns the status of another node in a node's list.
func (n *node) status(name string) serf.MemberStatus {
	for _, m := range n.Members() {
		if m.Name == name {
			return m.Status
		}
	}
	return serf.StatusNone
}

// lists reports whether a node lists another with a status.
func (n *node) lists(name string, is serf.MemberStatus) func() bool {
	return func() bool { return n.status(name) == is }
}

// hears reports whether a user event is delivered to a node.
func (n *node) hears(name string) func() bool {
	return func() bool {
		for {
			select {
			case e := <-n.events:
				if u, is := e.(serf.UserEvent); is && u.Name == name {
					return true
				}
			default:
				return false
			}
		}
	}
}

const (
	soon = 10 * time.Second
	tick = 10 * time.Millisecond
)

// pair returns two nodes that list each other.
func pair(t *testing.T) (a, b *node) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	a, b = place(t, "a"), place(t, "b")
	a.start(t)
	b.start(t)
	_, err := b.Join([]string{fmt.Sprint("127.0.0.1:", a.port)}, false)
	require.NoError(t, err)
	require.Eventually(t, a.lists("b", serf.StatusAlive), soon, tick)
	return a, b
}

// ended returns two nodes. The second has ended during Leave, and the channel gets what its Leave panics with.
func ended(t *testing.T) (a, b *node, panics chan any) {
	a, b = pair(t)
	panics = make(chan any, 1)
	go func(s *serf.Serf) {
		defer func() { panics <- recover() }()
		_ = s.Leave()
	}(b.Serf)
	require.Eventually(t, a.lists("b", serf.StatusLeaving), soon, time.Millisecond)
	require.NoError(t, b.Shutdown())
	return a, b, panics
}

// Shutdown during Leave makes Leave panic.
func TestShutdownDuringLeave(t *testing.T) {
	_, _, panics := ended(t)
	require.Equal(t, "leave after shutdown", <-panics)
}

// A node that ends during Leave, and starts again before it is missed, stays "leaving" for the others.
func TestLeavingForEver(t *testing.T) {
	a, b, _ := ended(t)
	b.start(t)
	require.Eventually(t, b.lists("a", serf.StatusAlive), soon, tick)
	time.Sleep(5 * time.Second)
	require.Equal(t, serf.StatusLeaving, a.status("b"))
	require.Equal(t, serf.StatusAlive, b.status("b"))
}

// A node that leaves is listed as failed by a node that exchanges lists with it before it hears of the leave.
func TestLeaverFails(t *testing.T) {
	a, b := pair(t)
	go func() { _ = b.Leave() }()
	require.Eventually(t, b.lists("b", serf.StatusLeaving), soon, time.Millisecond)
	_, err := a.Join([]string{fmt.Sprint("127.0.0.1:", b.port)}, false)
	require.NoError(t, err)
	require.Eventually(t, a.lists("b", serf.StatusFailed), soon, tick)
}

// An event that is delivered during Leave is delivered again after the return.
func TestEventDuringLeave(t *testing.T) {
	a, b := pair(t)
	left := make(chan error)
	go func() { left <- b.Leave() }()
	require.Eventually(t, a.lists("b", serf.StatusLeaving), soon, time.Millisecond)
	require.NoError(t, a.UserEvent("e", nil, false))
	require.Eventually(t, b.hears("e"), soon, tick)
	require.NoError(t, <-left)
	require.NoError(t, b.Shutdown())
	b.start(t)
	require.Eventually(t, b.hears("e"), soon, tick)
}

// While a snapshot is compacted there is no snapshot for a moment. So a crash may leave none.
func TestCompaction(t *testing.T) {
	path, end := filepath.Join(t.TempDir(), "snapshot"), make(chan struct{})
	in, snap, err := serf.NewSnapshotter(path, 1, true, log.New(t.Output(), "", 0), new(serf.LamportClock), nil, end)
	require.NoError(t, err)
	defer snap.Wait()
	defer close(end)
	for n, until := serf.LamportTime(1), time.Now().Add(soon); time.Now().Before(until); n++ {
		select {
		case in <- serf.UserEvent{LTime: n, Name: "e"}:
		default:
		}
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return
		}
	}
	t.Fatal("the snapshot was there whenever the test looked")
}
