// Package election has the common parts of elections: their initiation, the notes of decisions, and the claims
// (claims.go).
//
// The nodes of the system are the processes. The ID of a process is its index, so the last process has the largest ID.
// A process initiates an election when its application notes that "coordinator is not responding" ([Elect]). It also
// does so when a failure detector reports the crash, or when it "has just recovered from failure" (SDX lecture).
package election

import (
	"fmt"

	"contend/model"
)

// Elect is the operation of an application that notes that the coordinator does not respond. It returns the
// coordinator, a [model.NodeID], after its process has decided.
type Elect struct{}

// The notes of processes.
type (
	// Begun is noted when the process initiates an election.
	Begun struct{}
	// Undecided is noted when the process takes part in an election. It does not know the coordinator until it notes
	// [Decided].
	Undecided struct{}
	// Decided is noted when the process accepts a coordinator.
	Decided struct{ Coordinator model.NodeID }
	// Over is noted when the process knows that its election is over: all other processes know the coordinator.
	Over struct{}
)

// Processes is the number of processes, up or down.
var Processes = model.N.WithMeaning("processes").WithDefault(3)

// The numbers of processes that initiate elections by [Elect], and of processes that are down.
var (
	Initiator = model.Param[int]{
		Name: "initiator", Meaning: "the first process whose application notices that the coordinator is gone, as a position from 1", Least: 1, Most: 32, Default: 1,
	}
	Initiators = model.Param[int]{
		Name: "initiators", Meaning: "how many processes have an application that notices it: the initiator and those after it", Most: 32, Default: 1,
	}
	Down = model.Param[int]{
		Name: "down", Meaning: "how many processes are down from the beginning: the last ones", Most: 31,
	}
)

// Check returns an error if more processes initiate elections than are up, or if no process is up.
func Check(c model.Config) error {
	up := Up(c)
	switch {
	case up < 1:
		return fmt.Errorf("down is %d, but must be less than n = %d", Down.Of(c), c.N)
	case Initiators.Of(c) > up:
		return fmt.Errorf("initiators is %d, but only %d processes are up", Initiators.Of(c), up)
	case Initiators.Of(c) > 0 && Initiator.Of(c) > up:
		return fmt.Errorf("initiator is %d, but only processes 1 to %d are up", Initiator.Of(c), up)
	}
	return nil
}

// Up returns the number of processes that are up at the beginning. They are the first processes.
func Up(c model.Config) int { return c.N - Down.Of(c) }

// Script returns the operations of the process with an index, from 0. An initiator invokes [Elect] as often as
// [model.Ops], each at any time. The initiators are consecutive. The first process follows the last process that is up.
func Script(c model.Config, index int) []model.Op {
	after := (index - (Initiator.Of(c) - 1) + Up(c)) % Up(c)
	if index >= Up(c) || after >= Initiators.Of(c) {
		return nil
	}
	script := make([]model.Op, model.Ops.Of(c))
	for k := range script {
		script[k] = model.Op{Call: Elect{}, After: model.Anytime()}
	}
	return script
}

// Specs returns the nodes p1 to pN. It calls process for each new node that is up. Nodes that are [Down] receive no
// message and do not crash.
func Specs(c model.Config, crash model.CrashModel, process func(id model.NodeID) model.Node) []model.NodeSpec {
	specs := make([]model.NodeSpec, c.N)
	for i := range specs {
		specs[i] = model.NodeSpec{
			Name: fmt.Sprintf("p%d", i+1), Role: model.Peer, Script: Script(c, i), Crash: crash,
			New: func() model.Node { return process(model.NodeID(i)) },
		}
		if i >= Up(c) {
			specs[i].Crash, specs[i].New = model.NoCrashes, func() model.Node { return &absent{} }
		}
	}
	return specs
}

// absent is a process that is always down.
type absent struct{}

// Receive ignores messages.
func (*absent) Receive(model.Env, model.NodeID, any) {}

// Of returns the configuration of n processes with a number of initiators, which elect ops times each.
func Of(n, initiators, ops int) model.Config {
	return model.Config{N: n}.With(Initiators.Is(initiators), model.Ops.Is(ops))
}
