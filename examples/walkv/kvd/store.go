package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/tidwall/wal"
)

// options are the command's options.
type options struct {
	noSync  bool
	segment int
	most    int
	mistake string
}

// A store has the newest value of each key in a log.
type store struct {
	options
	mu    sync.Mutex
	log   *wal.Log
	at    map[string]uint64 // where the newest entry of each key is that has a value
	first uint64            // the index of the first entry
	last  uint64            // index of the last entry
}

// An entry is a change: a value, or that there is none any more.
type entry struct {
	Key, Value string
	Gone       bool `json:",omitempty"`
}

var errNone = errors.New("there is no such key")

// open opens the log in a directory, and goes through it.
func open(dir string, o options) (*store, error) {
	s := &store{options: o, at: map[string]uint64{}}
	how := &wal.Options{NoSync: o.noSync, SegmentSize: o.segment}
	var err error
	if s.log, err = wal.Open(dir, how); errors.Is(err, wal.ErrCorrupt) {
		if err = s.repair(dir); err == nil {
			s.log, err = wal.Open(dir, how)
		}
	}
	if err != nil {
		return nil, err
	}
	if s.first, err = s.log.FirstIndex(); err != nil {
		return nil, err
	}
	if s.last, err = s.log.LastIndex(); err != nil {
		return nil, err
	}
	for i := max(s.first, 1); i <= s.last; i++ {
		e, err := s.read(i)
		if err != nil {
			return nil, err
		}
		s.recover(i, e)
	}
	return s, nil
}

// read reads an entry of the log.
func (s *store) read(index uint64) (e entry, err error) {
	b, err := s.log.Read(index)
	if err == nil {
		err = json.Unmarshal(b, &e)
	}
	return e, err
}

// note notes where the newest entry of a key is.
func (s *store) note(index uint64, e entry) {
	if s.at[e.Key] = index; e.Gone {
		delete(s.at, e.Key)
	}
}

// get returns the value of a key.
func (s *store) get(key string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	index, is := s.at[key]
	if !is {
		return "", errNone
	}
	e, err := s.read(index)
	return e.Value, err
}

func (s *store) put(key, value string) error { return s.change(entry{Key: key, Value: value}) }

func (s *store) remove(key string) error { return s.change(entry{Key: key, Gone: true}) }

// change makes a change that outlives a crash.
func (s *store) change(e entry) error {
	defer s.lock()()
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	index := s.last + 1
	if err := s.write(index, e, b); err != nil {
		return err
	}
	s.last = index
	s.note(index, e)
	return s.cut()
}

// cut cuts off the beginning of a long log up to the first entry with a value.
func (s *store) cut() error {
	s.first = max(s.first, 1)
	if s.last-s.first < uint64(s.most) {
		return nil
	}
	first := s.last
	for _, index := range s.at {
		first = min(first, index)
	}
	if first = s.cutTo(first); first == s.first {
		return nil
	}
	s.first = first
	if err := s.log.TruncateFront(first); err != nil {
		return err
	}
	if is, err := s.log.FirstIndex(); err != nil || is != first {
		return fmt.Errorf("the log was cut off at entry %d, but begins with entry %d (%v)", first, is, err)
	}
	return nil
}
