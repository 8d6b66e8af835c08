// Node is a replicated list of three or more servers: github.com/hashicorp/raft, unmodified, over connections and files. Its application
// appends words to the list, and reads it.
package main

import (
	"flag"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"

	"contend/program/sim"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
)

func main() {
	var s server
	flag.IntVar(&s.nonvoters, "nonvoters", 0, "so many servers, the last ones, do not vote")
	flag.BoolVar(&s.asks, "ask", false, "ask the library to append without looking whether this is the leader")
	flag.BoolVar(&s.gaps, "gaps", false, "the log may have gaps")
	flag.StringVar(&s.mistake, "mistake", "", "make a mistake")
	flag.Parse()
	if err := s.run(flag.Args()); err != nil {
		panic(err)
	}
}

// A server is one of a group.
type server struct {
	nonvoters int
	asks      bool
	gaps      bool
	mistake   string

	raft      *raft.Raft
	logs      *store
	list      *list
	ready     uint64       // the term in which all entries committed earlier are known to be applied
	transfers atomic.Int64 // number of leadership transfers that have begun and not finished
}

// run runs a server of a group. The argument has the names of the group's servers.
func (s *server) run(group []string) error {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(sim.Host())
	c.Logger = hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: os.Stderr})
	c.SnapshotInterval, c.SnapshotThreshold, c.TrailingLogs = 200*time.Millisecond, 4, 1
	s.logs = &store{mistake: s.mistake, gaps: s.gaps}
	if err := s.logs.open("/log"); err != nil {
		return err
	}
	snapshots, err := raft.NewFileSnapshotStore("/", 1, os.Stderr)
	if err != nil {
		return err
	}
	l, err := sim.Listen("tcp", ":7000")
	if err != nil {
		return err
	}
	transport := raft.NewNetworkTransport(stream{l}, 3, time.Second, os.Stderr)
	if err := s.bootstrap(c, group, snapshots, transport); err != nil {
		return err
	}
	s.list = &list{mistake: s.mistake}
	if s.raft, err = raft.NewRaft(c, s.list, s.logs, s.logs, snapshots, transport); err != nil {
		return err
	}
	s.raft.RegisterObserver(raft.NewObserver(nil, false, s.elected))
	forwards, err := sim.Listen("tcp", ":7001")
	if err != nil {
		return err
	}
	go s.serve(forwards)
	for {
		sim.Return(s.call(sim.Invoked()))
	}
}

func (s *server) bootstrap(c *raft.Config, group []string, snapshots raft.SnapshotStore, t raft.Transport) error {
	if has, err := raft.HasExistingState(s.logs, s.logs, snapshots); err != nil || has {
		return err
	}
	var servers raft.Configuration
	for i, name := range group {
		suffrage := raft.Voter
		if i >= len(group)-s.nonvoters {
			suffrage = raft.Nonvoter
		}
		servers.Servers = append(servers.Servers, raft.Server{Suffrage: suffrage, ID: raft.ServerID(name), Address: raft.ServerAddress(name + ":7000")})
	}
	return raft.BootstrapCluster(c, s.logs, s.logs, snapshots, t, servers)
}

// elected notes that the server has become a candidate, or a leader with a log of a given length. It runs in
// the goroutine that changes the state.
func (s *server) elected(o *raft.Observation) bool {
	switch state, _ := o.Data.(raft.RaftState); state {
	case raft.Candidate:
		sim.Note("candidate")
	case raft.Leader:
		sim.Note(fmt.Sprintf("leader %d %d", s.logs.term(), s.raft.LastIndex()))
	}
	return false
}

// stream is the network of package raft.
type stream struct{ net.Listener }

func (stream) Dial(to raft.ServerAddress, timeout time.Duration) (net.Conn, error) {
	return sim.DialTimeout("tcp", string(to), timeout)
}
