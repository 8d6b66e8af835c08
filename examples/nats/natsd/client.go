package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"contend/program/sim"
)

const (
	stream  = "stream"
	subject = "subject"
	size    = 120_000 // of the stream and the bucket: the server makes files of 32 kB
	copies  = 800     // of the value in a message or a key
)

// keys are the keys that calls use.
var keys = []string{"x", "y"}

// A client has the connection to the server.
type client struct {
	js      nats.JetStreamContext
	kv      nats.KeyValue
	careful bool
}

// connect connects to the server. It makes the stream and the bucket unless they exist, and notes what they contain. In a cluster it makes
// only the stream, as soon as the cluster has a leader.
func connect(s *server.Server, o options) (*client, error) {
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		return nil, err
	}
	c := &client{careful: o.careful}
	if c.js, err = nc.JetStream(nats.MaxWait(wait)); err != nil {
		return nil, err
	}
	config := nats.StreamConfig{Name: stream, Subjects: []string{subject}, MaxBytes: size, AllowDirect: true, Replicas: max(len(o.group), 1)}
	if o.compressed {
		config.Compression = nats.S2Compression
	}
	_, err = c.js.AddStream(&config)
	for ; err != nil && len(o.group) > 0; _, err = c.js.AddStream(&config) {
		time.Sleep(time.Second)
	}
	if err != nil || len(o.group) > 0 {
		return c, err
	}
	if c.kv, err = c.js.CreateKeyValue(&nats.KeyValueConfig{Bucket: "bucket", MaxBytes: size, Compression: o.compressed}); err != nil {
		return nil, err
	}
	return c, c.show()
}

// show notes what the server has: messages "SEQUENCE=VALUE", and keys "KEY=VALUE@REVISION".
func (c *client) show() error {
	items, err := c.messages()
	if err != nil {
		return err
	}
	for _, key := range keys {
		value, err := c.get(key)
		if err != nil {
			return err
		}
		if value != "" {
			items = append(items, key+"="+value)
		}
	}
	sim.Note("shows " + strings.Join(items, " "))
	return nil
}

// messages returns all messages of a replica: the replica of this server, once it can answer.
func (c *client) messages() (all []string, err error) {
	m := &nats.RawStreamMsg{}
	for {
		m, err = c.js.GetMsg(stream, m.Sequence+1, nats.DirectGetNext(subject))
		if errors.Is(err, nats.ErrMsgNotFound) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, fmt.Sprintf("%d=%s", m.Sequence, shorten(m.Data)))
	}
}

// lengthen returns the data for a value.
func lengthen(value string) []byte { return []byte(strings.Repeat(value+" ", copies)) }

// shorten returns the value of data.
func shorten(data []byte) string {
	value, _, _ := strings.Cut(string(data), " ")
	if string(data) != string(lengthen(value)) {
		return "damaged"
	}
	return value
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
		return fmt.Sprintf("%s@%d", shorten(entry.Value()), entry.Revision()), nil
	}
	m, err := c.js.GetMsg(stream, sequence)
	if errors.Is(err, nats.ErrMsgNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return shorten(m.Data), nil
}
