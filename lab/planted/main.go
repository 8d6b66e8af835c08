// Planted plants bugs that implementers make in the protocols of the suite, one at a time, and runs each
// protocol's default checks.
//
//	go run ./lab/planted paxos abd
//	go run ./lab/planted -rows -only volatile-vote raft
//
// A list of bugs was written before anybody looked at the checks: lists/PROTOCOL.txt. An entry has edits of
// the source, which must fit: see list.go. The source does not change: the go command builds with an overlay.
// For each bug the program prints the claim that a check breaks, or that all checks miss the bug. An entry may also be a harmless
// edit: a check that fails with it is a false alarm. See docs/mutation.md.
//
// Exit codes: 0: each bug is caught, and no harmless edit fails a check; 1: otherwise; 2: bad input.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	rows := flag.Bool("rows", false, "run all checks for each bug, and print each result")
	only := flag.String("only", "", "plant only the bug or the harmless edit with this `NAME`")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "planted: name a protocol, such as paxos")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	module, err := moduleDir(ctx)
	good := true
	for _, name := range flag.Args() {
		if err != nil {
			break
		}
		var t *tally
		if t, err = try(ctx, os.Stdout, module, name, *only, *rows); err == nil {
			good = good && t.good()
		}
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(2)
	case !good:
		os.Exit(1)
	}
}

// try plants the entries of a protocol's list, and prints what came of each.
func try(ctx context.Context, w io.Writer, module, protocol, only string, all bool) (*tally, error) {
	entries, err := readList(module, protocol)
	if err != nil {
		return nil, err
	}
	if entries, err = choose(entries, protocol, only); err != nil {
		return nil, err
	}
	b, close, err := newBench(ctx, module, protocol)
	if err != nil {
		return nil, err
	}
	defer close()
	t, start := &tally{}, time.Now()
	for _, e := range entries {
		r := b.plant(e, all)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.add(e, r)
		r.print(w, protocol, e, all)
	}
	fmt.Fprintf(w, "%s: %s; %.0fs\n", protocol, t, time.Since(start).Seconds())
	return t, nil
}

// choose returns the entry with a name, or all entries for no name.
func choose(entries []entry, protocol, only string) ([]entry, error) {
	if only == "" {
		return entries, nil
	}
	for _, e := range entries {
		if e.name == only {
			return []entry{e}, nil
		}
	}
	return nil, fmt.Errorf("the list of %s has no entry %s", protocol, only)
}

// listFile returns the path of a protocol's list.
func listFile(module, protocol string) string {
	return filepath.Join(module, "lab", "planted", "lists", protocol+".txt")
}
