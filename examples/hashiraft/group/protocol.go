// Package group puts groups of servers under the search that run HashiCorp's Raft, unmodified: the program is package node beside.
package group

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/disk"
	"contend/program"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "hashiraft",
	Title:  "github.com/hashicorp/raft v1.7.3, whole servers with goroutines, timers, connections and files",
	Source: source,
	Params: append([]model.Parameter{Servers, Nonvoters, Commands, Transfers, Slow, program.Guest}, program.Budgets()...),
	Build:  build, Claims: claimed, Variants: variants, Checks: checks,
}

const library = "github.com/hashicorp/raft"

const source = "Ongaro–Ousterhout, In Search of an Understandable Consensus Algorithm"

// The sizes of a system.
var (
	Servers   = model.N.WithMeaning("servers").WithRange(1, 7).WithDefault(3)
	Nonvoters = model.Param[int]{Name: "nonvoters", Meaning: "so many of the servers, the last ones, do not vote", Most: 6}
	Commands  = model.Param[int]{Name: "commands", Meaning: "calls of the application of each server: one of two appends a word, the other reads; a server without a vote reads, four times as often", Most: 20, Default: 3}
	Transfers = model.Param[int]{Name: "transfers", Meaning: "so many of them are followed by one that asks a server to take the lead", Most: 20}
	Slow      = model.Param[int]{Name: "slow", Meaning: "milliseconds that a sync, a renaming or a removal of a file takes", Most: 100}
)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags []string // of the program
}

// delay is the maximum delay of a message, in milliseconds.
const delay = 10

func build(c model.Config) (*model.System, error) {
	var names []string
	for i := range c.N {
		names = append(names, fmt.Sprint("n", i))
	}
	voters := c.N - Nonvoters.Of(c)
	if voters < 1 {
		return nil, fmt.Errorf("nonvoters is %d, but of %d servers one votes at least", c.N-voters, c.N)
	}
	setup := &Setup{Flags: []string{"-nonvoters", fmt.Sprint(c.N - voters)}}
	p, err := program.New(program.Config{Package: "contend/examples/hashiraft/node", Hosts: names,
		Args: func(string) []string { return append(slices.Clone(setup.Flags), names...) },
		Disk: &disk.Options{Torn: true}, Resolution: 8, Seeds: 16, Slow: int64(Slow.Of(c)), Guest: program.Guest.Of(c)})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: program.Types(), Network: model.Network{Delay: model.By(delay), Once: true}, Opening: elected}
	for i, name := range names {
		var script []model.Op
		call := func(is string) { script = append(script, model.Op{Call: is, After: model.By(1000)}) }
		for k := range Commands.Of(c) {
			switch {
			case i >= voters:
				for range 4 {
					call("read")
				}
			case k%2 == 1:
				call("read")
			default:
				call(fmt.Sprintf("append %s-%d", name, k+1))
			}
			if k < Transfers.Of(c) {
				call("transfer " + names[(i+k+1)%voters])
			}
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Peer, New: p.Node, Script: script, Crash: model.CrashStopRecovery})
	}
	trouble, err := p.Trouble(c, delay*100)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

// elected ends the opening of a run: a server leads.
func elected(o model.Observation) bool {
	words := noted(o)
	return len(words) > 0 && words[0] == "leader"
}

var checks = []model.Check{
	sampled(model.Faults{}, 200),
	sampled(model.Faults{Restarts: 2}, 200),
	sampled(model.Faults{Partitions: 1}, 200),
	sampled(model.Faults{}, 200, program.Cuts.Is(2), program.HalfOpens.Is(2), program.Refusals.Is(1), program.Jumps.Is(2)),
}

func sampled(f model.Faults, n int, settings ...model.Setting) model.Check {
	return model.Check{Config: model.Config{Faults: f}.With(settings...), Reading: model.Dense, Schedules: n}
}
