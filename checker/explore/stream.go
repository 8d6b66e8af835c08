package explore

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A stream tells a page of what takes its time, event by event, as server-sent events: progress now and
// then, and in the end what came of it. It may be told from several goroutines.
type stream struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	c    *http.ResponseController
	last time.Time
}

// apart is how far apart progress is told, at the least.
const apart = 100 * time.Millisecond

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	s := &stream{w: w, c: http.NewResponseController(w)}
	_ = s.c.SetReadDeadline(time.Time{}) // that the request had to be read by then is no reason to end the answer
	return s
}

// progress tells how far something is, unless that was told just now.
func (s *stream) progress(what any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.last) >= apart {
		s.last = time.Now()
		s.send("progress", what)
	}
}

// end tells what came of it.
func (s *stream) end(what any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send("end", what)
}

// send writes an event. That the page is gone ends what it is told of by its request.
func (s *stream) send(event string, what any) {
	raw, err := json.Marshal(what)
	if err != nil {
		panic(err) // it is made of plain values
	}
	_ = s.c.SetWriteDeadline(time.Now().Add(writing))
	_, _ = fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", event, raw)
	_ = s.c.Flush()
}
