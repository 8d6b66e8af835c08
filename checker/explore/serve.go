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

// How long a connection may take to be heard and answered. What takes longer is told of as it goes, and
// has so long for each event.
const (
	reading = 30 * time.Second
	idle    = 2 * time.Minute
	ending  = time.Second
)

// writing is how long an answer may take to be written. Tests make it shorter.
var writing = 30 * time.Second

// Serve listens on a port of this machine's own interface, 0 for any that is free, tells its address and
// serves until it is stopped. Nobody else on the network can reach it.
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
	server := &http.Server{Handler: s.Handler(hosts...), ReadHeaderTimeout: reading, ReadTimeout: reading, WriteTimeout: writing,
		IdleTimeout: idle, MaxHeaderBytes: 1 << 16, BaseContext: func(net.Listener) context.Context { return base }}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	tell("http://" + hosts[0] + s.Path())
	select {
	case err := <-done:
		return err
	case <-stop:
	}
	cancel() // searches end with it
	timely, over := context.WithTimeout(context.Background(), ending)
	defer over()
	if err := server.Shutdown(timely); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
