package threephase

import (
	"contend/model"
	"contend/model/variant"
)

// options are another reading, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "timeouts", Title: "reading: time-outs decide, and nobody takes over; a coordinator sends a command to all at once",
		Edit: timed, Unclaimed: []string{certain},
		Show: model.Check{Config: sized(2, model.Faults{Crashes: 1}), Reading: model.Grid},
	},
	{
		Name: "committed-first", Title: "the second termination rule goes before the first",
		Edit: follow(committedFirst{}), Show: model.Check{Config: sized(3, model.Faults{Crashes: 1})},
	},
	{
		Name: "deaf-when-decided", Title: "a process that has decided takes no command",
		Edit: variant.Nodes(func(p Process) model.Node { return &deafProcess{p} }),
		Show: model.Check{Config: sized(3, model.Faults{Crashes: 1}), Claims: safety},
	},
}

type committedFirst struct{ Spec }

// Terminates checks for a commit first. After a commit, no process has aborted.
func (committedFirst) Terminates(states map[model.NodeID]State) State {
	for _, s := range states {
		if s == Committed {
			return Committed
		}
	}
	return Spec{}.Terminates(states)
}

type deafProcess struct{ Process }

// Receive ignores further decisions.
func (p *deafProcess) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case DoCommit, Abort:
		if p.State.decided() {
			return
		}
	}
	p.Process.Receive(env, from, m)
}
