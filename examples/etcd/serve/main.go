// Package serve is a program that is a server of etcd, or a client of servers. Releases of etcd differ in a few names, which their programs give.
package serve

import (
	"flag"
	"fmt"
	"net/url"
	"os"

	"go.etcd.io/etcd/server/v3/embed"
)

// Addresses are where a server listens and is reached.
type Addresses struct{ ListenPeer, Peer, ListenClient, Client []url.URL }

// A Hash is the hash of a store at a revision, after a compaction.
type Hash struct {
	Revision, Compacted int64
	Hash                uint32
}

// A program is a server or a client.
type program struct {
	configure        func(*embed.Config, Addresses)
	hash             func(e *embed.Etcd, commits bool) (Hash, error)
	hashes, unfenced bool
}

// Main runs the program.
func Main(configure func(*embed.Config, Addresses), hash func(e *embed.Etcd, commits bool) (Hash, error)) {
	p := program{configure: configure, hash: hash}
	flag.BoolVar(&p.hashes, "hashes", false, "commit the backend for each hash, as the call Hash of the maintenance API does")
	flag.BoolVar(&p.unfenced, "unfenced", false, "let the holder of a lock make its change without a comparison of revisions")
	flag.Parse()
	run := p.serve
	if flag.Arg(0) == "client" {
		run = p.client
	}
	if err := run(flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
