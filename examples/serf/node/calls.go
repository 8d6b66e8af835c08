package main

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"contend/program/sim"

	"github.com/hashicorp/serf/serf"
)

// The results of a call.
const (
	done   = "ok"
	failed = "failed"
)

// call makes a call of the application: "join NODE", "event NAME", "force NODE", "leave", "kill", "return" or "rest".
func (m *member) call(words []string) string {
	var err error
	switch words[0] {
	case "join":
		_, err = m.serf.Join([]string{m.address[words[1]]}, false)
	case "event":
		err = m.serf.UserEvent(words[1], nil, false)
	case "force":
		return m.force(words[1])
	case "leave", "kill":
		err = m.stop(words[0] == "leave")
	case "return":
		if m.serf != nil {
			break // a crash has started it before
		}
		if m.mistake == "joins-anew" {
			_ = os.Remove(file)
		}
		if err = m.start(); err == nil && m.mistake == "joins-anew" {
			_, err = m.serf.Join([]string{m.address[m.names[0]]}, false)
		}
	}
	if err != nil {
		return failed
	}
	return done
}

// force forces a node to leave once it has failed.
func (m *member) force(name string) string {
	for range 50 {
		for _, is := range m.serf.Members() {
			if is.Name == name && is.Status == serf.StatusFailed && m.serf.RemoveFailedNode(name) == nil {
				return done
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
	return failed
}

// stop ends Serf, and tells the others before if it leaves.
func (m *member) stop(leaves bool) error {
	if leaves && m.mistake != "leaves-in-silence" {
		if err := m.serf.Leave(); err != nil {
			return err
		}
	}
	if err := m.serf.Shutdown(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.serf = nil
	return nil
}

// show returns the members and the clocks, and notes their changes. It is called when all goroutines wait.
func (m *member) show() []byte {
	now, clock := map[string]string{}, ""
	if m.serf != nil {
		for _, is := range m.serf.Members() {
			now[is.Name] = is.Status.String()
		}
		stats := m.serf.Stats()
		clock = stats["member_time"] + " " + stats["event_time"]
	}
	var b bytes.Buffer
	for _, name := range m.names {
		if now[name] != m.listed[name] {
			sim.Note("lists " + name + " " + now[name])
		}
		fmt.Fprintf(&b, "%s %s\n", name, now[name])
	}
	if clock != m.clock && clock != "" {
		sim.Note("clocks " + clock)
	}
	m.listed, m.clock = now, clock
	b.WriteString(clock)
	return b.Bytes()
}
