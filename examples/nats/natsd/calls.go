package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"contend/program/sim"
)

// call makes a call. It returns a value, a sequence, "none" if there is no value, "ok" after a removal, or "unknown" after an error.
func (c *client) call(words []string) string {
	is, err := c.make(words[0], words[1:])
	if err != nil {
		sim.Note(fmt.Sprintf("fails: %s: %v", words, err))
		return "unknown"
	}
	return is
}

func (c *client) make(call string, words []string) (is string, err error) {
	switch call {
	case "look":
		all, err := c.messages()
		if err == nil {
			sim.Note("has " + strings.Join(all, " "))
		}
		return "ok", err
	case "publish":
		ack, err := c.js.Publish(subject, lengthen(words[0]))
		if err != nil {
			return "", err
		}
		sim.Note(fmt.Sprintf("keeps %d=%s", ack.Sequence, words[0]))
		return strconv.FormatUint(ack.Sequence, 10), nil
	case "put":
		if _, err := c.forget(words[0]); err != nil {
			return "", err
		}
		revision, err := c.kv.Put(words[0], lengthen(words[1]))
		if err != nil {
			return "", err
		}
		sim.Note(fmt.Sprintf("keeps %s=%s@%d", words[0], words[1], revision))
		return strconv.FormatUint(revision, 10), nil
	case "read":
		if is, err = c.get(words[0]); err == nil && is == "" {
			is = "none"
		}
		return is, err
	}
	return c.remove(call, words[0])
}

// remove removes a message, all messages before a sequence, all messages, or a key.
func (c *client) remove(call, what string) (is string, err error) {
	sequence, _ := strconv.ParseUint(what, 10, 64)
	removed := []string{what}
	if call == "purge" {
		if removed, err = c.before(sequence); err != nil {
			return "", err
		}
	}
	had, err := c.forget(removed...)
	if err != nil || call == "delete" && !had {
		return "none", err // the server refuses to remove a message that it does not have
	}
	switch call {
	case "delete":
		err = c.js.DeleteMsg(stream, sequence)
	case "purge":
		err = c.js.PurgeStream(stream, &nats.StreamPurgeRequest{Sequence: sequence})
	case "drop":
		err = c.kv.Purge(what)
	default:
		err = errors.New("no such call")
	}
	if err == nil && c.careful {
		err = syncDirs()
	}
	if err != nil {
		return "", err
	}
	for _, item := range removed {
		sim.Note("keeps " + item + "=")
	}
	return "ok", nil
}

// syncDirs syncs the directories of the stream and the bucket.
func syncDirs() error {
	dirs, err := filepath.Glob("/data/jetstream/$G/streams/*/msgs")
	for _, name := range dirs {
		for _, dir := range []string{name, filepath.Dir(name)} {
			f, err := os.Open(dir)
			if err != nil {
				return err
			}
			defer f.Close()
			if err := f.Sync(); err != nil {
				return err
			}
		}
	}
	return err
}

// before returns the sequences of the messages before a sequence, or of all messages if it is 0.
func (c *client) before(end uint64) (all []string, err error) {
	messages, err := c.messages()
	for _, m := range messages {
		sequence, _, _ := strings.Cut(m, "=")
		if n, _ := strconv.ParseUint(sequence, 10, 64); end == 0 || n < end {
			all = append(all, sequence)
		}
	}
	return all, err
}

// forget notes that items need not be kept from now on. It reports whether an item has a value.
func (c *client) forget(items ...string) (had bool, err error) {
	for _, item := range items {
		old, err := c.get(item)
		if err != nil {
			return false, err
		}
		had = had || old != ""
		sim.Note("forgets " + item + "=" + old)
	}
	return had, nil
}
