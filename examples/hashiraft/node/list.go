package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"contend/program/sim"

	"github.com/hashicorp/raft"
)

// A list is the replicated state machine. It notes the entries that it applies.
type list struct {
	mistake string
	mu      sync.Mutex
	words   []string
}

// Apply implements raft.FSM.
func (m *list) Apply(l *raft.Log) any {
	sim.Note(fmt.Sprintf("apply %d %d %s", l.Index, l.Term, l.Data))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.words = append(m.words, string(l.Data))
	sim.Note(fmt.Sprintf("holds %d %v", l.Index, m.words))
	return nil
}

func (m *list) read() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return "[" + strings.Join(m.words, " ") + "]"
}

// Snapshot implements raft.FSM.
func (m *list) Snapshot() (raft.FSMSnapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mistake == "snapshot-older" && len(m.words) > 0 {
		return snapshot(slices.Clone(m.words[:len(m.words)-1])), nil
	}
	return snapshot(slices.Clone(m.words)), nil
}

// Restore implements raft.FSM.
func (m *list) Restore(r io.ReadCloser) error {
	defer r.Close()
	var words []string
	if err := json.NewDecoder(r).Decode(&words); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mistake == "restore-adds" {
		words = append(m.words, words...)
	}
	m.words = words
	return nil
}

// A snapshot is a copy of the list.
type snapshot []string

// Persist implements raft.FSMSnapshot.
func (s snapshot) Persist(sink raft.SnapshotSink) error {
	if err := json.NewEncoder(sink).Encode([]string(s)); err != nil {
		_ = sink.Cancel()
		return err
	}
	return sink.Close()
}

// Release implements raft.FSMSnapshot.
func (snapshot) Release() {}
