// Natsd is a NATS server with JetStream, and a client in the same process. It has a stream and a bucket of keys.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/logger"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"contend/program/sim"
)

// wait is the longest time that the server may take to start, and that a call may take.
const wait = 20 * time.Second

func main() {
	o := server.Options{ServerName: sim.Host(), JetStream: true, StoreDir: "/data", JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: 1 << 26,
		NoSigs: true, DontListen: true}
	flag.BoolVar(&o.SyncAlways, "always", false, "sync each write, as with the setting sync_interval: always")
	flag.BoolVar(&verbose, "verbose", false, "log all that the server does")
	flag.Parse()
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var verbose bool

// run runs the server until the end of the run.
func run(o *server.Options) error {
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.SetLogger(logger.NewStdLogger(false, verbose, verbose, false, false), verbose, verbose)
	s.Start()
	if !s.ReadyForConnections(wait) {
		return errors.New("the server does not start")
	}
	c, err := open(s)
	if err != nil {
		return err
	}
	shown, err := c.all()
	if err != nil {
		return err
	}
	sim.Note("shows " + strings.Join(shown, " "))
	for {
		sim.Return(c.call(strings.Fields(sim.Invoked())))
	}
}

// open connects to the server, and makes the stream and the bucket unless they exist.
func open(s *server.Server) (*client, error) {
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		return nil, err
	}
	c := &client{}
	if c.js, err = nc.JetStream(nats.MaxWait(wait)); err != nil {
		return nil, err
	}
	if _, err = c.js.AddStream(&nats.StreamConfig{Name: stream, Subjects: []string{subject}}); err != nil {
		return nil, err
	}
	c.kv, err = c.js.CreateKeyValue(&nats.KeyValueConfig{Bucket: "bucket", History: 1})
	return c, err
}
