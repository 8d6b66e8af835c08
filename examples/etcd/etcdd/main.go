// Etcdd is a server of etcd, go.etcd.io/etcd/server/v3, or a client of such servers.
//
//	etcdd [flags] serve NAME...
//	etcdd [flags] client NAME...
package main

import (
	"flag"
	"fmt"
	"os"
)

// hashes and unfenced are described in main.
var hashes, unfenced bool

func main() {
	flag.BoolVar(&hashes, "hashes", false, "commit the backend for each hash, as the call Hash of the maintenance API does")
	flag.BoolVar(&unfenced, "unfenced", false, "let the holder of a lock make its change without a comparison of revisions")
	flag.Parse()
	run := serve
	if flag.Arg(0) == "client" {
		run = client
	}
	if err := run(flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
