// Package group puts groups of whole nodes under the search that run HashiCorp's memberlist, unmodified: the program is package node beside.
package group

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/program"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "members",
	Title:  "github.com/hashicorp/memberlist v0.7.0, whole nodes with goroutines, timers, packets and connections",
	Source: source,
	Params: append([]model.Parameter{Members, Updates, Outages, Kills, Leaves, Away, Rejoin, Yield}, program.Budgets()...),
	Build:  build, Claims: claimed, Variants: variants, Checks: checks,
}

const (
	source    = "github.com/hashicorp/memberlist"
	swim      = "Das, Gupta and Motivala, SWIM, 2002"
	lifeguard = "Dadgar, Phillips and Currey, Lifeguard, 2017"
)

// The sizes of a system.
var (
	Members = model.N.WithMeaning("nodes").WithRange(2, 5).WithDefault(3)
	Updates = model.Param[int]{Name: "updates", Meaning: "times that each node tells something new about itself", Most: 5, Default: 1}
	Outages = model.Param[int]{Name: "outages", Meaning: "times that the cable of the last node is pulled for a while", Most: 5}
	Kills   = model.Param[int]{Name: "kills", Meaning: "times that the last node ends without a word, and returns", Most: 5}
	Leaves  = model.Param[int]{Name: "leaves", Meaning: "times that the last node leaves, and returns", Most: 5}
	Away    = model.Param[int]{Name: "away", Meaning: "milliseconds that each of these lasts at least; twice as many at most", Most: 60_000, Default: 2000}
	Rejoin  = model.Param[int]{Name: "rejoin", Meaning: "milliseconds after which a node joins again those that it does not list; 0 stands for never", Most: 60_000, Default: 2000}
	Yield   = model.Param[int]{Name: "yield", Meaning: "one in so many times a goroutine gives way; 0 stands for never", Most: 1000}
)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags []string // of the program
}

// delay is the maximum delay of a message, in milliseconds.
const delay = 10

func build(c model.Config) (*model.System, error) {
	var hosts, peers []string
	for i := range c.N {
		hosts = append(hosts, fmt.Sprintf("10.0.0.%d", i+1))
		peers = append(peers, fmt.Sprintf("%s=%s", name(i), hosts[i]))
	}
	setup := &Setup{Flags: []string{fmt.Sprintf("-rejoin=%dms", Rejoin.Of(c))}}
	p, err := program.New(program.Config{Package: "contend/examples/memberlist/node", Hosts: hosts, Resolution: 4, Seeds: 64, Yield: Yield.Of(c),
		Args: func(host string) []string {
			return slices.Concat([]string{"-name=" + name(slices.Index(hosts, host))}, setup.Flags, peers)
		}})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: append(program.Types(), pair{}),
		Network: model.Network{Delay: model.By(delay), Partition: model.By(5000), Once: true}}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name(i), Role: model.Peer, New: p.Node, Script: script(c, i), Crash: model.CrashStopRecovery})
	}
	trouble, err := p.Trouble(c, delay*100)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

func name(i int) string { return fmt.Sprint("n", i) }

// rest is the time in milliseconds that the first node waits, so that a run covers the time limits of the
// claims. After all calls a run continues for as many steps as it has taken so far.
const rest = 6000

// script returns the calls of a node's application.
func script(c model.Config, i int) (all []model.Op) {
	next := name((i + 1) % c.N)
	call := func(call string, within model.Ticks) {
		all = append(all, model.Op{Call: call, After: model.By(within)})
	}
	call("join "+next, 1000)
	for k := range Updates.Of(c) {
		call(fmt.Sprintf("update %s-%d", name(i), k+1), 3000)
	}
	if i == 0 {
		all = append(all, model.Op{Call: "rest", After: model.Exactly(rest)})
	}
	if i < c.N-1 {
		return all
	}
	away := model.Ticks(Away.Of(c))
	for _, one := range []struct {
		times    int
		ends, is string
	}{{Outages.Of(c), "cut", "mend"}, {Kills.Of(c), "kill", "return " + next}, {Leaves.Of(c), "leave", "return " + next}} {
		for range one.times {
			all = append(all, model.Op{Call: one.ends, After: model.Between(1000, 4000)}, model.Op{Call: one.is, After: model.Between(away, 2*away)})
		}
	}
	return all
}

var checks = []model.Check{
	sampled(model.Faults{}, 200),
	sampled(model.Faults{Crashes: 1}, 200),
	sampled(model.Faults{Restarts: 2}, 200),
	sampled(model.Faults{}, 200, Outages.Is(1)),
	sampled(model.Faults{}, 200, Outages.Is(3), Away.Is(200)),
	sampled(model.Faults{}, 200, Kills.Is(1), Away.Is(6000)),
	sampled(model.Faults{}, 200, Leaves.Is(1), Away.Is(8000)),
	sampled(model.Faults{Loss: 4}, 200),
}

func sampled(f model.Faults, n int, settings ...model.Setting) model.Check {
	return model.Check{Config: model.Config{Faults: f}.With(settings...), Reading: model.Dense, Schedules: n}
}
