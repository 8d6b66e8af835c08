// Package group checks key–value stores, each in a server that runs a program of a sibling folder.
package group

import (
	"fmt"

	"contend/model"
	"contend/model/disk"
	"contend/program"
)

// Goleveldb is a server with a store of github.com/syndtr/goleveldb.
var Goleveldb = protocol("goleveldb", "github.com/syndtr/goleveldb", "leveld",
	model.Variant{Name: "recovers", Title: "the server recovers a store that is corrupted", Edit: flags("-recovers")},
	model.Variant{Name: "deep", Title: "as recovers, with levels of few bytes", Edit: flags("-recovers", "-deep")})

// Nutsdb is a server with a store of github.com/nutsdb/nutsdb.
var Nutsdb = protocol("nutsdb", "github.com/nutsdb/nutsdb", "nutsd",
	model.Variant{Name: "careful", Title: "the server syncs the file of buckets, and makes no two changes in a millisecond", Edit: flags("-careful")})

// Bbolt is a server with a store of go.etcd.io/bbolt.
var Bbolt = protocol("bbolt", "go.etcd.io/bbolt", "boltd",
	model.Variant{Name: "careful", Title: "the server makes the file under another name, and renames it", Edit: flags("-careful")})

// Pebble is a server with a store of github.com/cockroachdb/pebble.
var Pebble = protocol("pebble", "github.com/cockroachdb/pebble", "pebbled")

// Badger is a server with a store of github.com/dgraph-io/badger.
var Badger = protocol("badger", "github.com/dgraph-io/badger", "badgerd",
	model.Variant{Name: "careful", Title: "the server removes empty files before the store opens", Edit: flags("-careful")})

// protocol returns the protocol of a store, given the module of the store and the folder of the program. The first variant works around known
// bugs, and is what the checks sample.
func protocol(name, module, folder string, variants ...model.Variant) *model.Protocol {
	sample := ""
	if len(variants) > 0 {
		sample = variants[0].Name
	}
	return &model.Protocol{
		Name:   name,
		Title:  "a server with a store of " + module + ", whole, with its disk",
		Source: module,
		Params: append([]model.Parameter{Calls, Slow, Strict, Reordered, program.Guest}, program.Budgets()...),
		Build:  func(c model.Config) (*model.System, error) { return build(c, folder) },
		Claims: claimed(module), Variants: variants,
		Checks: []model.Check{sampled(sample, model.Faults{}), sampled(sample, model.Faults{Restarts: 2})},
	}
}

// The sizes of a system.
var (
	Calls  = model.Param[int]{Name: "calls", Meaning: "calls of the application", Most: 60, Default: 14}
	Slow   = model.Param[int]{Name: "slow", Meaning: "milliseconds that a sync, a renaming or a removal of a file takes", Most: 100}
	Strict = model.Param[int]{Name: "strict", Meaning: "1: only the sync of a directory makes a name durable, as POSIX permits", Most: 1}

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

func build(c model.Config, folder string) (*model.System, error) {
	setup := &Setup{}
	p, err := program.New(program.Config{Package: "contend/examples/stores/" + folder, Hosts: []string{"server"}, Exits: true,
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

// script returns the calls of the application: changes and reads of two keys, and compactions.
func script(calls int) (all []model.Op) {
	kinds := []string{"put x", "put y", "put x", "get y", "del y", "compact", "get x", "put y", "del x", "get x", "put x", "compact", "put x", "get y"}
	for i := range calls {
		call := kinds[i%len(kinds)]
		if i == 34 {
			call = "get y" // y was removed before the compaction
		}
		if call[:3] == "put" {
			call += fmt.Sprintf(" value-%d", i+1)
		}
		all = append(all, model.Op{Call: call, After: model.By(50)})
	}
	return all
}

func sampled(variant string, f model.Faults) model.Check {
	return model.Check{Variant: variant, Config: model.Config{Faults: f}, Reading: model.Dense, Schedules: 400}
}
