// Package serve makes a server of a store: the server opens the store, shows what the store contains, and takes calls.
package serve

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"contend/program/sim"
)

// Dir is the directory of the store.
const Dir = "/data"

// Keys are the keys that calls use.
var Keys = []string{"x", "y"}

// A Store is a map that a program keeps on its disk. A method that returns no error has made the change durable.
type Store interface {
	// Get returns the value of a key, or "" if the key has no value.
	Get(key string) (string, error)
	Put(key, value string) error
	Delete(key string) error
	// Compact rewrites the files of the store.
	Compact() error
}

// A server takes calls for a store.
type server struct {
	Store
	compacting sync.WaitGroup
}

// Main opens the store and takes calls until the end of the run. It ends the program if the store does not open.
func Main(open func(dir string) (Store, error)) {
	store, err := open(Dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "the store does not open:", err)
		os.Exit(1)
	}
	s := &server{Store: store}
	var all []string
	for _, key := range Keys {
		value, err := s.Get(key)
		if err != nil {
			sim.Note("fails: get " + key + " after a start: " + err.Error())
			return
		}
		all = append(all, key+"="+value)
	}
	sim.Note("shows " + strings.Join(all, " "))
	for {
		sim.Return(s.call(strings.Fields(sim.Invoked())))
	}
}

// call makes a call. It returns a value, "none" if there is no value, "ok" after a change, or "unknown" after an error.
func (s *server) call(words []string) string {
	switch words[0] {
	case "get":
		value, err := s.Get(words[1])
		if err == nil && value == "" {
			value = "none"
		}
		return result(words, value, err)
	case "compact":
		s.compacting.Go(func() { result(words, "", s.Compact()) }) // later calls do not wait for the end
		return "ok"
	}
	return s.change(append(words, "")[1:3])
}

// change gives a key a value, or removes the key if the value is "". It notes which items the store must keep.
func (s *server) change(item []string) string {
	key, value := item[0], item[1]
	old, err := s.Get(key)
	if err != nil {
		return result([]string{"get", key}, "", err)
	}
	sim.Note("forgets " + key + "=" + old)
	if value == "" {
		err = s.Delete(key)
	} else {
		err = s.Put(key, value)
	}
	if err == nil {
		sim.Note("keeps " + key + "=" + value)
	}
	return result(item, "ok", err)
}

// result returns the result of a call, and notes an error.
func result(words []string, is string, err error) string {
	if err != nil {
		sim.Note("fails: " + strings.Join(words, " ") + ": " + err.Error())
		return "unknown"
	}
	return is
}
