package enhancedring

import (
	"slices"

	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

var mutants = []model.Variant{
	{
		Name: "winner-crashes", Title: "the elected process crashes before all have decided",
		Breaks: "safety", Show: variant.BeyondInTime(election.Of(2, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		// A Coordinator message has to be in flight to a process that restarts and elects, and all have to
		// decide before it arrives.
		Name: "highest-recovers", Title: "the process with the highest ID crashes, and restarts during an election",
		Breaks: "largest in the end", Show: variant.BeyondInTime(election.Of(2, 1, 1), model.Faults{Restarts: 1}),
		Edit: func(s *model.System) {
			lockstep(s)
			s.Detector, s.Nodes[0].Crash = model.Detector{}, model.NoCrashes
		},
	},
	{
		Name: "message-lost", Title: "a message is lost, and its receiver is skipped",
		Breaks: "safety", Show: variant.BeyondInTime(election.Of(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "network-cut", Title: "the network is partitioned: \"multiple nodes may decide they are the leader\"",
		Breaks: "one coordinator", Show: variant.BeyondInTime(election.Of(2, 2, 1), model.Faults{Partitions: 1}),
	},
	{
		Name: "slow-messages", Title: "delays have no bound: a late response counts as none",
		Breaks: "safety", Show: model.Check{Config: election.Of(2, 1, 1), AssumeAnyway: true},
	},
	{
		Name: "suspects-wrongly", Title: "nobody crashes, but the failure detector that says who responds is only eventually perfect",
		Breaks: "one coordinator", Show: model.Check{Config: variant.Faulty(election.Of(2, 2, 1), model.Faults{Suspicions: 1}), AssumeAnyway: true},
		Edit: detect(model.EventuallyPerfect),
	},
	{
		// Only the crashed process would recognise it, as in Chang and Roberts' ring: it circulates for
		// ever. No finite run shows that, so sampling cannot.
		Name: "initiator-only", Title: "only the initiator of the election recognises its message, not \"the first process that detects its ID\"",
		Breaks: "failures supported", Show: model.Check{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1}), AssumeAnyway: true},
		Edit: variant.All(detect(model.Perfect), variant.MayCrash(0), variant.Nodes(func(p DetectingProcess) model.Node { return &deafProcess{p} })),
	},
	{
		// The polled process has to crash between its response and the message.
		Name: "polls-first", Title: "reading: successors are polled by separate messages, and the Election goes to the first that responds",
		Breaks: "failures supported", Show: timedFor(variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1})),
		Edit: variant.All(variant.Types(Poll{}), variant.Nodes(func(p Process) model.Node { return &pollingProcess{p} })),
	},
	{
		Name: "polls-once", Title: "a process polls only its successor",
		Breaks: "failures supported", Show: timedFor(variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1})),
		Edit: page.Edit(`p.poll(env, p.successor(h.To), h.Message.Body)`, ``),
	},
	{
		// The response and the message have to take the maximum delay, and the alarm has to fire first at
		// this instant.
		Name: "impatient", Title: "a process waits 2δ for a response, which may come at that very instant",
		Breaks: "safety", Show: timedFor(election.Of(2, 1, 1)),
		Edit: variant.Setup(func(c *Config) { c.Patience-- }),
	},
	{
		// The crash has to come after the elected process has added its ID to the Coordinator message, and
		// the report while that is on its way.
		Name: "unheeded", Title: "a report that comes during an election is forgotten",
		Breaks: "failures supported", Show: timedFor(variant.Faulty(election.Of(2, 1, 1), model.Faults{Crashes: 1})),
		Edit: page.Edit(`p.Silent[node] = true; p.heed(env)`, `p.Silent[node] = true; p.heed(env); if p.Initiated { delete(p.Silent, node) }`),
	},
	{
		Name: "lowest", Title: "the lowest ID is elected",
		Breaks: "safety", Show: timedFor(election.Of(2, 1, 1)),
		Edit: page.Edit(`slices.Max(list)`, `slices.Min(list)`),
	},
	{
		Name: "adds-no-id", Title: "a process that forwards an Election message does not add its ID",
		Breaks: "safety", Show: timedFor(election.Of(2, 1, 1)),
		Edit: page.Edit(`p.elect(env, list); return`, `env.Note(election.Undecided{}); p.send(env, Election{list}); return`),
	},
	{
		Name: "stays-initiated", Title: "the initiator does not record that its election is over",
		Breaks: "elections conclude", Show: timedFor(election.Of(2, 1, 2)),
		Edit: page.Edit(`p.Initiated = false; if`, `if`),
	},
	{
		Name: "decides-early", Title: "a process decides on the highest ID in an Election message that it forwards",
		Breaks: "safety", Show: timedFor(election.Of(3, 1, 1)),
		Edit: page.Edit(`p.elect(env, list); return`, `p.elect(env, list); p.decide(env, max(slices.Max(list), env.Self())); return`),
	},
	{
		Name: "misleads", Title: "an application is told that its own process has won, whoever won",
		Breaks: "the answer", Show: timedFor(election.Of(2, 1, 1)),
		Edit: page.Edit(`env.Return(p.Leader)`, `env.Return(env.Self())`),
	},
}

func timedFor(c model.Config) model.Check { return model.Check{Config: c, Reading: model.Grid} }

type deafProcess struct{ DetectingProcess }

// Receive handles a message. It forwards a message of another initiator unchanged, and sends no responses.
func (p *deafProcess) Receive(env model.Env, from model.NodeID, m any) {
	if e, elects := body(m).(Election); elects && slices.Contains(e.List, env.Self()) && e.List[0] != env.Self() {
		to := p.successor(env.Self())
		for p.Silent[to] {
			to = p.successor(to)
		}
		env.Send(to, m)
		return
	}
	p.DetectingProcess.Receive(env, from, m)
}

// Poll asks for a response, and carries what will be sent then.
type Poll struct{ Message Message }

type pollingProcess struct{ Process }

// Start initiates an election after a recovery.
func (p *pollingProcess) Start(env model.Env) { p.Process.Start(polling{env}) }

// Invoke initiates an election.
func (p *pollingProcess) Invoke(env model.Env, op any) { p.Process.Invoke(polling{env}, op) }

// Suspect handles a report that a process does not respond.
func (p *pollingProcess) Suspect(env model.Env, node model.NodeID) {
	p.Process.Suspect(polling{env}, node)
}

// Timeout polls the next successor.
func (p *pollingProcess) Timeout(env model.Env, key any) { p.Process.Timeout(polling{env}, key) }

// Receive responds to a poll, sends a message to the process that has responded, and takes messages.
func (p *pollingProcess) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Poll:
		env.Send(from, Response{m.Message.Number})
	case Response:
		if h, waits := p.drop(env, from, m.Number); waits {
			env.Send(from, h.Message)
		}
	default:
		p.Process.Receive(mute{polling{env}}, from, m)
	}
}

// polling is the environment of a process that polls before it sends.
type polling struct{ model.Env }

// Send sends a poll.
func (e polling) Send(to model.NodeID, m any) { e.Env.Send(to, Poll{m.(Message)}) }

// mute is the environment of a process that does not respond.
type mute struct{ model.Env }

// Send sends a message unless it is a response.
func (e mute) Send(to model.NodeID, m any) {
	if _, responds := m.(Response); !responds {
		e.Env.Send(to, m)
	}
}
