// Kvd is a key–value server over HTTP, and its client. Each change is an entry of a log, github.com/tidwall/wal, and values are read from
// there; in memory it has where the newest entry of each key is.
//
//	kvd [flags] serve
//	kvd client SERVER
package main

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"

	"contend/program/sim"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var o options
	flags := flag.NewFlagSet("kvd", flag.ContinueOnError)
	flags.BoolVar(&o.noSync, "no-sync", false, "let the log not sync what it writes")
	flags.IntVar(&o.segment, "segment", 64, "begin a new file of the log after so many bytes")
	flags.IntVar(&o.most, "most", 3, "cut off the beginning of the log, as far as no value stands there, when it has more entries than this")
	data := flags.String("data", "/data", "keep the log in this directory")
	socket := flags.String("socket", "", "listen at a Unix socket at this path, and not at port 80")
	flags.StringVar(&o.mistake, "mistake", "", "make a mistake: see mistakes.go")
	if err := flags.Parse(os.Args[1:]); err != nil {
		return err
	}
	switch flags.Arg(0) {
	case "serve":
		return serve(*data, *socket, o)
	case "client":
		return client(flags.Arg(1))
	}
	return errors.New("usage: kvd [flags] serve | client SERVER")
}

func serve(data, socket string, o options) error {
	s, err := open(data, o)
	if err != nil {
		return err
	}
	network, address := "tcp", ":80"
	if socket != "" {
		network, address = "unix", socket
	}
	l, err := sim.Listen(network, address)
	if err != nil {
		return err
	}
	return http.Serve(l, handler{s})
}
