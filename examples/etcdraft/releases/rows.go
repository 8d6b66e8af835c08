package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// A row is a check that runs with each release.
type row struct {
	args  string // the variant and its bounds; all claims, unless one is named
	claim string
	known string // upstream's reference for its violation
}

// With channels that are FIFO no reduction is used: the counterexample of a reduced search may not be a run there.
var rows = []row{
	{args: "etcdraft -n 3 --candidates 2 --proposals 0"},
	{args: "etcdraft -n 2 --candidates 2 --proposals 0 --restarts 1"},
	{args: "etcdraft/fifo -n 3 --led 1 --candidates 0 --proposals 2 --compact 1 --reduce none"},
	{args: "etcdraft/alone -n 3 --led 1 --proposals 0 --changes 1"},
	{args: "etcdraft/fifo+joint -n 4 --voters 3 --led 1 --candidates 0 --proposals 0 --changes 1 --reduce none"},
	{args: "etcdraft/prevote+checkquorum -n 3 --led 1 --proposals 0 --ticks 2"},
	{args: "etcdraft/torn -n 3 --led 1 --candidates 0"},
	{args: "etcdraft -n 3 --led 1 --candidates 1 --campaigns 0 --reads 1", claim: "linearizable"},
	{
		args: "etcdraft/lease-transfer -n 3 --led 1 --campaigns 0", claim: "linearizable",
		known: "a leader that has told another to campaign still answers reads by its lease: etcd-io/etcd issue 12704, closed as stale; etcd-io/raft issue 99, open",
	},
	{
		args: "etcdraft/read-twice -n 3 --led 1 --candidates 2 --reduce none", claim: "linearizable",
		known: "etcd-io/etcd issue 20418 (2026); etcd-io/raft pull request 397, released first in v3.7.0-beta.0",
	},
}

// A cell is the result of a row with a release.
type cell struct {
	Verdict string
	Broken  []string // claims that are violated, with the steps of the shortest run
	States  uint64
	Depth   int // steps of the longest examined run; if a limit was hit, not all runs of this length were examined
	Limit   string
}

// check checks the row with a command, and leaves its traces in a directory.
func (r row) check(command, traces string, limits ...string) (cell, error) {
	args := append([]string{"check"}, strings.Fields(r.args)...)
	args = append(args, "--json", "--out", traces)
	if r.claim != "" {
		args = append(args, "--claim", r.claim)
	}
	out, err := exec.Command(command, append(args, limits...)...).Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || len(out) == 0) {
		if exit != nil {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return cell{}, fmt.Errorf("%s: %w", r.args, err)
	}
	return parse(out)
}

// parse reads the line that check --json prints for a row.
func parse(line []byte) (cell, error) {
	var is struct {
		Verdict, Limit string
		States         uint64
		Depth          int
		Claims         []struct {
			Name, Verdict string
			Steps         int
		}
	}
	if err := json.Unmarshal(line, &is); err != nil {
		return cell{}, fmt.Errorf("check --json: %w", err)
	}
	c := cell{Verdict: is.Verdict, States: is.States, Depth: is.Depth, Limit: is.Limit}
	for _, claim := range is.Claims {
		if claim.Verdict == "violated" {
			c.Broken = append(c.Broken, fmt.Sprintf("%s (%d steps)", claim.Name, claim.Steps))
		}
	}
	return c, nil
}

// String returns the cell for tables.
func (c cell) String() string {
	switch {
	case len(c.Broken) > 0:
		return fmt.Sprintf("violated: %s, %d states", strings.Join(c.Broken, ", "), c.States)
	case c.Verdict == "inconclusive":
		return fmt.Sprintf("inconclusive: %s, %d states, none in %d steps", c.Limit, c.States, max(c.Depth-1, 0))
	}
	return fmt.Sprintf("%s, %d states", c.Verdict, c.States)
}
