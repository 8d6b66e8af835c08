// Commit is a log server over HTTP that knows package net/http only, and its client. The server appends entries to a file, and one goroutine syncs for
// all requests that wait. With argument late it takes those who wait after the sync: a request that came meanwhile is answered, though the sync did not
// cover its entry.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"contend/program/sim"
)

func main() {
	if sim.Host() != "server" {
		client()
	}
	f, err := os.OpenFile("/log", os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	must(err)
	b, err := io.ReadAll(f)
	must(err)
	sim.Note("read " + string(b))
	l := &log{file: f, work: make(chan bool, 1), late: len(os.Args) > 1 && os.Args[1] == "late"}
	go l.commit()
	http.HandleFunc("POST /log", func(w http.ResponseWriter, r *http.Request) {
		entry, err := io.ReadAll(r.Body)
		if err == nil {
			err = l.add(string(entry))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	must(http.ListenAndServe(":80", nil))
}

type log struct {
	mu      sync.Mutex
	file    *os.File
	waiters []chan error
	work    chan bool
	late    bool
}

// add writes an entry, and waits for a sync.
func (l *log) add(entry string) error {
	done := make(chan error, 1)
	l.mu.Lock()
	_, err := l.file.WriteString(entry + " ")
	l.waiters = append(l.waiters, done)
	l.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case l.work <- true:
	default: // there is work already
	}
	return <-done
}

// commit syncs for all that wait.
func (l *log) commit() {
	for range l.work {
		var waiters []chan error
		if !l.late {
			waiters = l.take()
		}
		err := l.file.Sync()
		if l.late {
			waiters = l.take()
		}
		for _, w := range waiters {
			w <- err
		}
	}
}

func (l *log) take() []chan error {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.waiters
	l.waiters = nil
	return all
}

func client() {
	c := &http.Client{Timeout: time.Second}
	for {
		entry := sim.Invoked()
		r, err := c.Post("http://server/log", "text/plain", strings.NewReader(entry))
		if err == nil && r.StatusCode == http.StatusOK {
			sim.Note("added " + entry)
		}
		if err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			r.Body.Close()
		}
		sim.Return(fmt.Sprint(err == nil))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
