// Package group checks groups of etcd servers, and clients of them. All run the program in the sibling package etcdd.
package group

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/disk"
	"contend/program"
)

// Protocol checks the store: reads and changes of keys.
var Protocol = protocol("etcd", "whole servers with their disks, and clients", 1, 0, claimed)

// Locks checks the lock and the election of package client/v3/concurrency.
var Locks = protocol("etcdlocks", "a lock and an election of clients", 1, 2, slices.Concat(claimed[1:], []model.Claim{fenced}),
	model.Variant{Name: "unfenced", Title: "the holder of a lock makes its change without a comparison of revisions", Edit: flags("-unfenced")})

// protocol returns a protocol, with the default numbers of servers and clients.
func protocol(name, title string, servers, clients int, claims []model.Claim, variants ...model.Variant) *model.Protocol {
	return &model.Protocol{
		Name: name, Title: "go.etcd.io/etcd/server/v3 v3.7.3: " + title, Source: source,
		Params: append([]model.Parameter{Servers.WithDefault(servers), Clients.WithDefault(clients), Calls, Slow, program.Guest}, program.Budgets()...),
		Build:  func(c model.Config) (*model.System, error) { return build(c, name == "etcdlocks") },
		Claims: claims, Variants: append(variants, model.Variant{Name: "hashes", Title: "servers commit the backend for each hash", Edit: flags("-hashes")}),
		Checks: []model.Check{sampled(model.Faults{}), sampled(model.Faults{Restarts: 2})},
	}
}

// Program is the program of the nodes. The module in v35 sets another.
var Program = "contend/examples/etcd/etcdd"

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
	Flags []string // of the program
}

// flags adds flags to the command line of the program.
func flags(all ...string) func(*model.System) {
	return func(s *model.System) { s.Setup.(*Setup).Flags = append(s.Setup.(*Setup).Flags, all...) }
}

// delay is the maximum delay of a message, in milliseconds.
const delay = 10

func build(c model.Config, locks bool) (*model.System, error) {
	setup := &Setup{}
	var servers, clients []string
	for i := range c.N {
		servers = append(servers, fmt.Sprint("n", i))
	}
	for i := range Clients.Of(c) {
		clients = append(clients, fmt.Sprint("c", i))
	}
	p, err := program.New(program.Config{Package: Program, Hosts: slices.Concat(servers, clients), Exits: true, Net: true,
		Args: func(host string) []string {
			verb := "serve"
			if host[0] == 'c' {
				verb = "client"
			}
			return slices.Concat(setup.Flags, []string{verb}, servers)
		},
		Disk: &disk.Options{Torn: true, Sector: 512}, Resolution: 8, Seeds: 16, Slow: int64(Slow.Of(c)), Guest: program.Native})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: program.Types(), Network: model.Network{Delay: model.By(delay), Once: true}}
	for i, name := range servers {
		n := model.NodeSpec{Name: name, Role: model.Peer, New: p.Node, Crash: model.CrashRecovery}
		if len(clients) == 0 {
			n.Script = script(i, Calls.Of(c), locks)
		}
		s.Nodes = append(s.Nodes, n)
	}
	for i, name := range clients {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Client, New: p.Node, Crash: model.NoCrashes, Script: script(i, Calls.Of(c), locks)})
	}
	trouble, err := p.Trouble(c, delay*100)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

// script returns the calls of an application: changes and reads of two keys, and compactions; or changes of the holder of a lock.
func script(who, calls int, locks bool) (all []model.Op) {
	kinds := []string{"put x", "get x", "put y", "put x", "get y", "compact", "del x", "get x"}
	if locks {
		kinds = []string{"lock", "campaign"}
	}
	for i := range calls {
		call := kinds[(i+3*who)%len(kinds)]
		if call[:3] == "put" || locks {
			call += fmt.Sprintf(" %d-%d", who, i+1)
		}
		all = append(all, model.Op{Call: call, After: model.By(500)})
	}
	return all
}

func sampled(f model.Faults) model.Check {
	return model.Check{Config: model.Config{Faults: f}, Reading: model.Dense, Schedules: 100}
}
