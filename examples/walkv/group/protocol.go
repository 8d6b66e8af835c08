// Package group model-checks a key–value server and its clients. Both run the program in the sibling package
// kvd. The program stores its keys in the log of tidwall/wal, unmodified.
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
	Name:   "walkv",
	Title:  "a key–value server over HTTP and the log of github.com/tidwall/wal v1.2.1, whole, with its disk",
	Source: source,
	Params: append([]model.Parameter{Clients, Calls, Yield, Room, Slow, Segment, program.Guest}, program.Budgets()...),
	Build:  build, Claims: claimed, Variants: variants, Checks: checks,
}

const source = "github.com/tidwall/wal"

// The sizes of a system.
var (
	Clients = model.N.WithMeaning("clients").WithRange(1, 4).WithDefault(2)
	Calls   = model.Param[int]{Name: "calls", Meaning: "calls of each client", Most: 12, Default: 7}
	Yield   = model.Param[int]{Name: "yield", Meaning: "one in so many times a goroutine gives way; 0 stands for never", Most: 1000}
	Room    = model.Param[int]{Name: "room", Meaning: "bytes that fit on the disk; 0 stands for no bound", Most: 1 << 20}
	Slow    = model.Param[int]{Name: "slow", Meaning: "milliseconds that a sync, a renaming or a removal of a file takes", Most: 100}
	Segment = model.Param[int]{Name: "segment", Meaning: "bytes after which the log begins a new file", Least: 1, Most: 1 << 20, Default: 64}
)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags []string // of the server
	Disk  disk.Options
}

// delay is the maximum delay of a message, in milliseconds.
const delay = 10

func build(c model.Config) (*model.System, error) {
	setup := &Setup{Disk: disk.Options{Torn: true, Size: int64(Room.Of(c))}}
	names := []string{"server"}
	for i := range c.N {
		names = append(names, fmt.Sprint("c", i+1))
	}
	p, err := program.New(program.Config{Package: "contend/examples/walkv/kvd", Hosts: names, Exits: true, Disk: &setup.Disk, Yield: Yield.Of(c), Slow: int64(Slow.Of(c)), Guest: program.Guest.Of(c),
		Args: func(host string) []string {
			if host == "server" {
				return append(slices.Clone(setup.Flags), "-segment", fmt.Sprint(Segment.Of(c)), "serve")
			}
			return []string{"client", "server:80"}
		}})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: program.Types(), Network: model.Network{Delay: model.By(delay), Once: true}}
	for i, name := range names {
		n := model.NodeSpec{Name: name, Role: model.Server, New: p.Node, Crash: model.CrashRecovery}
		if i > 0 {
			n.Role, n.Crash, n.Script = model.Client, model.NoCrashes, script(i, Calls.Of(c))
		}
		s.Nodes = append(s.Nodes, n)
	}
	trouble, err := p.Trouble(c, delay*10)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

// script returns the calls of a client: mostly changes and reads of two keys.
func script(client, calls int) (all []model.Op) {
	kinds := []string{"put x", "get x", "put y", "put x", "get y", "del x", "get x"}
	for i := range calls {
		call := kinds[(i+3*(client-1))%len(kinds)]
		if call[:3] == "put" {
			call += fmt.Sprintf(" %d-%d", client, i+1)
		}
		all = append(all, model.Op{Call: call, After: model.By(100)})
	}
	return all
}

var checks = []model.Check{
	sampled(model.Faults{}, 200),
	sampled(model.Faults{Restarts: 2}, 400),
	sampled(model.Faults{Restarts: 2}, 200, Slow.Is(5)),
	sampled(model.Faults{Restarts: 1}, 200, program.Cuts.Is(2), program.HalfOpens.Is(2), program.Refusals.Is(1), program.Jumps.Is(1)),
}

func sampled(f model.Faults, n int, settings ...model.Setting) model.Check {
	return model.Check{Config: model.Config{Faults: f}.With(settings...), Reading: model.Dense, Schedules: n}
}
