// Package group checks servers of NATS with JetStream. All run the program in the sibling folder natsd.
package group

import (
	"fmt"

	"contend/model"
	"contend/model/disk"
	"contend/program"
)

const source = "github.com/nats-io/nats-server"

// JetStream is one server.
var JetStream = &model.Protocol{
	Name: "jetstream", Title: "a NATS server with JetStream, whole, with its disk", Source: source,
	Params: append([]model.Parameter{Calls, Slow, Strict, Reordered, program.Guest}, program.Budgets()...),
	Build:  build, Claims: claimed,
	Variants: []model.Variant{{Name: "always", Title: "sync_interval is always", Edit: flags("-always")}},
	Checks:   []model.Check{sampled("always", model.Faults{}), sampled("always", model.Faults{Restarts: 2})},
}

// The sizes of a system.
var (
	Calls     = model.Param[int]{Name: "calls", Meaning: "calls of the application", Most: 60, Default: 14}
	Slow      = model.Param[int]{Name: "slow", Meaning: "milliseconds that a sync, a renaming or a removal of a file takes", Most: 100}
	Strict    = model.Param[int]{Name: "strict", Meaning: "1: only the sync of a directory makes a name durable, as POSIX permits", Most: 1}
	Reordered = model.Param[int]{Name: "reordered", Meaning: "1: a crash may lose any writes that are not synced, not only the latest", Most: 1}
)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags []string // of the program
}

// flags adds flags to the command line of the program.
func flags(all ...string) func(*model.System) {
	return func(s *model.System) { s.Setup.(*Setup).Flags = append(s.Setup.(*Setup).Flags, all...) }
}

func build(c model.Config) (*model.System, error) {
	setup := &Setup{}
	p, err := program.New(program.Config{Package: "contend/examples/nats/natsd", Hosts: []string{"server"}, Exits: true, Net: true,
		Args: func(string) []string { return setup.Flags },
		Disk: &disk.Options{Torn: true, StrictNames: Strict.Of(c) == 1, Reordered: Reordered.Of(c) == 1}, Slow: int64(Slow.Of(c)), Guest: program.Guest.Of(c)})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: program.Types(), Network: model.Network{Delay: model.By(10), Once: true}}
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "server", Role: model.Peer, New: p.Node, Script: script(Calls.Of(c)), Crash: model.CrashRecovery})
	trouble, err := p.Trouble(c, 100)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

// script returns the calls of the application, in rounds of 14.
func script(calls int) (all []model.Op) {
	kinds := []string{"publish", "publish", "put x", "read +1", "delete +1", "put y", "publish", "put x", "read x", "publish", "purge +3", "drop y", "read +2", "read y"}
	for i := range calls {
		var sequence int
		call := kinds[i%len(kinds)]
		if n, _ := fmt.Sscanf(call[len(call)-2:], "+%d", &sequence); n == 1 {
			call = fmt.Sprint(call[:len(call)-2], i/len(kinds)*4+sequence)
		}
		if call[:2] == "pu" && call[:5] != "purge" {
			call += fmt.Sprint(" value-", i+1)
		}
		all = append(all, model.Op{Call: call, After: model.By(50)})
	}
	return all
}

func sampled(variant string, f model.Faults) model.Check {
	return model.Check{Variant: variant, Config: model.Config{Faults: f}, Reading: model.Dense, Schedules: 200}
}
