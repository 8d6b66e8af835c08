package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"sync"
	"testing"

	"contend/checker/judge"
	"contend/model"
)

// A Follower checks the log of a service while the service runs under go test. Its methods and writers may be used by
// several goroutines at once.
type Follower struct {
	t       testing.TB
	name    string // of the protocol
	mapped  bool
	mu      sync.Mutex // guards the fields below
	stream  *Stream
	writers []*nodeWriter
	failed  chan struct{} // is closed at the failure
	err     error         // the failure
	over    bool          // the test is over
}

// errOver is the error of a write after the end of the test.
var errOver = errors.New("the test is over, and its logs have ended")

// Follow begins a check of logs against a protocol. The test fails, while it goes on, at the first entry that no run of
// the protocol explains, or when the run violates a claim. At the end of the test the logs end, and it fails if they are
// not explained, or if a limit stops the search. Options.Silent has to name the kinds of fields that the log lacks.
func Follow(t testing.TB, p *model.Protocol, c model.Config, opt Options) *Follower {
	t.Helper()
	if opt.Claims == nil {
		opt.Claims = judge.Watched(p.Claims)
	}
	s, err := NewStream(p, "", c, opt, false)
	if err != nil {
		t.Fatal(err)
	}
	f := &Follower{t: t, name: p.Name, mapped: opt.Map != nil, stream: s, failed: make(chan struct{})}
	t.Cleanup(f.end)
	return f
}

// Node returns a writer for the log of a node. A line is checked when it is complete, and a line that is a JSON object
// without a field node gets that of the name. After a failure, Write returns it as its error.
func (f *Follower) Node(name string) io.Writer {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := &nodeWriter{of: f, node: name, source: f.stream.Source(name)}
	f.writers = append(f.writers, w)
	return w
}

// Handler returns a handler that writes the attributes of records to the log of a node, as JSON. It leaves out the time and
// the level. The message stays, as the field msg, only if Options.Map turns lines into entries.
func (f *Follower) Handler(name string) slog.Handler {
	return slog.NewJSONHandler(f.Node(name), &slog.HandlerOptions{Level: slog.Level(math.MinInt), ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey && !f.mapped) {
			return slog.Attr{}
		}
		return a
	}})
}

// Failed returns a channel that is closed when the check fails, so that a test can end early.
func (f *Follower) Failed() <-chan struct{} { return f.failed }

// A nodeWriter is the log of a node.
type nodeWriter struct {
	of     *Follower
	node   string
	source int
	lines  int
	rest   []byte // the beginning of a line
}

// Write adds the lines of some bytes.
func (w *nodeWriter) Write(p []byte) (n int, err error) {
	f := w.of
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			if w.rest = append(w.rest, p...); len(w.rest) > maxLine {
				f.fail(errors.New(w.node + ": a line has more bytes than are permitted"))
			}
			return n + len(p), f.error()
		}
		line := append(w.rest, p[:i]...)
		w.rest, p, n = nil, p[i+1:], n+i+1
		if f.error() == nil {
			f.add(w, line)
		}
		if err := f.error(); err != nil {
			return n, err
		}
	}
	return n, f.error()
}

// error returns the error of writes.
func (f *Follower) error() error {
	if f.err == nil && f.over {
		return errOver
	}
	return f.err
}

// add adds a line, and explains it.
func (f *Follower) add(w *nodeWriter, line []byte) {
	w.lines++
	if err := f.stream.Add(w.source, w.lines, w.named(line)); err != nil {
		f.fail(err)
		return
	}
	if r, err := f.stream.Go(); err != nil || r != nil {
		f.ended(r, err)
	}
}

// named returns a line with the node's name, if it is an object without one.
func (w *nodeWriter) named(line []byte) []byte {
	members, err := objectOf(line)
	if err != nil || members["node"] != nil {
		return line
	}
	members["node"], _ = json.Marshal(w.node) // cannot fail: a string
	line, _ = json.Marshal(members)           // cannot fail: members of a valid object
	return line
}

// ended fails the test unless the logs are explained and no claim is violated.
func (f *Follower) ended(r *Result, err error) {
	switch {
	case err != nil:
		f.fail(err)
	case r.Verdict != Explained || r.Violated():
		f.fail(errors.New(r.String()))
	}
}

// fail fails the test, once.
func (f *Follower) fail(err error) {
	if f.err == nil && !f.over {
		f.err = err
		f.t.Errorf("%s: %v", f.name, err)
		close(f.failed)
	}
}

// end ends the logs.
func (f *Follower) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range f.writers {
		if f.err == nil && len(w.rest) > 0 {
			f.add(w, w.rest)
		}
	}
	if f.err == nil {
		f.ended(f.stream.End())
	}
	f.over = true
}
