// Etcdd is a server of etcd, go.etcd.io/etcd/server/v3, or a client of such servers. The sizes are so small that short runs write snapshots.
//
//	etcdd [flags] serve NAME...
//	etcdd client NAME...
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	var s server
	flag.Uint64Var(&s.snapshots, "snapshots", 10, "write a snapshot after so many entries")
	flag.Parse()
	var err error
	switch names := flag.Args(); names[0] {
	case "serve":
		err = s.serve(names[1:])
	case "client":
		err = client(names[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
