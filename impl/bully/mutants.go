package bully

import (
	"slices"

	"contend/impl/election"
	"contend/model"
)

// crash is the smallest check with a crash.
var crash = timed(failing(sized(3, 1, 1), model.Faults{Crashes: 1}))

// untimely checks what needs no time and what the claims say that it does, as they are made of time-outs.
func untimely(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: failing(c, f), AssumeAnyway: true}
}

var mutants = []model.Variant{
	{
		// The Election message and its OK have to take as long as they can, and the alarm has to fire
		// first of what happens at that instant.
		Name: "answer-too-late", Title: "a process waits for an OK only as long as the OK may take",
		Breaks: "safety", Show: timed(sized(2, 1, 1)),
		Edit: tune(func(c *Config, _ int) { c.Answer-- }),
	},
	{
		// Three messages have to be as slow as they can and one as fast as it can.
		Name: "impatient", Title: "a process waits for a Coordinator message only as long as that may take",
		Breaks: "no needless reinitiation", Show: timed(sized(3, 1, 1)),
		Edit: tune(func(c *Config, _ int) { c.Announcement-- }),
	},
	{
		Name: "busy-is-silent", Title: `"unless it has begun one already" applies to the OK too`,
		Breaks: "safety", Show: timed(sized(2, 2, 1)),
		Edit: override(func(p Process) model.Node { return &silentProcess{p} }),
	},
	{
		Name: "does-not-drop-out", Title: "a process that receives an OK does not drop out",
		Breaks: "safety", Show: timed(sized(2, 1, 1)),
		Edit: override(func(p Process) model.Node { return &stubbornProcess{p} }),
	},
	{
		Name: "begins-again", Title: "a process starts another election even if it has begun one already",
		Breaks: "one at a time", Show: timed(sized(2, 2, 1)),
		Edit: override(func(p Process) model.Node { return &restlessProcess{p} }),
	},
	{
		// Where all are up it cannot be told from the algorithm; the next higher process has to be down, and
		// another higher one up.
		Name: "asks-next", Title: "a process sends its Election message only to the next higher process",
		Breaks: "no smaller coordinator", Show: crash,
		Edit: tune(func(c *Config, n int) {
			higher := c.Higher
			c.Higher = func(self model.NodeID) []model.NodeID { return higher(self)[:min(1, len(higher(self)))] }
		}),
	},
	{
		Name: "tells-participants", Title: `"the rest" are those that sent the winner an Election message`,
		Breaks: "liveness", Show: timed(sized(2, 1, 1).With(election.Initiator.Is(2))),
		Edit: override(func(p Process) model.Node { return &quietProcess{Process: p} }),
	},
	{
		// The process that has answered has to crash before it wins.
		Name: "never-reinitiates", Title: "a process waits for a Coordinator message for ever",
		Breaks: "liveness", Show: crash,
		Edit: override(func(p Process) model.Node { return &hopefulProcess{p} }),
	},
	{
		Name: "recovers-quietly", Title: "a process starts no election when it recovers",
		Breaks: "liveness", Show: recovers,
		Edit: override(func(p Process) model.Node { return &quietlyBack{p} }),
	},
	{
		// The Coordinator message has to be slower than the report that its sender crashed.
		Name: "report-overtakes", Title: "a crash is reported before the last messages of the crashed process arrive",
		Breaks: "largest in the end", Show: timed(failing(sized(2, 0, 1).With(election.Initiators.Is(2)), model.Faults{Crashes: 1})),
		Edit: func(s *model.System) { s.Detector.Report = model.By(model.Delay.Of(s.Config)) },
	},
	{
		// One election has to end, and a second to begin: where each process elects once it is not seen.
		Name: "begun-once", Title: `detector; "unless it has begun one already" counts elections that have ended`,
		Breaks: "elections conclude", Show: untimely(sized(2, 1, 2), model.Faults{}),
		Edit: reporting(model.Perfect, func(p *ReportedProcess) model.Node { return &onceProcess{ReportedProcess: *p} }),
	},
	{
		Name: "any-report-will-do", Title: "detector; a process wins when one higher process is down",
		Breaks: "no smaller coordinator", Show: untimely(sized(3, 1, 1), model.Faults{Crashes: 1}),
		Edit: reporting(model.Perfect, func(p *ReportedProcess) model.Node {
			p.wins = func(higher, down int) bool { return down > 0 || higher == 0 }
			return p
		}),
	},
	{
		Name: "waits-for-the-dead", Title: "detector; a process waits for the Coordinator message of a process that is down",
		Breaks: "liveness", Show: untimely(sized(2, 1, 1), model.Faults{Crashes: 1}),
		Edit: reporting(model.Perfect, func(p *ReportedProcess) model.Node { return &faithfulProcess{*p} }),
	},
	{
		// The Coordinator message has to be slower than the report, and than the next election.
		Name: "elects-the-dead", Title: "detector; a process decides on a coordinator that is down",
		Breaks: "largest in the end", Show: untimely(sized(2, 1, 1), model.Faults{Crashes: 1}),
		Edit: reporting(model.Perfect, func(p *ReportedProcess) model.Node { return &credulousProcess{*p} }),
	},
	{
		Name: "misleads", Title: "an application is told that its own process has won, whoever won",
		Breaks: "the answer", Show: timed(sized(2, 1, 1)),
		Edit: func(s *model.System) { processes(s, func(p Process) model.Node { return &misleadingProcess{p} }) },
	},
}

type silentProcess struct{ Process }

// Receive answers no Election message during an election.
func (p *silentProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(Election); !asks || p.Stage == Idle {
		p.Process.Receive(env, from, m)
	}
}

type stubbornProcess struct{ Process }

// Receive takes no notice of an OK.
func (p *stubbornProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, answered := m.(OK); !answered {
		p.Process.Receive(env, from, m)
	}
}

type restlessProcess struct{ Process }

// Receive begins an election on each Election message.
func (p *restlessProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(Election); asks {
		env.Send(from, OK{})
		p.begin(env)
		return
	}
	p.Process.Receive(env, from, m)
}

type quietProcess struct {
	Process
	Askers []model.NodeID // who sent it an Election message, of this election
}

// Receive records the process that asks.
func (p *quietProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(Election); asks && !slices.Contains(p.Askers, from) {
		p.Askers = append(p.Askers, from)
	}
	p.Process.Receive(env, from, m)
}

// Timeout tells the processes that have asked.
func (p *quietProcess) Timeout(env model.Env, key any) {
	p.Process.Timeout(telling{env, p.Askers}, key)
	p.Askers = nil
}

// telling is the environment of a process that tells some who the coordinator is.
type telling struct {
	model.Env
	some []model.NodeID
}

// Broadcast sends a Coordinator message to some.
func (e telling) Broadcast(to []model.NodeID, m any) {
	if _, tells := m.(Coordinator); tells {
		to = e.some
	}
	e.Env.Broadcast(to, m)
}

type hopefulProcess struct{ Process }

// Timeout ends only the wait for an OK.
func (p *hopefulProcess) Timeout(env model.Env, key any) {
	if p.Stage == AwaitsOK {
		p.Process.Timeout(env, key)
	}
}

type quietlyBack struct{ Process }

// Start is silent.
func (p *quietlyBack) Start(model.Env) {}

type onceProcess struct {
	ReportedProcess
	Begun bool
}

// Receive starts no second election.
func (p *onceProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(Election); asks {
		if p.Begun {
			env.Send(from, OK{})
			return
		}
		p.Begun = true
	}
	p.ReportedProcess.Receive(env, from, m)
}

type faithfulProcess struct{ ReportedProcess }

// Suspect is told that a process is down, and goes on waiting for it.
func (p *faithfulProcess) Suspect(env model.Env, node model.NodeID) {
	if p.Stage == AwaitsCoordinator {
		p.Down[node] = true
		return
	}
	p.ReportedProcess.Suspect(env, node)
}

type credulousProcess struct{ ReportedProcess }

// Receive takes every Coordinator message.
func (p *credulousProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(untimed{env}, from, m)
	p.conclude(env)
}

type misleadingProcess struct{ Process }

// Receive tells the application of its own process.
func (p *misleadingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(election.Misleading{Env: env}, from, m)
}
