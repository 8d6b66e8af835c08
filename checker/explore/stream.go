package explore

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A stream sends server-sent events: progress, and finally a result. It is safe for concurrent use.
type stream struct {
	writing time.Duration // maximum for each event
	mu      sync.Mutex
	w       http.ResponseWriter
	c       *http.ResponseController
	last    time.Time
}

// progressInterval is the minimum time between progress events.
const progressInterval = 100 * time.Millisecond

func newStream(w http.ResponseWriter, writing time.Duration) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	s := &stream{w: w, writing: writing, c: http.NewResponseController(w)}
	_ = s.c.SetReadDeadline(time.Time{}) // the limit for reading the request must not end the response
	return s
}

// progress sends a progress event, unless the last one was too recent.
func (s *stream) progress(what any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.last) >= progressInterval {
		s.last = time.Now()
		s.send("progress", what)
	}
}

// end sends the result.
func (s *stream) end(what any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send("end", what)
}

// send writes an event. It ignores write errors: the request's context ends the computation.
func (s *stream) send(event string, what any) {
	raw, err := json.Marshal(what)
	if err != nil {
		panic(err) // plain values
	}
	_ = s.c.SetWriteDeadline(time.Now().Add(s.writing))
	_, _ = fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", event, raw)
	_ = s.c.Flush()
}
