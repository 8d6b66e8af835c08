// Lock is a lock server and its client. Each grant of the lock has a number of its own, which the server keeps in a file.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"contend/program/sim"
)

func main() {
	if strings.HasPrefix(sim.Host(), "c") {
		client()
	}
	newServer(len(os.Args) > 1 && os.Args[1] == "nosync").serve()
}

type server struct {
	mu     sync.Mutex
	free   *sync.Cond
	held   bool
	since  time.Time
	grants int
	nosync bool
}

func newServer(nosync bool) *server {
	s := &server{nosync: nosync}
	s.free = sync.NewCond(&s.mu)
	b, err := os.ReadFile("/grants")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		panic(err)
	}
	s.grants, _ = strconv.Atoi(string(b))
	return s
}

const lease = 300 * time.Millisecond

func (s *server) serve() {
	l, err := sim.Listen("tcp", ":7000")
	if err != nil {
		panic(err)
	}
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			s.mu.Lock()
			if s.held && time.Since(s.since) > lease {
				s.held = false
				s.free.Signal()
			}
			s.mu.Unlock()
		}
	}()
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go s.answer(c)
	}
}

func (s *server) answer(c net.Conn) {
	defer c.Close()
	if _, err := bufio.NewReader(c).ReadString('\n'); err != nil {
		return
	}
	s.mu.Lock()
	for s.held {
		s.free.Wait()
	}
	s.held, s.since = true, time.Now()
	s.grants++
	n := s.grants
	s.save(n)
	s.mu.Unlock()
	fmt.Fprintf(c, "%d\n", n)
	io.Copy(io.Discard, c) // until the client hangs up
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held && s.grants == n {
		s.held = false
		s.free.Signal()
	}
}

func (s *server) save(n int) {
	f, err := os.Create("/grants.new")
	if err != nil {
		panic(err)
	}
	if _, err := fmt.Fprint(f, n); err != nil {
		panic(err)
	}
	if !s.nosync {
		if err := f.Sync(); err != nil {
			panic(err)
		}
	}
	f.Close()
	if err := os.Rename("/grants.new", "/grants"); err != nil {
		panic(err)
	}
	if d, err := os.Open("/"); err == nil && !s.nosync {
		d.Sync()
		d.Close()
	}
}

func client() {
	for {
		sim.Invoked()
		sim.Return(lock())
	}
}

func lock() string {
	c, err := sim.DialTimeout("tcp", "server:7000", time.Second)
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := fmt.Fprintln(c, "lock"); err != nil {
		return err.Error()
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return err.Error()
	}
	sim.Note("granted " + strings.TrimSpace(line))
	held := 20 + rand.Intn(60)
	time.Sleep(time.Duration(held) * time.Millisecond)
	return fmt.Sprint("done after ", held)
}
