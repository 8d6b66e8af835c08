// Node is a replicated log of three or more servers: github.com/hashicorp/raft, unmodified, over connections and files. Its state
// machine keeps the commands that it applies.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"contend/model/program/sim"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
)

func main() {
	noSync := flag.Bool("no-sync", false, "do not sync the log")
	forgets := flag.Bool("forgets-votes", false, "keep the term and the vote in memory only")
	flag.Parse()
	if err := run(flag.Args(), &store{noSync: *noSync, forgets: *forgets}); err != nil {
		panic(err)
	}
}

// run runs a server of a group, whose names are given.
func run(group []string, store *store) error {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(sim.Host())
	c.Logger = hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: os.Stderr})
	if err := store.open("/log"); err != nil {
		return err
	}
	l, err := sim.Listen("tcp", ":7000")
	if err != nil {
		return err
	}
	transport := raft.NewNetworkTransportWithConfig(&raft.NetworkTransportConfig{Stream: stream{l}, MaxPool: 3, Timeout: time.Second, Logger: c.Logger})
	snapshots := raft.NewInmemSnapshotStore()
	if err := bootstrap(c, group, store, snapshots, transport); err != nil {
		return err
	}
	r, err := raft.NewRaft(c, machine{}, store, store, snapshots, transport)
	if err != nil {
		return err
	}
	r.RegisterObserver(raft.NewObserver(nil, false, elected))
	forwards, err := sim.Listen("tcp", ":7001")
	if err != nil {
		return err
	}
	go serve(forwards, r)
	for {
		sim.Return(submit(r, sim.Invoked()))
	}
}

func bootstrap(c *raft.Config, group []string, store *store, snapshots raft.SnapshotStore, t raft.Transport) error {
	if has, err := raft.HasExistingState(store, store, snapshots); err != nil || has {
		return err
	}
	var servers raft.Configuration
	for _, name := range group {
		servers.Servers = append(servers.Servers, raft.Server{ID: raft.ServerID(name), Address: raft.ServerAddress(name + ":7000")})
	}
	return raft.BootstrapCluster(c, store, store, snapshots, t, servers)
}

// elected notes that the server has become the leader, in the goroutine that makes it the leader.
func elected(o *raft.Observation) bool {
	if state, is := o.Data.(raft.RaftState); is && state == raft.Leader {
		sim.Note(fmt.Sprintf("leader %d", o.Raft.CurrentTerm()))
	}
	return false
}

// machine is the replicated state machine. What it applies is noted.
type machine struct{}

func (machine) Apply(l *raft.Log) any {
	sim.Note(fmt.Sprintf("apply %d %d %s", l.Index, l.Term, l.Data))
	return nil
}

var errNoSnapshots = errors.New("no snapshots are taken")

func (machine) Snapshot() (raft.FSMSnapshot, error) { return nil, errNoSnapshots }
func (machine) Restore(io.ReadCloser) error         { return errNoSnapshots }

// stream is the network of package raft.
type stream struct{ net.Listener }

func (stream) Dial(to raft.ServerAddress, timeout time.Duration) (net.Conn, error) {
	return sim.DialTimeout("tcp", string(to), timeout)
}

// submit has a command applied, by the leader, wherever that is.
func submit(r *raft.Raft, command string) string {
	for range 20 {
		to, id := r.LeaderWithID()
		switch {
		case r.State() == raft.Leader:
			if r.Apply([]byte(command), time.Second).Error() == nil {
				return "applied"
			}
			return "unknown"
		case to != "" && id != raft.ServerID(sim.Host()):
			if answer := forward(strings.TrimSuffix(string(to), ":7000")+":7001", command); answer != "not the leader" {
				return answer
			}
		}
		time.Sleep(250 * time.Millisecond)
	}
	return "no leader"
}
