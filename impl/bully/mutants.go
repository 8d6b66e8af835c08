package bully

import (
	"slices"

	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// crash is the smallest check with a crash.
var crash = timed(variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1}))

var mutants = []model.Variant{
	{
		// The Election message and its OK have to take the maximum delay, and the alarm has to fire first of
		// the events at this instant.
		Name: "answer-too-late", Title: "a process waits for an OK only as long as the OK may take",
		Breaks: "safety", Show: timed(election.Of(2, 1, 1)),
		Edit: variant.Setup(func(c *Config) { c.Answer-- }),
	},
	{
		// Three messages have to be as slow as they can and one as fast as it can.
		Name: "impatient", Title: "a process waits for a Coordinator message only as long as that may take",
		Breaks: "no needless reinitiation", Show: timed(election.Of(3, 1, 1)),
		Edit: variant.Setup(func(c *Config) { c.Announcement-- }),
	},
	{
		Name: "busy-is-silent", Title: `"unless it has begun one already" applies to the OK too`,
		Breaks: "safety", Show: timed(election.Of(2, 2, 1)),
		Edit: page.Edit(`env.Send(from, OK{})`, `if p.Stage != Idle { return }; env.Send(from, OK{})`),
	},
	{
		Name: "does-not-drop-out", Title: "a process that receives an OK does not drop out",
		Breaks: "safety", Show: timed(election.Of(2, 1, 1)),
		Edit: page.Edit(`case OK: if p.Stage == AwaitsOK {`, `case OK: if false {`),
	},
	{
		Name: "begins-again", Title: "a process starts another election even if it has begun one already",
		Breaks: "one at a time", Show: timed(election.Of(2, 2, 1)),
		Edit: page.Edit(`env.Send(from, OK{}); p.elect(env)`, `env.Send(from, OK{}); p.begin(env)`),
	},
	{
		// If all processes are up the mutant behaves like the algorithm. The next higher process has to be
		// down, and another higher process up.
		Name: "asks-next", Title: "a process sends its Election message only to the next higher process",
		Breaks: "no smaller coordinator", Show: crash,
		Edit: page.Edit(`env.Broadcast(p.higher(env.Self()), Election{})`,
			`higher := p.higher(env.Self()); env.Broadcast(higher[:min(1, len(higher))], Election{})`),
	},
	{
		Name: "tells-participants", Title: `"the rest" are those that sent the winner an Election message`,
		Breaks: "liveness", Show: timed(election.Of(2, 1, 1).With(election.Initiator.Is(2))),
		Edit: variant.Nodes(func(p Process) model.Node { return &quietProcess{Process: p} }),
	},
	{
		// The process that has answered has to crash before it wins.
		Name: "never-reinitiates", Title: "a process waits for a Coordinator message for ever",
		Breaks: "liveness", Show: crash,
		Edit: page.Edit(`env.Note(Reinitiates{}); p.begin(env)`, ``),
	},
	{
		Name: "recovers-quietly", Title: "a process starts no election when it recovers",
		Breaks: "liveness", Show: recovers,
		Edit: page.Edit(`if p.Booted { p.elect(env) }`, ``),
	},
	{
		// The Coordinator message has to be slower than the report that its sender crashed.
		Name: "report-overtakes", Title: "a crash is reported before the last messages of the crashed process arrive",
		Breaks: "largest in the end", Show: timed(variant.Faulty(election.Of(2, 0, 1).With(election.Initiators.Is(2)), model.Faults{Crashes: 1})),
		Edit: func(s *model.System) { s.Detector.Report = model.By(model.Delay.Of(s.Config)) },
	},
	{
		// One election has to end, and a second to begin: where each process elects once it is not seen.
		Name: "begun-once", Title: `detector; "unless it has begun one already" counts elections that have ended`,
		Breaks: "elections conclude", Show: variant.Beyond(election.Of(2, 1, 2), model.Faults{}),
		Edit: variant.All(detect(model.Perfect), variant.Nodes(func(p ReportedProcess) model.Node { return &onceProcess{ReportedProcess: p} })),
	},
	{
		Name: "any-report-will-do", Title: "detector; a process wins when one higher process is down",
		Breaks: "no smaller coordinator", Show: variant.Beyond(election.Of(3, 1, 1), model.Faults{Crashes: 1}),
		Edit: variant.All(detect(model.Perfect), page.Edit(`down == len(higher)`, `(down > 0 || len(higher) == 0)`)),
	},
	{
		Name: "waits-for-the-dead", Title: "detector; a process waits for the Coordinator message of a process that is down",
		Breaks: "liveness", Show: variant.Beyond(election.Of(2, 1, 1), model.Faults{Crashes: 1}),
		Edit: variant.All(detect(model.Perfect),
			page.Edit(`if p.Stage == AwaitsCoordinator && node > env.Self() { p.Timeout(untimed{env}, waiting{}) }`, ``)),
	},
	{
		// The Coordinator message has to be slower than the report, and than the next election.
		Name: "elects-the-dead", Title: "detector; a process decides on a coordinator that is down",
		Breaks: "largest in the end", Show: variant.Beyond(election.Of(2, 1, 1), model.Faults{Crashes: 1}),
		Edit: variant.All(detect(model.Perfect), page.Edit(`late && p.Down[from]`, `late && false`)),
	},
	{
		Name: "misleads", Title: "an application is told that its own process has won, whoever won",
		Breaks: "the answer", Show: timed(election.Of(2, 1, 1)),
		Edit: page.Edit(`env.Return(on)`, `env.Return(env.Self())`),
	},
}

type quietProcess struct {
	Process
	Askers []model.NodeID // processes that sent it an Election message, of this election
}

// Receive records the process that asks.
func (p *quietProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, asks := m.(Election); asks && !slices.Contains(p.Askers, from) {
		p.Askers = append(p.Askers, from)
	}
	p.Process.Receive(env, from, m)
}

// Timeout notifies the processes that have asked.
func (p *quietProcess) Timeout(env model.Env, key any) {
	p.Process.Timeout(telling{env, p.Askers}, key)
	p.Askers = nil
}

// telling is the environment of a process that notifies some processes of the coordinator.
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
