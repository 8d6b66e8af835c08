// Package group checks groups of etcd servers, and clients of them. All run the program in the sibling package etcdd.
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
	Name:   "etcd",
	Title:  "go.etcd.io/etcd/server/v3 v3.7.3, whole servers with their disks, and clients",
	Source: source,
	Params: append([]model.Parameter{Servers, Clients, Calls, Slow, program.Guest}, program.Budgets()...),
	Build:  build, Claims: claimed,
	Checks: []model.Check{sampled(model.Faults{}), sampled(model.Faults{Restarts: 2})},
}

const source = "go.etcd.io/etcd"

// The sizes of a system.
var (
	Servers = model.N.WithMeaning("servers").WithRange(1, 5).WithDefault(1)
	Clients = model.Param[int]{Name: "clients", Meaning: "clients that call over gRPC; 0: each server calls itself", Most: 4}
	Calls   = model.Param[int]{Name: "calls", Meaning: "calls of each application", Most: 60, Default: 8}
	Slow    = model.Param[int]{Name: "slow", Meaning: "milliseconds that a sync, a renaming or a removal of a file takes", Most: 100}
)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags []string // of the servers
}

// delay is the maximum delay of a message, in milliseconds.
const delay = 10

func build(c model.Config) (*model.System, error) {
	setup := &Setup{}
	var servers, clients []string
	for i := range c.N {
		servers = append(servers, fmt.Sprint("n", i))
	}
	for i := range Clients.Of(c) {
		clients = append(clients, fmt.Sprint("c", i))
	}
	p, err := program.New(program.Config{Package: "contend/examples/etcd/etcdd", Hosts: slices.Concat(servers, clients), Exits: true, Net: true,
		Args: func(host string) []string {
			if host[0] == 'c' {
				return append([]string{"client"}, servers...)
			}
			return slices.Concat(setup.Flags, []string{"serve"}, servers)
		},
		Disk: &disk.Options{Torn: true}, Resolution: 8, Seeds: 16, Slow: int64(Slow.Of(c)), Guest: program.Native})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: program.Types(), Network: model.Network{Delay: model.By(delay), Once: true}}
	for i, name := range servers {
		n := model.NodeSpec{Name: name, Role: model.Peer, New: p.Node, Crash: model.CrashRecovery}
		if len(clients) == 0 {
			n.Script = script(i, Calls.Of(c))
		}
		s.Nodes = append(s.Nodes, n)
	}
	for i, name := range clients {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Client, New: p.Node, Crash: model.NoCrashes, Script: script(i, Calls.Of(c))})
	}
	trouble, err := p.Trouble(c, delay*100)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

// script returns the calls of an application: mostly changes and reads of two keys.
func script(who, calls int) (all []model.Op) {
	kinds := []string{"put x", "get x", "put y", "put x", "get y", "del x", "get x"}
	for i := range calls {
		call := kinds[(i+3*who)%len(kinds)]
		if call[:3] == "put" {
			call += fmt.Sprintf(" %d-%d", who, i+1)
		}
		all = append(all, model.Op{Call: call, After: model.By(500)})
	}
	return all
}

func sampled(f model.Faults) model.Check {
	return model.Check{Config: model.Config{Faults: f}, Reading: model.Dense, Schedules: 100}
}
