// Tracelog runs a cluster of etcd's raft library in memory, with losses, partitions, crashes and changes of the members,
// and writes the library's own trace log. Build it with the tag of the library's log:
//
//	go run -tags with_tla ./tracelog -seed 1 -entries 3000 > trace.ndjson
//	go run . validate etcdraft-log --map traced/etcdraft.json --unbuffered trace.ndjson
//
// A panic of the library ends the log. The exit code is 3 then.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
)

func main() {
	seed := flag.Int64("seed", 1, "the `SEED` of the run")
	entries := flag.Int("entries", 3000, "end after `N` entries")
	members := flag.Int("n", 3, "the `NUMBER` of members, from 1 to 15")
	bootstrap := flag.Int("bootstrap", 0, "the first `NUMBER` of members bootstrap, and the others join; 0: all begin with a snapshot")
	calm := flag.Bool("calm", false, "without partitions, crashes and changes")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "Tracelog runs a cluster in memory and writes the library's trace log to the standard output.\n\nUsage:\n  go run -tags with_tla ./tracelog [flags]\n\nFlags:\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *members < 1 || *members > 15 || *entries < 1 || *bootstrap < 0 || *bootstrap > *members || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "tracelog: n must be 1 to 15, bootstrap 0 to n, entries 1 or more, and there are no arguments")
		os.Exit(2)
	}
	os.Exit(run(*seed, *entries, *members, *bootstrap, *calm))
}

func run(seed int64, entries, members, bootstrap int, calm bool) (code int) {
	out := bufio.NewWriter(os.Stdout)
	c := newCluster(rand.New(rand.NewSource(seed)), json.NewEncoder(out), members, bootstrap)
	defer func() {
		if failed := recover(); failed != nil {
			fmt.Fprintln(os.Stderr, "tracelog: the library panics:", failed)
			code = 3
		}
		c.log.flush()
		if err := out.Flush(); err != nil {
			fmt.Fprintln(os.Stderr, "tracelog:", err)
			code = 1
		}
	}()
	for _, p := range c.peers {
		p.start()
	}
	if c.log.flush(); c.log.written == 0 {
		fmt.Fprintln(os.Stderr, "tracelog: the library writes no log: build with -tags with_tla")
		return 2
	}
	for c.log.written < entries {
		c.step(calm)
		c.log.flush()
	}
	return 0
}
