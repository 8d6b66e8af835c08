package main

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"time"

	"contend/model/program/sim"

	"github.com/hashicorp/raft"
)

// forward asks another server to have a command applied.
func forward(to, command string) string {
	c, err := sim.DialTimeout("tcp", to, time.Second)
	if err != nil {
		return "not the leader"
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := fmt.Fprintln(c, command); err != nil {
		return "unknown"
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(answer)
}

// serve has commands applied that other servers forward.
func serve(l net.Listener, r *raft.Raft) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go answer(c, r)
	}
}

func answer(c net.Conn, r *raft.Raft) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * time.Second))
	command, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return
	}
	is := "not the leader"
	if r.State() == raft.Leader {
		if is = "unknown"; r.Apply([]byte(strings.TrimSpace(command)), time.Second).Error() == nil {
			is = "applied"
		}
	}
	fmt.Fprintln(c, is)
}
