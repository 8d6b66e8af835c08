package main

import (
	"time"

	"github.com/hashicorp/memberlist"
)

// The results of calls. Each kind of call has its own word for success.
const failed = "failed"

// call makes a call of the application.
func (m *member) call(words []string) string {
	switch words[0] {
	case "cut", "mend":
		m.cable.pulled.Store(words[0] == "cut")
		return words[0]
	case "rest":
		return "rested"
	case "return":
		if m.current() == nil && m.start() != nil {
			return failed
		}
		return m.join(words[1])
	}
	list := m.current()
	switch {
	case list == nil:
		return failed
	case words[0] == "join":
		return m.join(words[1])
	case words[0] == "update":
		return m.update(list, words[1])
	}
	return m.leave(list, words[0] == "leave")
}

func (m *member) join(name string) string {
	for _, p := range m.peers {
		if p.name != name {
			continue
		}
		if _, err := m.current().Join([]string{p.address}); err != nil && m.mistake != "ignores-error" {
			return failed
		}
	}
	return "joined"
}

// update announces new metadata.
func (m *member) update(list *memberlist.Memberlist, meta string) string {
	m.mu.Lock()
	m.before, m.meta = m.meta, meta
	m.mu.Unlock()
	if list.UpdateNode(2*time.Second) != nil {
		return failed
	}
	return "updated"
}

// leave ends the list, and announces the departure to the group if tells is set.
func (m *member) leave(list *memberlist.Memberlist, tells bool) string {
	m.mu.Lock()
	m.list = nil
	m.mu.Unlock()
	defer func() { _ = list.Shutdown() }()
	if tells && m.mistake != "leaves-in-silence" && list.Leave(2*time.Second) != nil {
		return failed
	}
	if !tells {
		return "killed"
	}
	return "left"
}

// NodeMeta implements memberlist.Delegate.
func (m *member) NodeMeta(int) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mistake == "old-news" {
		return []byte(m.before)
	}
	return []byte(m.meta)
}

// NotifyMsg, GetBroadcasts, LocalState and MergeRemoteState implement memberlist.Delegate. The application
// has no messages of its own.
func (*member) NotifyMsg([]byte) {}

func (*member) GetBroadcasts(int, int) [][]byte { return nil }

func (*member) LocalState(bool) []byte { return nil }

func (*member) MergeRemoteState([]byte, bool) {}
