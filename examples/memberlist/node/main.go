// Node is a member of a group. It runs github.com/hashicorp/memberlist, unmodified, over packets and
// connections of package sim. Its application joins the group, changes its metadata, leaves, and returns. Its
// network cable can be pulled.
package main

import (
	"flag"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"contend/program/sim"

	"github.com/hashicorp/memberlist"
)

func main() {
	m := &member{}
	flag.StringVar(&m.name, "name", "", "the name of this node")
	flag.DurationVar(&m.rejoin, "rejoin", 0, "how often it joins the nodes that it does not list; 0 stands for never")
	flag.StringVar(&m.mistake, "mistake", "", "make a mistake")
	flag.Parse()
	for _, peer := range flag.Args() {
		name, address, _ := strings.Cut(peer, "=")
		m.peers = append(m.peers, node{name, address})
	}
	sim.View(m.show)
	if err := m.start(); err != nil {
		panic(err)
	}
	if m.rejoin > 0 {
		go m.keepJoined()
	}
	for {
		sim.Return(m.call(strings.Fields(sim.Invoked())))
	}
}

// A node is one of the group.
type node struct{ name, address string }

// A member is this node.
type member struct {
	name, mistake string
	peers         []node // all nodes of the group
	rejoin        time.Duration
	cable         cable

	mu     sync.Mutex
	list   *memberlist.Memberlist // nil while it is not in the group
	meta   string                 // the metadata that it announces
	told   []entry                // the entries of the peers that were noted last
	shown  []byte
	before string // the metadata that it announced before
}

// start creates a member of a group of its own.
func (m *member) start() error {
	t, err := newTransport(&m.cable, m.mistake)
	if err != nil {
		return err
	}
	c := memberlist.DefaultLANConfig()
	c.Name, c.Transport, c.Delegate = m.name, t, m
	c.Logger = log.New(quiet{os.Stderr}, "", 0)
	c.ProbeInterval, c.ProbeTimeout, c.GossipInterval, c.PushPullInterval = 500*time.Millisecond, 100*time.Millisecond, 200*time.Millisecond, 2*time.Second
	c.TCPTimeout, c.GossipToTheDeadTime = time.Second, 3*time.Second
	c.SuspicionMult, c.SuspicionMaxTimeoutMult, c.AwarenessMaxMultiplier = 3, 2, 2
	c.EnableCompression = false
	list, err := memberlist.Create(c)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = list
	return nil
}

// keepJoined joins the nodes that are not listed, again and again, as Serf does.
func (m *member) keepJoined() {
	for wait := rand.N(m.rejoin); ; wait = m.rejoin {
		time.Sleep(wait)
		if list := m.current(); list != nil {
			for _, address := range m.missing(list) {
				_, _ = list.Join([]string{address})
			}
		}
	}
}

func (m *member) current() *memberlist.Memberlist {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list
}

// missing returns the addresses of the nodes that are not listed.
func (m *member) missing(list *memberlist.Memberlist) (all []string) {
	is := map[string]bool{}
	for _, n := range list.Members() {
		is[n.Name] = true
	}
	for _, p := range m.peers {
		if !is[p.name] && m.mistake == "joins-itself" {
			all = append(all, sim.Host())
		} else if !is[p.name] {
			all = append(all, p.address)
		}
	}
	return all
}

// quiet drops the library's debug messages.
type quiet struct{ io.Writer }

func (q quiet) Write(line []byte) (int, error) {
	if strings.HasPrefix(string(line), "[DEBUG]") {
		return len(line), nil
	}
	return q.Writer.Write(line)
}
