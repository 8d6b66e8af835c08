// Node is a member of a cluster. It runs github.com/hashicorp/serf, unmodified, with a snapshot file. Its application joins the
// cluster, sends events, forces others to leave, leaves, and returns.
//
//	node [flags] NAME=ADDRESS ...
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"contend/program/sim"

	"github.com/hashicorp/memberlist"
	"github.com/hashicorp/serf/serf"
)

// file is the snapshot.
const file = "/data/snapshot"

// A member is this node.
type member struct {
	mistake string
	names   []string          // of all nodes
	address map[string]string // of each name

	mu     sync.Mutex
	serf   *serf.Serf // nil while it is not in the cluster
	listed map[string]string
	clock  string
}

func main() {
	m := &member{address: map[string]string{}, listed: map[string]string{}}
	flag.StringVar(&m.mistake, "mistake", "", "make this mistake")
	flag.Parse()
	for _, node := range flag.Args() {
		name, address, _ := strings.Cut(node, "=")
		m.names, m.address[name] = append(m.names, name), address
	}
	sim.View(m.show)
	if err := m.start(); err != nil {
		panic(err)
	}
	for {
		sim.Return(m.call(strings.Fields(sim.Invoked())))
	}
}

// start starts Serf with the snapshot that is there.
func (m *member) start() error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	clock, events, err := snapshot()
	if err != nil {
		return err
	}
	sim.Note(fmt.Sprint("snapshot ", clock, " ", events))
	heard := make(chan serf.Event, 1024)
	c := serf.DefaultConfig()
	c.NodeName, c.EventCh, c.SnapshotPath, c.RejoinAfterLeave = sim.Host(), heard, file, true
	c.ReconnectInterval = 500 * time.Millisecond
	c.DisableCoordinates = true
	c.Logger = log.New(quiet{os.Stderr}, "", 0)
	l := memberlist.DefaultLANConfig()
	l.BindAddr, l.Logger = m.address[sim.Host()], c.Logger
	l.ProbeInterval, l.ProbeTimeout, l.PushPullInterval, l.TCPTimeout = 500*time.Millisecond, 100*time.Millisecond, 2*time.Second, time.Second
	l.SuspicionMult, l.SuspicionMaxTimeoutMult, l.AwarenessMaxMultiplier = 3, 2, 2
	c.MemberlistConfig = l
	s, err := serf.Create(c)
	if err != nil {
		return err
	}
	go m.receive(heard)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.serf = s
	return nil
}

// receive notes the events that Serf delivers to the application.
func (m *member) receive(heard <-chan serf.Event) {
	for e := range heard {
		if u, is := e.(serf.UserEvent); is {
			sim.Note(fmt.Sprint("delivers ", uint64(u.LTime), " ", u.Name))
		}
	}
}

// snapshot returns the clocks that the snapshot has.
func snapshot() (clock, events uint64, err error) {
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		var n uint64
		var end string
		if k, _ := fmt.Sscanf(line, "clock: %d%s", &n, &end); k == 1 && strings.HasSuffix(line, "\n") {
			clock = n
		}
		if k, _ := fmt.Sscanf(line, "event-clock: %d%s", &n, &end); k == 1 && strings.HasSuffix(line, "\n") {
			events = n
		}
	}
	return clock, events, nil
}

// quiet drops the library's debug messages.
type quiet struct{ io.Writer }

func (q quiet) Write(line []byte) (int, error) {
	if strings.HasPrefix(string(line), "[DEBUG]") {
		return len(line), nil
	}
	return q.Writer.Write(line)
}
