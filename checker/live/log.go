package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxLine is the largest length of an entry and of a frame, in bytes.
const maxLine = 1 << 20

// An entry is a line of a node's log: docs/conform.md describes the fields, besides at, sent, op, held and boot.
type entry struct {
	Node string `json:"node"`
	// At is the instant of the step, in nanoseconds since the start of the run.
	At      int64                      `json:"at"`
	Start   bool                       `json:"start,omitempty"`
	Crash   bool                       `json:"crash,omitempty"`
	Receive *message                   `json:"receive,omitempty"`
	Alarm   json.RawMessage            `json:"alarm,omitempty"`
	Call    json.RawMessage            `json:"call,omitempty"`
	Result  json.RawMessage            `json:"result,omitempty"`
	Choices []int                      `json:"choices,omitempty"`
	Send    []message                  `json:"send,omitempty"`
	Note    []json.RawMessage          `json:"note,omitempty"`
	After   map[string]json.RawMessage `json:"after,omitempty"`
	// Sent is the instant at which the received message was sent. It is nil for a lie.
	Sent *int64 `json:"sent,omitempty"`
	// Op is the number of operations that have begun, in the entry of a call; 0 if the call ends a section.
	Op int `json:"op,omitempty"`
	// Held has the indexes of the choices that are answers to queries of holds.
	Held []int `json:"held,omitempty"`
	// Boot has the choices of Start.
	Boot []int `json:"boot,omitempty"`
}

// own has the fields of entries that the check of logs does not read.
var own = []string{"at", "sent", "op", "held", "boot"}

// A message is a sent or received message in an entry.
type message struct {
	From  string          `json:"from,omitempty"`
	To    string          `json:"to,omitempty"`
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value,omitempty"`
}

// A journal is a node's log. It is also the store of the node's stable fields, so what a restart finds is what the log
// has shown: no crash can separate the two. An entry is one write, and on the disk before anything depends on stable
// fields that it changes.
type journal struct {
	file   *os.File
	stable []byte // the stable fields of the last entry
}

// openJournal opens a node's log at its end. It drops an entry that a crash has cut, and returns the last stable fields
// and the number of operations that have begun.
func openJournal(path string) (j *journal, stable map[string]json.RawMessage, ops int, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, 0, err
	}
	j = &journal{file: file}
	size := int64(0)
	err = eachLine(file, func(line []byte) error {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		size += int64(len(line)) + 1
		if e.After != nil {
			stable = e.After
		}
		ops = max(ops, e.Op)
		return nil
	})
	if err == nil {
		err = errors.Join(file.Truncate(size), seekTo(file, size))
	}
	return j, stable, ops, err
}

func seekTo(file *os.File, at int64) error {
	_, err := file.Seek(at, io.SeekStart)
	return err
}

// eachLine calls f for each complete line, without its end.
func eachLine(r io.Reader, f func(line []byte) error) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(bytes.TrimSuffix(line, []byte{'\n'}))
		}
		if err != nil {
			return err
		}
	}
}

// append writes an entry. It syncs the file if stable fields have changed.
func (j *journal) append(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if len(line) >= maxLine {
		return fmt.Errorf("an entry has %d bytes, but may have %d", len(line), maxLine-1)
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	stable, err := json.Marshal(e.After)
	if err != nil || bytes.Equal(stable, j.stable) {
		return err
	}
	j.stable = stable
	return j.file.Sync()
}
