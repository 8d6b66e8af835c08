// Package tail reads the lines of several files that may grow. The lines of a file are in order. Between files, the reader
// prefers the file that its user is behind with least.
//
// For each file a goroutine reads ahead by one batch of lines, and waits until the batch is taken. So memory is bounded
// by a few batches.
package tail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const (
	// mostLine is the largest number of bytes in a line.
	mostLine = 1 << 20
	// usualRead is the number of bytes that a read asks for.
	usualRead = 1 << 14
	// pause is the time between two looks at the end of a file that grows.
	pause = 20 * time.Millisecond
)

// A Batch has consecutive lines of a file.
type Batch struct {
	File  int // the index of the file
	First int // the number of the first line, from 1
	Lines [][]byte
}

// A Reader reads files. Only [Reader.Stop] may be called at any time; all else is for one goroutine.
type Reader struct {
	mu      sync.Mutex // guards the fields of all files
	changed *sync.Cond
	files   []*file
	idle    time.Duration // all files end if none has grown for this time; 0 means never
	grown   time.Time     // when a file last had a new line
	stopped bool
}

// A state is the state of a file.
type state int

const (
	busy  state = iota // it is being read
	ready              // a batch waits
	idle               // all was read, and the file may grow
	ended
)

// A file is read by one goroutine.
type file struct {
	name    string
	in      *os.File
	grows   bool
	state   state
	batch   *Batch
	err     error
	rest    []byte // the beginning of a line
	number  int    // of lines
	of      *Reader
	at      int
	scanned int64 // bytes that were read
}

// Open opens files by their names; - is the standard input. A regular file may grow, and may be replaced by a new file of the
// same name, as when logs are rotated. All else ends where it ends. If no file has grown for a time that is not 0, all have
// ended. Close frees the files.
func Open(names []string, stdin *os.File, idle time.Duration) (*Reader, error) {
	r := &Reader{idle: idle, grown: time.Now()}
	r.changed = sync.NewCond(&r.mu)
	for i, name := range names {
		in, grows := stdin, false
		if name != "-" {
			var err error
			if in, err = os.Open(name); err != nil {
				r.Close()
				return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
			}
			info, err := in.Stat()
			grows = err == nil && info.Mode().IsRegular()
		}
		r.files = append(r.files, &file{name: name, in: in, grows: grows, of: r, at: i})
	}
	for _, f := range r.files {
		go f.run()
	}
	return r, nil
}

// Stop ends all files. [Reader.Next] returns what was read already.
func (r *Reader) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	r.changed.Broadcast()
}

// Close stops the reader, and closes the files.
func (r *Reader) Close() {
	r.Stop()
	for _, f := range r.files {
		if f.name != "-" {
			_ = f.in.Close()
		}
	}
}

// Next returns the next batch, or nil if all files have ended. It waits if there is none yet. The function behind returns
// how much of a file waits at the user.
func (r *Reader) Next(behind func(file int) int) (*Batch, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		var next *file
		open, working := false, false
		for _, f := range r.files {
			if f.err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, f.err)
			}
			open, working = open || f.state != ended, working || f.state == busy
			if f.state != ended && f.state != idle && (next == nil || behind(f.at) < behind(next.at)) {
				next = f
			}
		}
		switch {
		case next != nil && next.state == ready:
			b := next.batch
			if next.batch, next.state, r.grown = nil, busy, time.Now(); r.stopped {
				next.state = ended // nobody reads on
			}
			r.changed.Broadcast()
			return b, nil
		case !open, !working && (r.stopped || r.idle > 0 && time.Since(r.grown) >= r.idle):
			return nil, nil
		}
		r.changed.Wait()
	}
}

// run reads a file to its end.
func (f *file) run() {
	buffer := make([]byte, usualRead)
	defer f.leave()
	for {
		n, err := f.in.Read(buffer)
		f.scanned += int64(n)
		var b *Batch
		if n > 0 {
			b = f.split(buffer[:n], false)
		}
		switch {
		case len(f.rest) > mostLine:
			f.set(ended, nil, fmt.Errorf("line %d: it has more than %d bytes", f.number+1, mostLine))
			return
		case b != nil:
			if !f.give(b) {
				return
			}
		}
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			f.set(ended, nil, fmt.Errorf("line %d: %w", f.number+1, err))
			return
		case !f.grows:
			if b := f.split(nil, true); b != nil && !f.give(b) {
				return
			}
			f.set(ended, nil, nil)
			return
		case !f.wait():
			return
		}
	}
}

// split returns the lines that are complete; the last need not be if it is.
func (f *file) split(more []byte, last bool) *Batch {
	b := &Batch{File: f.at, First: f.number + 1}
	for {
		i := bytes.IndexByte(more, '\n')
		if i < 0 {
			break
		}
		b.Lines = append(b.Lines, append(f.rest, more[:i]...))
		f.rest, more = nil, more[i+1:]
	}
	f.rest = append(f.rest, more...)
	if last && len(f.rest) > 0 {
		b.Lines, f.rest = append(b.Lines, f.rest), nil
	}
	if f.number += len(b.Lines); len(b.Lines) == 0 {
		return nil
	}
	return b
}

// set sets the state of the file.
func (f *file) set(s state, b *Batch, err error) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	f.state, f.batch, f.err = s, b, err
	f.of.changed.Broadcast()
}

// leave ends a file that nobody reads on. A batch that waits may still be taken.
func (f *file) leave() {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	if f.state == busy {
		f.state = ended
	}
	f.of.changed.Broadcast()
}

// give offers a batch, and waits until it is taken. It reports false if the reader was stopped.
func (f *file) give(b *Batch) bool {
	f.set(ready, b, nil)
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	for f.state == ready && !f.of.stopped {
		f.of.changed.Wait()
	}
	return !f.of.stopped
}

// wait waits for a file to grow. If another file has its name now, the file ends, and that is read instead. It reports
// false if the reader was stopped, or the file cannot be read on.
func (f *file) wait() bool {
	f.set(idle, nil, nil)
	for {
		time.Sleep(pause)
		f.of.mu.Lock()
		stopped := f.of.stopped
		f.of.changed.Broadcast() // time has passed
		f.of.mu.Unlock()
		info, err := f.in.Stat()
		switch {
		case stopped:
			return false
		case err != nil:
			f.set(ended, nil, err)
			return false
		case info.Size() < f.scanned:
			f.set(ended, nil, fmt.Errorf("line %d: the file has become shorter", f.number+1))
			return false
		case info.Size() > f.scanned:
			f.set(busy, nil, nil)
			return true
		}
		if now, err := os.Stat(f.name); err == nil && !os.SameFile(info, now) {
			return f.replace()
		}
	}
}

// replace opens the file that has the name now.
func (f *file) replace() bool {
	if b := f.split(nil, true); b != nil && !f.give(b) {
		return false
	}
	in, err := os.Open(f.name)
	if err != nil {
		f.set(ended, nil, errors.Unwrap(err))
		return false
	}
	_ = f.in.Close()
	f.in, f.number, f.scanned = in, 0, 0
	f.set(busy, nil, nil)
	return true
}
