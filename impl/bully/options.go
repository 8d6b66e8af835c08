package bully

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// lossy are the assumptions that a claim of safety does without where nobody infers a crash from silence.
var lossy = []model.Assumption{model.Synchronous, model.NoLoss, model.NoPartition, model.AtMostOnce}

var options = []model.Variant{
	{
		Name: "detector", Title: "a perfect failure detector replaces the time-outs",
		Unclaimed: []string{crashSafety},
		Edit:      detect(model.Perfect), Show: model.Check{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1})},
		Waives: map[string][]model.Assumption{
			"safety": lossy, "no smaller coordinator": lossy, "one coordinator": lossy,
			"liveness":           {model.Synchronous},
			"agreement":          {model.Synchronous},
			"largest in the end": {model.Synchronous},
			"elections conclude": {model.Synchronous},
		},
	},
	{
		Name: "bullies", Title: "a process starts an election when it gets a Coordinator message of a lower process",
		Unclaimed: []string{crashSafety},
		Edit:      variant.Nodes(func(p Process) model.Node { return &bullyingProcess{Process: p} }), Show: recovers,
		Waives: map[string][]model.Assumption{"agreement": {model.NoMemoryLoss}, "largest in the end": {model.NoMemoryLoss}},
	},
	{
		Name: "highest-at-once", Title: "the process with the highest ID waits for nobody and wins at once",
		Unclaimed: []string{crashSafety},
		Edit: page.Edit(`env.After(waiting{}, model.Exactly(p.cfg.Answer))`,
			`env.After(waiting{}, model.Exactly(p.cfg.Answer)); if len(p.higher(env.Self())) == 0 { p.Timeout(env, waiting{}) }`), Show: again,
	},
	{
		Name: "tells-lower", Title: `"the rest" are the processes with lower IDs`,
		Unclaimed: []string{crashSafety},
		Edit:      page.Edit(`append(between(0, self), p.higher(self)...)`, `between(0, self)`), Show: again,
	},
	{
		Name: "ignores-lower", Title: "a process ignores a Coordinator message of a lower process",
		Unclaimed: []string{crashSafety},
		Edit:      page.Edit(`p.decide(env, from)`, `if from > env.Self() { p.decide(env, from) }`), Show: again,
	},
	{
		Name: "elects-at-boot", Title: "a process starts an election whenever it starts, and needs no stable storage",
		Unclaimed: []string{crashSafety},
		Edit:      page.Edit(`if p.Booted { p.elect(env) }; p.Booted = true`, `p.elect(env)`), Show: again,
	},
	{
		Name: "every-ok", Title: "each OK restarts the wait for a Coordinator message",
		Unclaimed: []string{crashSafety},
		Edit:      page.Edit(`case OK: if p.Stage == AwaitsOK {`, `case OK: if p.Stage != Idle {`), Show: again,
	},
}

var (
	// again is a check in which two processes elect, and one of these or a third crashes.
	again = timed(variant.Faulty(election.Of(3, 2, 1), model.Faults{Crashes: 1}))
	// recovers is a check in which one process elects, and one crashes and restarts.
	recovers = timed(variant.Faulty(election.Of(2, 1, 1), model.Faults{Restarts: 1}))
)

// A bullyingProcess yields neither to a lower process nor to a process that was reported down.
type bullyingProcess struct {
	Process
	Down map[model.NodeID]bool
}

// Receive handles a message. The Coordinator messages of a lower winner arrive elsewhere within δ. So a
// process that waits for an OK restarts its wait: its own Coordinator message has to be the last.
func (p *bullyingProcess) Receive(env model.Env, from model.NodeID, m any) {
	_, told := m.(Coordinator)
	switch lower := from < env.Self(); {
	case told && lower && p.Stage == AwaitsOK:
		env.After(waiting{}, model.Exactly(p.cfg.Answer))
	case told && (lower || p.Down[from]):
		p.elect(env)
	default:
		p.Process.Receive(env, from, m)
	}
}

// Suspect handles a report that a process is down.
func (p *bullyingProcess) Suspect(env model.Env, node model.NodeID) {
	p.Down[node] = true
	p.Process.Suspect(env, node)
}

// Trust handles a report that a process is up.
func (p *bullyingProcess) Trust(_ model.Env, node model.NodeID) { delete(p.Down, node) }
