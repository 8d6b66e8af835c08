package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"

	"contend/program/sim"
)

const (
	stream  = "stream"
	subject = "subject"
)

// keys are the keys that calls use.
var keys = []string{"x", "y"}

// A client has the connection to the server.
type client struct {
	js nats.JetStreamContext
	kv nats.KeyValue
}

// all returns what the server has: messages "SEQUENCE=VALUE", and keys "KEY=VALUE@REVISION", in both cases "=" if there is none.
func (c *client) all() (all []string, err error) {
	info, err := c.js.StreamInfo(stream)
	if err != nil {
		return nil, err
	}
	var items []string
	for i := range info.State.LastSeq {
		items = append(items, strconv.FormatUint(i+1, 10))
	}
	for _, item := range append(items, keys...) {
		value, err := c.get(item)
		if err != nil {
			return nil, err
		}
		all = append(all, item+"="+value)
	}
	return all, nil
}

// get returns the value of a key or a sequence, or "" if there is none.
func (c *client) get(item string) (string, error) {
	sequence, err := strconv.ParseUint(item, 10, 64)
	if err != nil {
		entry, err := c.kv.Get(item)
		if errors.Is(err, nats.ErrKeyNotFound) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s@%d", entry.Value(), entry.Revision()), nil
	}
	m, err := c.js.GetMsg(stream, sequence)
	if errors.Is(err, nats.ErrMsgNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return string(m.Data), nil
}

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
	case "publish":
		ack, err := c.js.Publish(subject, []byte(words[0]))
		if err != nil {
			return "", err
		}
		sim.Note(fmt.Sprintf("keeps %d=%s", ack.Sequence, words[0]))
		return strconv.FormatUint(ack.Sequence, 10), nil
	case "put":
		if err := c.forget(words[0]); err != nil {
			return "", err
		}
		revision, err := c.kv.PutString(words[0], words[1])
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

// remove removes a message, all messages before a sequence, or a key.
func (c *client) remove(call, what string) (is string, err error) {
	removed := []string{what}
	if call == "purge" {
		removed = nil
		last, err := strconv.Atoi(what)
		if err != nil {
			return "", err
		}
		for i := range last - 1 {
			removed = append(removed, strconv.Itoa(i+1))
		}
	}
	if err := c.forget(removed...); err != nil {
		return "", err
	}
	switch sequence, _ := strconv.ParseUint(what, 10, 64); call {
	case "delete":
		err = c.js.DeleteMsg(stream, sequence)
	case "purge":
		err = c.js.PurgeStream(stream, &nats.StreamPurgeRequest{Sequence: sequence})
	case "drop":
		err = c.kv.Purge(what)
	default:
		err = errors.New("no such call")
	}
	if err != nil {
		return "", err
	}
	for _, item := range removed {
		sim.Note("keeps " + item + "=")
	}
	return "ok", nil
}

// forget notes that items need not be kept from now on.
func (c *client) forget(items ...string) error {
	for _, item := range items {
		old, err := c.get(item)
		if err != nil {
			return err
		}
		sim.Note("forgets " + item + "=" + old)
	}
	return nil
}
