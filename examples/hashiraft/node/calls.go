package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"contend/program/sim"

	"github.com/hashicorp/raft"
)

// The results of a call, besides the list that a read returns.
const (
	done      = "ok"
	unknown   = "unknown" // it was appended, will be, or never will
	notLeader = "not the leader"
	noLeader  = "no leader"
)

// call makes a call of the application at the leader, wherever the leader is: "append WORD", "read" or
// "transfer SERVER".
func (s *server) call(call string) string {
	for range 20 {
		if is := s.lead(call); is != notLeader {
			return is
		}
		if to := s.raft.Leader(); to != "" && to != raft.ServerAddress(sim.Host()+":7000") {
			if is := forward(strings.TrimSuffix(string(to), ":7000")+":7001", call); is != notLeader {
				return is
			}
		}
		time.Sleep(250 * time.Millisecond)
	}
	return noLeader
}

// lead makes a call if this is the leader.
func (s *server) lead(call string) string {
	if s.mistake == "reads-anywhere" && call == "read" {
		return s.list.read()
	}
	if !s.asks && s.raft.State() != raft.Leader {
		return notLeader
	}
	if call == "read" {
		return s.read()
	}
	if to, is := strings.CutPrefix(call, "transfer "); is {
		return s.transfer(to)
	}
	idle := s.transfers.Load() == 0
	f := s.raft.Apply([]byte(strings.TrimPrefix(call, "append ")), time.Second)
	if s.mistake == "answers-early" {
		return done
	}
	switch err := f.Error(); {
	case err == nil:
		return done
	case errors.Is(err, raft.ErrNotLeader), s.mistake == "asks-again":
		return notLeader
	case errors.Is(err, raft.ErrLeadershipTransferInProgress):
		if idle && s.transfers.Load() == 0 {
			sim.Note("refuses a word for a transfer that is over")
		}
		return notLeader
	}
	return unknown
}

// transfer asks another server to become the leader. When the library reports success, a request to the other
// server may still wait for an answer or for a connection, one second each.
func (s *server) transfer(to string) string {
	sim.Note("transfers to " + to)
	s.transfers.Add(1)
	_ = s.raft.LeadershipTransferToServer(raft.ServerID(to), raft.ServerAddress(to+":7000")).Error()
	time.AfterFunc(2500*time.Millisecond, func() { s.transfers.Add(-1) })
	return done
}

// read reads the list, as in Consul. Once in a term it waits until earlier committed entries are applied. On
// each call it verifies that the server is the leader.
func (s *server) read() string {
	now := s.logs.term()
	if s.ready != now && s.mistake != "no-barrier" {
		if s.raft.Barrier(time.Second).Error() != nil {
			return notLeader
		}
		s.ready = now
	}
	if s.mistake != "no-verify" && s.raft.VerifyLeader().Error() != nil {
		return notLeader
	}
	return s.list.read()
}

// forward asks another server to make a call.
func forward(to, call string) string {
	lost := unknown
	switch {
	case call == "read":
		lost = notLeader // nothing was done
	case strings.HasPrefix(call, "transfer "):
		lost = done // whether it succeeds does not matter
	}
	c, err := sim.DialTimeout("tcp", to, time.Second)
	if err != nil {
		return notLeader
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := fmt.Fprintln(c, call); err != nil {
		return lost
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return lost
	}
	return strings.TrimSpace(answer)
}

// serve makes calls that other servers forward.
func (s *server) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go s.answer(c)
	}
}

func (s *server) answer(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	if call, err := bufio.NewReader(c).ReadString('\n'); err == nil {
		fmt.Fprintln(c, s.lead(strings.TrimSpace(call)))
	}
}
