package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"contend/program/sim"

	"github.com/hashicorp/raft"
)

// A store implements raft.LogStore and raft.StableStore in one file. Each change is appended to the file and
// synced.
type store struct {
	mistake string
	gaps    bool // entries may be missing between others

	mu   sync.Mutex
	file *os.File
	logs []*raft.Log
	keys map[string][]byte
}

// A change is a line of the file: a value, entries that are stored, or entries that are deleted.
type change struct {
	Key     string      `json:",omitempty"`
	Value   []byte      `json:",omitempty"`
	Stored  []*raft.Log `json:",omitempty"`
	Deleted [2]uint64   `json:",omitzero"`
}

var errNotFound = errors.New("not found") // the words that package raft looks for

// open reads the file. A last line that is not whole was never acknowledged.
func (s *store) open(name string) (err error) {
	s.keys = map[string][]byte{}
	if s.file, err = os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600); err != nil {
		return err
	}
	sim.Note("opens its log")
	whole := int64(0)
	for r := bufio.NewReader(s.file); ; {
		line, err := r.ReadBytes('\n')
		if err != nil {
			break
		}
		var c change
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		whole += int64(len(line))
		s.happen(c)
	}
	s.noteTerm()
	return s.file.Truncate(whole)
}

// happen makes a change in memory, and notes its effect on the log.
func (s *store) happen(c change) {
	if c.Key != "" {
		s.keys[c.Key] = c.Value
	}
	for _, l := range c.Stored {
		if n := s.position(l.Index); n >= 0 && n < len(s.logs) {
			s.logs = s.logs[:n]
		}
		s.logs = append(s.logs, l)
		sim.Note(fmt.Sprintf("store %d %d %s", l.Index, l.Term, l.Data))
	}
	if c.Deleted != [2]uint64{} {
		s.logs = slices.DeleteFunc(s.logs, func(l *raft.Log) bool { return c.Deleted[0] <= l.Index && l.Index <= c.Deleted[1] })
		sim.Note(fmt.Sprintf("delete %d %d", c.Deleted[0], c.Deleted[1]))
	}
}

// currentTerm is the key of the server's term in the library.
const currentTerm = "CurrentTerm"

// term returns the server's term. The library's Stats would return it as well, but before v1.1.2 Stats blocks
// for ever in the goroutine that observes.
func (s *store) term() uint64 {
	n, _ := s.GetUint64([]byte(currentTerm))
	return n
}

func (s *store) noteTerm() { sim.Note(fmt.Sprint("term ", s.term())) }

// position returns the position of an entry, or of an empty place.
func (s *store) position(index uint64) int {
	switch {
	case len(s.logs) == 0:
		return -1
	case s.gaps:
		return slices.IndexFunc(s.logs, func(l *raft.Log) bool { return l.Index == index })
	}
	return int(index) - int(s.logs[0].Index)
}

// IsMonotonic implements raft.MonotonicLogStore and reports whether the log has no gaps. The library then
// deletes all entries after it has installed a snapshot. In any other log it may leave some entries, with a
// gap after them.
func (s *store) IsMonotonic() bool { return !s.gaps }

// change makes a change that outlives a crash.
func (s *store) change(c change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(line, '\n')); err != nil {
		return err
	}
	if s.mistake != "no-sync" {
		if err := s.file.Sync(); err != nil {
			return err
		}
	}
	s.happen(c)
	return nil
}

// remember makes a change that a crash loses: a mistake.
func (s *store) remember(c change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.happen(c)
	return nil
}

// FirstIndex implements raft.LogStore.
func (s *store) FirstIndex() (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.logs) == 0 {
		return 0, nil
	}
	return s.logs[0].Index, nil
}

// LastIndex implements raft.LogStore.
func (s *store) LastIndex() (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.logs) == 0 {
		return 0, nil
	}
	return s.logs[len(s.logs)-1].Index, nil
}

// GetLog implements raft.LogStore.
func (s *store) GetLog(index uint64, l *raft.Log) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.position(index)
	if n < 0 || n >= len(s.logs) {
		return raft.ErrLogNotFound
	}
	*l = *s.logs[n]
	return nil
}

// StoreLog implements raft.LogStore.
func (s *store) StoreLog(l *raft.Log) error { return s.StoreLogs([]*raft.Log{l}) }

// StoreLogs implements raft.LogStore.
func (s *store) StoreLogs(all []*raft.Log) error { return s.change(change{Stored: all}) }

// DeleteRange implements raft.LogStore.
func (s *store) DeleteRange(first, last uint64) error {
	c := change{Deleted: [2]uint64{first, last}}
	if s.mistake == "keeps-suffix" && first > 1 {
		return s.remember(c)
	}
	return s.change(c)
}

// Set implements raft.StableStore.
func (s *store) Set(key, value []byte) error {
	c := change{Key: string(key), Value: slices.Clone(value)}
	keep := s.change
	if s.mistake == "forgets-votes" || s.mistake == "forgets-term" && c.Key == currentTerm {
		keep = s.remember
	}
	if err := keep(c); err != nil {
		return err
	}
	if c.Key == currentTerm {
		s.noteTerm()
	}
	return nil
}

// Get implements raft.StableStore.
func (s *store) Get(key []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, is := s.keys[string(key)]
	if !is {
		return nil, errNotFound
	}
	return value, nil
}

// SetUint64 implements raft.StableStore.
func (s *store) SetUint64(key []byte, value uint64) error {
	return s.Set(key, binary.BigEndian.AppendUint64(nil, value))
}

// GetUint64 implements raft.StableStore.
func (s *store) GetUint64(key []byte) (uint64, error) {
	b, err := s.Get(key)
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(b), nil
}
