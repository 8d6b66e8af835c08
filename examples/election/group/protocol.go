// Package group checks elections of k8s.io/client-go: candidates, and the store of their lease. All run the program in the sibling package node.
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
	Name:   "election",
	Title:  "candidates with the leader election of k8s.io/client-go v0.37.2, whole, and the store of their lease",
	Source: source,
	Params: append([]model.Parameter{Candidates, Resignations, Stays, Delay, Deadline, program.Guest}, program.Budgets()...),
	Build:  build, Claims: claimed, Variants: variants, Checks: checks,
}

const source = "k8s.io/client-go/tools/leaderelection"

// The sizes of a system. A tick is a millisecond.
var (
	Candidates   = model.N.WithMeaning("candidates").WithRange(1, 5).WithDefault(3)
	Resignations = model.Param[int]{Name: "resignations", Meaning: "calls of the application of each candidate, which ask it to resign", Most: 20, Default: 2}
	Stays        = model.Param[model.Ticks]{Name: "stays", Meaning: "milliseconds before each of the calls, at least", Most: 60_000, Default: 1000}
	Delay        = model.Param[model.Ticks]{Name: "delay", Meaning: "milliseconds that a message takes at most", Least: 1, Most: 10_000, Default: 10}
	Deadline     = model.Param[int]{Name: "deadline", Meaning: "RenewDeadline in seconds", Least: 3, Most: 14, Default: 10}
)

// The durations of an election, in milliseconds, besides RenewDeadline. They are the defaults of Kubernetes.
const (
	leaseDuration = 15_000
	retryPeriod   = 2_000
	jittered      = retryPeriod * 22 / 10 // the longest time between two tries of a candidate
)

// A Setup is the configuration that variants change.
type Setup struct {
	Flags    []string // of all programs
	Releases bool     // a candidate that resigns releases the lease
	Short    bool     // the last candidate is configured with a shorter lease
}

func build(c model.Config) (*model.System, error) {
	setup, names := &Setup{}, []string{"store"}
	for i := range c.N {
		names = append(names, fmt.Sprint("c", i+1))
	}
	p, err := program.New(program.Config{Package: "contend/examples/election/node", Hosts: names, Net: true, Seeds: 16, Resolution: 8,
		Disk: &disk.Options{Torn: true}, Guest: program.Guest.Of(c), Args: func(host string) []string {
			if host == "store" {
				return append(slices.Clone(setup.Flags), "store")
			}
			all := append(slices.Clone(setup.Flags), "-deadline", fmt.Sprint(Deadline.Of(c), "s"))
			if setup.Releases {
				all = append(all, "-release")
			}
			if setup.Short && host == names[len(names)-1] {
				all = append(all, "-lease", "5s", "-deadline", "3s", "-retry", "1s")
			}
			return append(all, "candidate")
		}})
	if err != nil {
		return nil, err
	}
	s := &model.System{Config: c, Setup: setup, Types: program.Types(), Network: model.Network{Delay: model.By(Delay.Of(c)), Once: true}}
	for i, name := range names {
		n := model.NodeSpec{Name: name, Role: model.Server, New: p.Node, Crash: model.CrashRecovery}
		if i > 0 {
			n.Role = model.Peer
			for range Resignations.Of(c) {
				n.Script = append(n.Script, model.Op{Call: "resign", After: model.Between(Stays.Of(c), 60_000)})
			}
		}
		s.Nodes = append(s.Nodes, n)
	}
	trouble, err := p.Trouble(c, 20_000)
	s.Nodes = append(s.Nodes, trouble...)
	return s, err
}

var checks = []model.Check{
	sampled("", model.Faults{}),
	sampled("", model.Faults{Restarts: 2, Partitions: 1}, program.Cuts.Is(1), program.Jumps.Is(2)),
	released,
}

// released leaves out "a candidate that resigns holds no lease", which is violated.
var released = func() model.Check {
	c := sampled("releases", model.Faults{})
	c.Claims = []string{"at most one leader", "only a lease that is over is taken", "only its holder releases a lease",
		"a leader that resigns releases the lease", "a released lease is taken at once", "somebody leads"}
	return c
}()

func sampled(variant string, f model.Faults, settings ...model.Setting) model.Check {
	return model.Check{Variant: variant, Config: model.Config{Faults: f}.With(settings...), Reading: model.Dense, Schedules: 200}
}
