// Node is a replicated list of three or more servers: github.com/hashicorp/raft, unmodified, over connections and files. Its application
// appends words to the list, and reads it.
package main

import (
	"flag"
	"fmt"
	"net"
	"os"
	"time"

	"contend/model/program/sim"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
)

func main() {
	var s server
	flag.BoolVar(&s.asks, "ask", false, "ask the library to append without looking whether this is the leader")
	flag.StringVar(&s.mistake, "mistake", "", "make a mistake")
	flag.Parse()
	if err := s.run(flag.Args()); err != nil {
		panic(err)
	}
}

// A server is one of a group.
type server struct {
	asks    bool
	mistake string

	raft  *raft.Raft
	list  *list
	ready uint64 // the term in which all that was committed before is known to be applied
}

// run runs a server of a group, whose names are given.
func (s *server) run(group []string) error {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(sim.Host())
	c.Logger = hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: os.Stderr})
	c.SnapshotInterval, c.SnapshotThreshold, c.TrailingLogs = 200*time.Millisecond, 4, 1
	logs := &store{mistake: s.mistake}
	if err := logs.open("/log"); err != nil {
		return err
	}
	snapshots, err := raft.NewFileSnapshotStoreWithLogger("/", 1, c.Logger)
	if err != nil {
		return err
	}
	l, err := sim.Listen("tcp", ":7000")
	if err != nil {
		return err
	}
	transport := raft.NewNetworkTransportWithConfig(&raft.NetworkTransportConfig{Stream: stream{l}, MaxPool: 3, Timeout: time.Second, Logger: c.Logger})
	if err := bootstrap(c, group, logs, snapshots, transport); err != nil {
		return err
	}
	s.list = &list{mistake: s.mistake}
	if s.raft, err = raft.NewRaft(c, s.list, logs, logs, snapshots, transport); err != nil {
		return err
	}
	s.raft.RegisterObserver(raft.NewObserver(nil, false, elected))
	forwards, err := sim.Listen("tcp", ":7001")
	if err != nil {
		return err
	}
	go s.serve(forwards)
	for {
		is := s.call(sim.Invoked())
		if is == unknown {
			select {} // the application waits for ever; the server goes on
		}
		sim.Return(is)
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
		sim.Note(fmt.Sprint("leader ", term(o.Raft)))
	}
	return false
}

// term is the server's term.
func term(r *raft.Raft) (n uint64) {
	_, _ = fmt.Sscan(r.Stats()["term"], &n) // older releases have no other way
	return n
}

// stream is the network of package raft.
type stream struct{ net.Listener }

func (stream) Dial(to raft.ServerAddress, timeout time.Duration) (net.Conn, error) {
	return sim.DialTimeout("tcp", string(to), timeout)
}
