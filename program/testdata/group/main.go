// Group is a log server whose entries are synced in groups, and its client. With argument late it acknowledges what is written when
// a sync returns, not what was when it began. With argument retry it syncs again after a sync that failed.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	if strings.HasPrefix(sim.Host(), "c") {
		client()
	}
	f, err := os.OpenFile("/log", os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	must(err)
	b, err := io.ReadAll(f)
	must(err)
	sim.Note("read " + string(b))
	s := &server{file: f, mistake: strings.Join(os.Args[1:], "")}
	s.synced = sync.NewCond(&s.mu)
	s.serve()
}

type server struct {
	mu      sync.Mutex
	synced  *sync.Cond
	file    *os.File
	mistake string
	written int // entries
	durable int
	syncing bool
	broken  error
}

func (s *server) serve() {
	l, err := sim.Listen("tcp", ":80")
	must(err)
	for {
		c, err := l.Accept()
		must(err)
		go s.answer(c)
	}
}

func (s *server) answer(c net.Conn) {
	defer c.Close()
	entry, err := bufio.NewReader(c).ReadString('\n')
	if err == nil && s.add(entry) == nil {
		fmt.Fprintln(c, "added")
	}
}

// add writes an entry, and waits until a sync has covered it: its own, or one of somebody else.
func (s *server) add(entry string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.file.WriteString(strings.TrimSpace(entry) + " ")
	must(err)
	s.written++
	mine := s.written
	for s.durable < mine && s.broken == nil {
		if s.syncing {
			s.synced.Wait()
			continue
		}
		s.sync()
	}
	return s.broken
}

func (s *server) sync() {
	covered := s.written
	s.syncing = true
	s.mu.Unlock()
	err := s.file.Sync()
	if err != nil && s.mistake == "retry" {
		err = s.file.Sync()
	}
	s.mu.Lock()
	if s.mistake == "late" {
		covered = s.written
	}
	s.syncing = false
	if err == nil {
		s.durable = covered
	} else {
		s.broken = err
	}
	s.synced.Broadcast()
}

func client() {
	for {
		entry := sim.Invoked()
		if c, err := sim.DialTimeout("tcp", "server:80", time.Second); err == nil {
			fmt.Fprintln(c, entry)
			if _, err := bufio.NewReader(c).ReadString('\n'); err == nil {
				sim.Note("added " + entry)
			}
			c.Close()
		}
		sim.Return("done")
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
