// Package election is what the elections have in common: who initiates one, what processes
// note of what they decide, and what is claimed of it (claims.go).
//
// The processes are the nodes of the system, and the ID of a process is its place among them:
// the last has the largest. An election is initiated by a process whose application notes that
// "coordinator is not responding" ([Elect]), that is told so by a failure detector, or that "has
// just recovered from failure" (SDX lecture).
package election

import (
	"fmt"

	"contend/model"
)

// Elect is what an application invokes that has noted that the coordinator does not respond.
// It returns the coordinator, a [model.NodeID], once its process has decided.
type Elect struct{}

// What processes note.
type (
	// Begun says that the process initiates an election.
	Begun struct{}
	// Undecided says that the process takes part in an election, and does not know the
	// coordinator until it notes [Decided].
	Undecided struct{}
	// Decided says which process the noting one takes for the coordinator from now on.
	Decided struct{ Coordinator model.NodeID }
	// Over says that the process knows that its election is over: all others have heard of the
	// coordinator.
	Over struct{}
)

// Processes is how many there are, whether up or not.
var Processes = model.N.WithMeaning("processes").WithDefault(3)

// The processes that initiate elections by [Elect], and those that are down.
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

// Check refuses initiators that are not there.
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

// Up is how many processes are up at the beginning: the first ones.
func Up(c model.Config) int { return c.N - Down.Of(c) }

// Script is what the application of the process with an index, from 0, does: it invokes [Elect]
// as often as [model.Ops] says where the process is an initiator, whenever it likes. The place
// after the last that is up is the first.
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

// Specs are the nodes p1 to pN: peers that run what process makes and may crash as crash says,
// except those that are [Down], which no message reaches.
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

// absent is a process that is down all along.
type absent struct{}

// Receive does not hear.
func (*absent) Receive(model.Env, model.NodeID, any) {}

// Of returns the configuration of n processes with a number of initiators, which elect ops times each.
func Of(n, initiators, ops int) model.Config {
	return model.Config{N: n}.With(Initiators.Is(initiators), model.Ops.Is(ops))
}
