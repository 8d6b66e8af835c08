// Package group checks what a CometBFT validator keeps on its disk: the state of its signer, and the log of its consensus.
package group

import (
	"fmt"

	"contend/model"
	"contend/model/disk"
	"contend/program"
)

const source = "github.com/cometbft/cometbft"

// Filepv is a signer with a FilePV.
var Filepv = &model.Protocol{
	Name: "filepv", Title: "a signer with the FilePV of CometBFT, whole, with its disk", Source: source,
	Params: params, Build: func(c model.Config) (*model.System, error) { return build(c, "pvd", requests(Calls.Of(c))) },
	Claims:   signing,
	Variants: []model.Variant{careful("the signer syncs the directory after each signature")},
	Checks:   []model.Check{sampled("", model.Faults{}), sampled("careful", model.Faults{Restarts: 2})},
}

// Wal is a server with the log of the consensus.
var Wal = &model.Protocol{
	Name: "wal", Title: "the write-ahead log of CometBFT's consensus, whole, with its disk", Source: source,
	Params: params, Build: func(c model.Config) (*model.System, error) { return build(c, "wald", writes(Calls.Of(c))) },
	Claims:   logging,
	Variants: []model.Variant{careful("a log is repaired in a copy, renamed when it is durable")},
	Checks:   []model.Check{sampled("", model.Faults{}), sampled("careful", model.Faults{Restarts: 2})},
}

// The sizes of a system.
var (
	Calls  = model.Param[int]{Name: "calls", Meaning: "calls of the application", Most: 60, Default: 14}
	Slow   = model.Param[int]{Name: "slow", Meaning: "milliseconds that a sync, a renaming or a removal of a file takes", Most: 100}
	Strict = model.Param[int]{Name: "strict", Meaning: "1: only the sync of a directory makes a name durable, as POSIX permits", Most: 1}
	params = append([]model.Parameter{Calls, Slow, Strict, program.Guest}, program.Budgets()...)
)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags []string // of the program
}

func careful(title string) model.Variant {
	return model.Variant{Name: "careful", Title: title, Edit: func(s *model.System) { s.Setup.(*Setup).Flags = []string{"-careful"} }}
}

func build(c model.Config, folder string, script []model.Op) (*model.System, error) {
	setup := &Setup{}
	p, err := program.New(program.Config{Package: "contend/examples/filepv/" + folder, Hosts: []string{"server"}, Exits: true,
		Args: func(string) []string { return setup.Flags },
		Disk: &disk.Options{Torn: true, TornHeader: true, StrictNames: Strict.Of(c) == 1}, Slow: int64(Slow.Of(c)), Guest: program.Guest.Of(c)})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: program.Types(), Network: model.Network{Delay: model.By(10), Once: true}}
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "server", Role: model.Peer, New: p.Node, Script: script, Crash: model.CrashRecovery})
	trouble, err := p.Trouble(c, 100)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

// requests returns requests to sign, each with a step, a height, a round and a block. Some repeat or contradict earlier ones.
func requests(calls int) []model.Op {
	kinds := []string{"propose %d 0 A", "propose %d 0 B", "prevote %d 0 A", "prevote %d 0 A", "prevote %d 0 B", "precommit %d 0 A", "precommit %d 0 B",
		"prevote %d 0 A", "prevote %d 1 B", "prevote %d 1 A", "precommit %d 0 B", "precommit %d 1 B", "precommit %d 1 B", "propose %d 1 A"}
	return script(calls, kinds)
}

// writes returns calls that write to the log.
func writes(calls int) []model.Op {
	return script(calls, []string{"write %d.%d", "sync %d.%d", "write %d.%d", "write %d.%d", "end %d"})
}

// script returns calls in rounds of the given kinds. A kind may have two numbers: that of the round, and that of the call.
func script(calls int, kinds []string) (all []model.Op) {
	for i := range calls {
		call := fmt.Sprintf(kinds[i%len(kinds)]+"%[3]s", i/len(kinds)+1, i, "")
		all = append(all, model.Op{Call: call, After: model.By(50)})
	}
	return all
}

func sampled(variant string, f model.Faults) model.Check {
	return model.Check{Variant: variant, Config: model.Config{Faults: f}, Reading: model.Dense, Schedules: 400}
}
