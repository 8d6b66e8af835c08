// Natsd is a NATS server with JetStream, and a client in the same process. It has a stream and a bucket of keys.
//
//	natsd [flags]               one server
//	natsd [flags] SERVER...     a server of a cluster
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

	"contend/program/sim"
)

// wait is the longest time that the server may take to start, and that a call may take.
const wait = 20 * time.Second

// options are the flags that are not those of the server.
type options struct {
	careful    bool
	compressed bool
	verbose    bool
	group      []string // the servers of the cluster
}

func main() {
	var o options
	s := server.Options{ServerName: sim.Host(), JetStream: true, StoreDir: "/data", JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: 1 << 26,
		DontListen: true}
	flag.BoolVar(&s.SyncAlways, "always", false, "sync each write, as with the setting sync_interval: always")
	flag.DurationVar(&s.SyncInterval, "interval", 2*time.Minute, "the setting sync_interval")
	flag.StringVar(&s.JetStreamKey, "key", "", "encrypt the files with this key")
	flag.BoolVar(&o.careful, "careful", false, "sync the directories after each removal")
	flag.BoolVar(&o.compressed, "compressed", false, "compress the blocks of the streams")
	flag.BoolVar(&o.verbose, "verbose", false, "log all that the server does")
	flag.Parse()
	if o.group = flag.Args(); len(o.group) > 0 {
		s.DontListen = false // a server that takes no clients makes no routes
		s.Cluster = server.ClusterOpts{Name: "cluster", Host: "0.0.0.0", Port: 6222, PoolSize: -1}
		s.Routes = server.RoutesFromStr("nats://" + strings.Join(o.group, ":6222,nats://") + ":6222")
	}
	fmt.Fprintln(os.Stderr, run(&s, o))
	os.Exit(1)
}

// run starts the server, and takes calls until the end of the run. It returns an error if the server does not start.
func run(config *server.Options, o options) error {
	s, err := server.NewServer(config)
	if err != nil {
		return err
	}
	s.SetLogger(logger.NewStdLogger(false, o.verbose, o.verbose, false, false), o.verbose, o.verbose)
	s.Start()
	if !s.ReadyForConnections(wait) {
		return errors.New("the server does not start")
	}
	c, err := connect(s, o)
	if err != nil {
		return err
	}
	for {
		sim.Return(c.call(strings.Fields(sim.Invoked())))
	}
}
