// Graceful is a server that counts requests in memory and writes the count to its file when a SIGTERM comes, and its client. With argument deaf the
// server does not handle the signal, with reload it reads its file and goes on, and with ignore it ignores it. The client does not handle the
// signal. With argument finish it ends after its call.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"contend/program/sim"
)

func main() {
	if sim.Host() == "server" {
		serve(strings.Join(os.Args[1:], ""))
		return
	}
	ends := make(chan os.Signal, 1)
	if os.Args[1] == "finish" {
		signal.Notify(ends, syscall.SIGTERM)
	}
	for {
		sim.Invoked()
		sim.Return(get())
		select {
		case <-ends:
			sim.Note("the client ends after its call")
			return
		default:
		}
	}
}

func get() string {
	c := &http.Client{Timeout: time.Second}
	r, err := c.Get("http://server/")
	if err != nil {
		return "failed"
	}
	all, _ := io.ReadAll(r.Body)
	return string(all)
}

func serve(how string) {
	var count atomic.Int64
	text, _ := os.ReadFile("/count")
	n := int64(0)
	_, _ = fmt.Sscan(string(text), &n)
	count.Store(n)
	sim.Note("begins with " + fmt.Sprint(count.Load()))
	s := &http.Server{Addr: ":80", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, count.Add(1))
	})}
	ctx, stop := context.WithCancel(context.Background())
	switch how {
	case "", "finish":
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGTERM)
	case "reload":
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		go func() {
			for range c {
				sim.Note("reloads")
			}
		}()
	case "ignore":
		signal.Ignore(syscall.SIGTERM)
	}
	done := make(chan bool)
	go func() {
		<-ctx.Done()
		stop()
		_ = s.Shutdown(context.Background())
		close(done)
	}()
	if err := s.ListenAndServe(); err != http.ErrServerClosed {
		panic(err)
	}
	<-done
	if err := os.WriteFile("/count", []byte(fmt.Sprint(count.Load())), 0o600); err != nil {
		panic(err)
	}
	sim.Note("ends")
}
