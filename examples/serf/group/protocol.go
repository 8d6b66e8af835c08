// Package group checks clusters of github.com/hashicorp/serf. Each node runs the program in the sibling package node.
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
	Name:   "serf",
	Title:  "github.com/hashicorp/serf v0.11.0, whole nodes with their snapshot files",
	Source: source,
	Params: append([]model.Parameter{Nodes, Events, Leaves, Kills, Away, Slow, program.Guest}, program.Budgets()...),
	Build:  build, Claims: claimed, Variants: variants, Checks: checks,
}

const source = "github.com/hashicorp/serf"

// The sizes of a system. A tick is a millisecond.
var (
	Nodes  = model.N.WithMeaning("nodes").WithRange(2, 5).WithDefault(3)
	Events = model.Param[int]{Name: "events", Meaning: "events that each application sends", Most: 20, Default: 2}
	Leaves = model.Param[int]{Name: "leaves", Meaning: "times that the last node leaves, and returns", Most: 5}
	Kills  = model.Param[int]{Name: "kills", Meaning: "times that the last node ends without a word, is forced to leave, and returns", Most: 5}
	Away   = model.Param[model.Ticks]{Name: "away", Meaning: "milliseconds that each of these lasts at least; twice as many at most", Most: 60_000, Default: 2000}
	Slow   = model.Param[int]{Name: "slow", Meaning: "milliseconds that a sync, a renaming or a removal of a file takes", Most: 100}
)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags []string // of the program
}

// delay is the maximum delay of a message, in milliseconds.
const delay = 10

func name(i int) string { return fmt.Sprint("n", i) }

func build(c model.Config) (*model.System, error) {
	setup := &Setup{}
	var hosts, peers []string
	for i := range c.N {
		hosts, peers = append(hosts, name(i)), append(peers, fmt.Sprintf("%s=10.0.0.%d", name(i), i+1))
	}
	p, err := program.New(program.Config{Package: "contend/examples/serf/node", Hosts: hosts, Net: true, Seeds: 64, Resolution: 4,
		Args: func(string) []string { return slices.Concat(setup.Flags, peers) },
		Disk: &disk.Options{Torn: true}, Slow: int64(Slow.Of(c)), Guest: program.Guest.Of(c)})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: append(program.Types(), pair{}, delivery{}),
		Network: model.Network{Delay: model.By(delay), Partition: model.By(5000), Once: true}}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name(i), Role: model.Peer, New: p.Node, Script: script(c, i), Crash: model.CrashStopRecovery})
	}
	trouble, err := p.Trouble(c, 2000)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

// rest is the time in milliseconds that the first node waits in the end, so that a run covers the time limits of the claims.
const rest = 6000

// script returns the calls of a node's application.
func script(c model.Config, i int) (all []model.Op) {
	call := func(call string, after model.Window) { all = append(all, model.Op{Call: call, After: after}) }
	call("join "+name((i+1)%c.N), model.By(1000))
	last := c.N - 1
	if i == last {
		for _, is := range []struct {
			end   string
			times int
		}{{"leave", Leaves.Of(c)}, {"kill", Kills.Of(c)}} {
			for range is.times {
				call(is.end, model.Between(1000, 4000))
				call("return", model.Between(Away.Of(c), 2*Away.Of(c)))
			}
		}
	}
	for k := range Events.Of(c) {
		call(fmt.Sprintf("event %s-%d", name(i), k+1), model.By(5000))
	}
	if i == 0 {
		for range Kills.Of(c) {
			call("force "+name(last), model.By(1000))
		}
		call("rest", model.Exactly(rest))
	}
	return all
}

var checks = []model.Check{
	sampled(model.Faults{}),
	sampled(model.Faults{Restarts: 2}),
	sampled(model.Faults{Loss: 4, Partitions: 1}),
	stopped,
	sampled(model.Faults{}, Kills.Is(1), Away.Is(8000)),
}

// stopped leaves out two claims that are violated.
var stopped = func() model.Check {
	c := sampled(model.Faults{}, Leaves.Is(1))
	for _, is := range claimed {
		if is.Name != during && is.Name != failed {
			c.Claims = append(c.Claims, is.Name)
		}
	}
	return c
}()

func sampled(f model.Faults, settings ...model.Setting) model.Check {
	return model.Check{Config: model.Config{Faults: f}.With(settings...), Reading: model.Dense, Schedules: 100}
}
