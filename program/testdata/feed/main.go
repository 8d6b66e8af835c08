// Feed is a server that passes on what is published to its subscribers, and its clients. With argument locked it writes to a subscriber
// while it holds its lock.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	if sim.Host() != "server" {
		client()
	}
	s := &server{locked: strings.Join(os.Args[1:], "") == "locked"}
	l, err := sim.Listen("tcp", ":80")
	must(err)
	for {
		c, err := l.Accept()
		must(err)
		go s.answer(c)
	}
}

type server struct {
	mu          sync.Mutex
	subscribers []chan string
	conns       []net.Conn
	locked      bool
}

// answer serves a client. A line is the word subscribe, or a text to publish.
func (s *server) answer(c net.Conn) {
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		if lines.Text() != "subscribe" {
			s.publish(lines.Text() + "\n")
		} else {
			s.subscribe(c)
		}
		fmt.Fprintln(c, "done")
	}
	_ = c.Close()
}

func (s *server) subscribe(c net.Conn) {
	texts := make(chan string, 4)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns, s.subscribers = append(s.conns, c), append(s.subscribers, texts)
	go func() {
		for text := range texts {
			_, _ = c.Write([]byte(text))
		}
	}()
}

// publish passes a text on. A subscriber that is too slow misses it.
func (s *server) publish(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, texts := range s.subscribers {
		if s.locked {
			_, _ = s.conns[i].Write([]byte(text))
			continue
		}
		select {
		case texts <- text:
		default:
		}
	}
}

func client() {
	c, err := sim.Dial("tcp", "server:80")
	must(err)
	lines := bufio.NewScanner(c)
	for {
		text := sim.Invoked()
		_ = c.SetReadDeadline(time.Now().Add(time.Second))
		fmt.Fprintln(c, text)
		if !lines.Scan() {
			sim.Note("late")
		}
		if text == "subscribe" {
			_ = c.SetReadDeadline(time.Time{})
			go read(lines)
		}
		sim.Return("done")
	}
}

// read reads slowly.
func read(lines *bufio.Scanner) {
	for lines.Scan() {
		time.Sleep(time.Minute)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
