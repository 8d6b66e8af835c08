package bully

import (
	"contend/impl/election"
	"contend/model"
)

// lossy are the assumptions that a claim of safety does without where nobody infers a crash from silence.
var lossy = []model.Assumption{model.Synchronous, model.NoLoss, model.NoPartition, model.AtMostOnce}

var options = []model.Variant{
	{
		Name: "detector", Title: "a perfect failure detector replaces the time-outs",
		Unclaimed: []string{crashSafety},
		Edit:      detect(model.Perfect), Show: model.Check{Config: failing(sized(3, 1, 1), model.Faults{Crashes: 1})},
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
		Edit:      override(func(p Process) model.Node { return &bullyingProcess{Process: p} }), Show: recovers,
		Waives: map[string][]model.Assumption{"agreement": {model.NoMemoryLoss}, "largest in the end": {model.NoMemoryLoss}},
	},
	{
		Name: "highest-at-once", Title: "the process with the highest ID waits for nobody and wins at once",
		Unclaimed: []string{crashSafety},
		Edit:      override(func(p Process) model.Node { return &highestProcess{p} }), Show: again,
	},
	{
		Name: "tells-lower", Title: `"the rest" are the processes with lower IDs`,
		Unclaimed: []string{crashSafety},
		Edit: tune(func(c *Config, _ int) {
			c.Rest = func(self model.NodeID) []model.NodeID { return between(0, int(self)) }
		}), Show: again,
	},
	{
		Name: "ignores-lower", Title: "a process ignores a Coordinator message of a lower process",
		Unclaimed: []string{crashSafety},
		Edit:      override(func(p Process) model.Node { return &deafProcess{p} }), Show: again,
	},
	{
		Name: "elects-at-boot", Title: "a process starts an election whenever it starts, and needs no stable storage",
		Unclaimed: []string{crashSafety},
		Edit:      override(func(p Process) model.Node { return &bootingProcess{p} }), Show: again,
	},
	{
		Name: "every-ok", Title: "each OK restarts the wait for a Coordinator message",
		Unclaimed: []string{crashSafety},
		Edit:      override(func(p Process) model.Node { return &patientProcess{p} }), Show: again,
	},
}

var (
	// again is a check in which two processes elect, and one of these or a third crashes.
	again = timed(failing(sized(3, 2, 1), model.Faults{Crashes: 1}))
	// recovers is a check in which one process elects, and one crashes and restarts.
	recovers = timed(failing(sized(2, 1, 1), model.Faults{Restarts: 1}))
)

func setup(s *model.System) *Config { return s.Setup.(*Config) }

// tune edits the configuration, given the number of processes.
func tune(f func(c *Config, n int)) func(*model.System) {
	return func(s *model.System) { f(setup(s), s.Config.N) }
}

// override replaces the processes by other nodes.
func override(f func(Process) model.Node) func(*model.System) {
	return func(s *model.System) { processes(s, f) }
}

// processes replaces the processes that are up.
func processes(s *model.System, f func(Process) model.Node) {
	for i := range election.Up(s.Config) {
		s.Nodes[i].New = func() model.Node { return f(process(s.Config, setup(s))) }
	}
}

// A bullyingProcess yields neither to a lower process nor to a process that was reported down.
type bullyingProcess struct {
	Process
	Down map[model.NodeID]bool
}

// Receive takes a message. The Coordinator messages of a lower winner arrive elsewhere within δ, so a
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

// Suspect is told that a process is down.
func (p *bullyingProcess) Suspect(env model.Env, node model.NodeID) {
	p.Down[node] = true
	p.Process.Suspect(env, node)
}

// Trust is told that a process is up.
func (p *bullyingProcess) Trust(_ model.Env, node model.NodeID) { delete(p.Down, node) }

type deafProcess struct{ Process }

// Receive takes a message, but no Coordinator message of a lower process.
func (p *deafProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, told := m.(Coordinator); !told || from > env.Self() {
		p.Process.Receive(env, from, m)
	}
}

type highestProcess struct{ Process }

// Start tells recovery from the first boot.
func (p *highestProcess) Start(env model.Env) {
	p.Process.Start(env)
	p.conclude(env)
}

// Invoke is told by its application that the coordinator does not respond.
func (p *highestProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(env, op)
	p.conclude(env)
}

// Suspect is told that a process is down.
func (p *highestProcess) Suspect(env model.Env, node model.NodeID) {
	p.Process.Suspect(env, node)
	p.conclude(env)
}

// Receive takes a message.
func (p *highestProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	p.conclude(env)
}

// conclude ends the wait for an OK of nobody.
func (p *highestProcess) conclude(env model.Env) {
	if p.Stage == AwaitsOK && len(p.cfg.Higher(env.Self())) == 0 {
		p.Timeout(env, waiting{})
	}
}

type bootingProcess struct{ Process }

// Start starts an election.
func (p *bootingProcess) Start(env model.Env) { p.elect(env) }

type patientProcess struct{ Process }

// Receive restarts the wait on each OK.
func (p *patientProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	if _, answered := m.(OK); answered && p.Stage == AwaitsCoordinator {
		env.After(waiting{}, model.Exactly(p.cfg.Announcement))
	}
}
