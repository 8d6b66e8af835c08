package explore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Time limits of connections. Each event of a stream has its own write limit.
const (
	reading = 30 * time.Second
	idle    = 2 * time.Minute
	ending  = time.Second
)

// writing is the maximum time to write a response.
const writing = 30 * time.Second

// Serve listens on a port of the loopback interface; 0 is any free port. It calls tell once with the page's
// address. It serves until stop is closed.
func (s *Server) Serve(port int, stop <-chan struct{}, tell func(address string)) error {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("--port is %d, where nothing can be served: %w", port, err)
	}
	_, chosen, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	hosts := []string{"127.0.0.1:" + chosen, "localhost:" + chosen}
	base, cancel := context.WithCancel(context.Background())
	defer cancel()
	server := &http.Server{Handler: s.Handler(hosts...), ReadHeaderTimeout: reading, ReadTimeout: reading, WriteTimeout: s.writing,
		IdleTimeout: idle, MaxHeaderBytes: 1 << 16, BaseContext: func(net.Listener) context.Context { return base }}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	tell("http://" + hosts[0] + s.Path())
	select {
	case err := <-done:
		return err
	case <-stop:
	}
	cancel() // ends searches
	timely, over := context.WithTimeout(context.Background(), ending)
	defer over()
	if err := server.Shutdown(timely); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
