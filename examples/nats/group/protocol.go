// Package group checks servers of NATS with JetStream. All run the program in the sibling folder natsd.
package group

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/disk"
	"contend/program"
)

const source = "github.com/nats-io/nats-server"

// JetStream is one server.
var JetStream = &model.Protocol{
	Name: "jetstream", Title: "a NATS server with JetStream, whole, with its disk", Source: source,
	Params: params, Build: func(c model.Config) (*model.System, error) { return build(c, []string{"server"}, 50, changes) },
	Claims: single, Variants: variants,
	Checks: []model.Check{sampled("careful", model.Faults{}), sampled("careful", model.Faults{Restarts: 2})},
}

// Cluster is a cluster of three servers, with a stream of three replicas.
var Cluster = &model.Protocol{
	Name: "cluster", Title: "three NATS servers with a stream of three replicas, whole, with their disks", Source: source,
	Params: params, Build: func(c model.Config) (*model.System, error) {
		return build(c, []string{"n0", "n1", "n2"}, 2000, publishes)
	},
	Claims: replicated, Variants: variants[:1],
	Checks: []model.Check{sampled("always", model.Faults{}), sampled("always", model.Faults{Restarts: 1})},
}

// variants sync each write. All but the first sync the directories after each removal, too.
var variants = []model.Variant{
	{Name: "always", Title: "sync_interval is always", Edit: flags("-always", "-interval=300ms")},
	{Name: "careful", Title: "as always, and the program syncs the directories after each removal", Edit: flags(careful...)},
	{Name: "compressed", Title: "as careful, and the blocks are compressed", Edit: flags(append(careful, "-compressed")...)},
	{Name: "encrypted", Title: "as careful, and the files are encrypted", Edit: flags(append(careful, "-key=key")...)},
}

var careful = []string{"-always", "-interval=300ms", "-careful"}

// The sizes of a system.
var (
	Calls     = model.Param[int]{Name: "calls", Meaning: "calls of the application", Most: 60, Default: 14}
	Slow      = model.Param[int]{Name: "slow", Meaning: "milliseconds that a sync, a renaming or a removal of a file takes", Most: 100}
	Strict    = model.Param[int]{Name: "strict", Meaning: "1: only the sync of a directory makes a name durable, as POSIX permits", Most: 1}
	Reordered = model.Param[int]{Name: "reordered", Meaning: "1: a crash may lose any writes that are not synced, not only the latest", Most: 1}
)

var params = append([]model.Parameter{Calls, Slow, Strict, Reordered, program.Guest}, program.Budgets()...)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags []string // of the program
}

// flags adds flags to the command line of the program.
func flags(all ...string) func(*model.System) {
	return func(s *model.System) { s.Setup.(*Setup).Flags = append(s.Setup.(*Setup).Flags, all...) }
}

// build returns a system of servers. Calls follow each other after at most a number of milliseconds.
func build(c model.Config, names []string, apart model.Ticks, script func(calls int, server string) []string) (*model.System, error) {
	setup := &Setup{}
	p, err := program.New(program.Config{Package: "contend/examples/nats/natsd", Hosts: names, Exits: true, Net: true, Seeds: 16, Resolution: 8,
		Args: func(string) []string {
			if len(names) == 1 {
				return setup.Flags
			}
			return append(slices.Clone(setup.Flags), names...)
		},
		Disk: &disk.Options{Torn: true, StrictNames: Strict.Of(c) == 1, Reordered: Reordered.Of(c) == 1}, Slow: int64(Slow.Of(c)), Guest: program.Guest.Of(c)})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: program.Types(), Network: model.Network{Delay: model.By(10), Once: true}, Opening: opening}
	for _, name := range names {
		n := model.NodeSpec{Name: name, Role: model.Peer, New: p.Node, Crash: model.CrashRecovery}
		for _, call := range script(Calls.Of(c), name) {
			n.Script = append(n.Script, model.Op{Call: call, After: model.By(apart)})
		}
		s.Nodes = append(s.Nodes, n)
	}
	trouble, err := p.Trouble(c, 100*apart)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

// opening ends the opening of a run: a message was published.
func opening(o model.Observation) bool {
	_, ok := o.Note("keeps ")
	return ok
}

// changes returns calls of one server, in rounds of 14. The number after "+" is that of a message of the round. In the first round and each second
// round after it, the purge removes all messages.
func changes(calls int, _ string) (all []string) {
	kinds := []string{"publish", "publish", "put x", "read +1", "delete +1", "put y", "publish", "put x", "read x", "publish", "purge +3", "drop y", "read +2", "read y"}
	for i := range calls {
		words := strings.Fields(kinds[i%len(kinds)])
		if i%28 == 10 {
			words = []string{"purge", "all"}
		}
		var message int
		if n, _ := fmt.Sscanf(words[len(words)-1], "+%d", &message); n == 1 {
			words[1] = fmt.Sprint(i/len(kinds)*4 + message)
		}
		if words[0] == "publish" || words[0] == "put" {
			words = append(words, fmt.Sprint("value-", i+1))
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

// publishes returns calls of a server of a cluster.
func publishes(calls int, server string) (all []string) {
	for i := range calls {
		call := "look"
		if i%2 == 0 {
			call = fmt.Sprintf("publish %s-%d", server, i+1)
		}
		all = append(all, call)
	}
	return all
}

func sampled(variant string, f model.Faults) model.Check {
	return model.Check{Variant: variant, Config: model.Config{Faults: f}, Reading: model.Dense, Schedules: 200}
}
