package changroberts

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// one and two are two processes that elect once and twice.
var (
	one = model.Check{Config: election.Of(2, 2, 1)}
	two = model.Check{Config: election.Of(2, 2, 2)}
)

var mutants = []model.Variant{
	{
		Name: "process-fails", Title: "\"liveness violated when process failure occurs during the election\": a message to a crashed process is lost",
		Breaks: "liveness", Show: variant.Beyond(election.Of(2, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		// The message is not lost: the ring closes around the crashed process, and the ID of that process
		// circulates for ever. No finite run shows that, so sampling cannot.
		Name: "nobody-recognises", Title: "\"Which node will recognize 'Election: 4'?\": a crashed process is skipped, and its ID goes round for ever",
		Breaks: "liveness", Show: variant.Beyond(election.Of(3, 1, 1), model.Faults{Crashes: 1}),
		Edit: variant.Nodes(func(p Process) model.Node { return &skippingProcess{Process: p} }),
	},
	{
		Name: "winner-crashes", Title: "the winner crashes before all have its Coordinator message",
		Breaks: "safety", Show: variant.Beyond(election.Of(2, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		Name: "recovers", Title: "a process crashes and restarts: messages sent to it meanwhile are lost",
		Breaks: "liveness", Show: variant.Beyond(election.Of(2, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "coordinator-in-ring", Title: "the coordinator that does not respond is still in the ring",
		Breaks: "liveness", Show: outside(election.Of(3, 1, 1).With(election.Down.Is(1))),
	},
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: "liveness", Show: variant.Beyond(election.Of(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "network-cut", Title: "the network is partitioned for a while",
		Breaks: "agreement", Show: variant.Beyond(election.Of(2, 1, 1), model.Faults{Partitions: 1}),
	},
	{
		Name: "message-duplicated", Title: "a message is delivered twice",
		Breaks: "killed off", Show: variant.Beyond(election.Of(3, 1, 1), model.Faults{Duplication: 1}),
	},
	{
		// Another election has to begin after the Coordinator message of one has passed its initiator, and
		// before it is back at the winner.
		Name: "winner-for-good", Title: "the winner does not become a non-participant: \"(unless Q is the new coordinator)\" applies to both parts of rule 3",
		Breaks: "liveness", Show: two,
		Edit: page.Edit(`p.Participant = false`, `if id == env.Self() { return }; p.Participant = false`),
	},
	{
		Name: "participant-for-good", Title: "only the winner becomes a non-participant",
		Breaks: "elections conclude", Show: two,
		Edit: page.Edit(`p.Participant = false`, `if id == env.Self() { p.Participant = false }`),
	},
	{
		Name: "forwards-smaller", Title: "a participant forwards a smaller ID",
		Breaks: "safety", Show: one,
		Edit: page.Edit(`case id < env.Self():`, `case id < env.Self(): p.forward(env, id)`),
	},
	{
		Name: "does-not-replace", Title: "a process that is not yet a participant forwards a smaller ID unchanged",
		Breaks: "safety", Show: model.Check{Config: election.Of(2, 1, 1)},
		Edit: page.Edit(`!p.Participant: p.forward(env, env.Self())`, `!p.Participant: p.forward(env, id)`),
	},
	{
		Name: "participates-on-initiating", Title: "a process does not become a participant on forwarding an Election",
		Breaks: "killed off", Show: one,
		Edit: page.Edit(`p.Participant = true`, ``, `env.Note(election.Begun{}); p.forward(env, env.Self())`,
			`env.Note(election.Begun{}); p.forward(env, env.Self()); p.Participant = true`),
	},
	{
		Name: "kills-own", Title: "a participant kills off its own ID too",
		Breaks: "liveness", Show: model.Check{Config: election.Of(2, 1, 1)},
		Edit: page.Edit(`default: p.decide(env, id)`, `default: if p.Participant { return }; p.decide(env, id)`),
	},
	{
		// Every process decides, and in time: only that the winner is passed again shows it.
		Name: "coordinator-goes-on", Title: "the winner forwards its own Coordinator message",
		Breaks: "all participate", Show: model.Check{Config: election.Of(2, 1, 1)},
		Edit: page.Edit(`env.Note(election.Over{})`, `p.decide(env, id); env.Send(p.successor(env.Self()), Coordinator{id}); env.Note(election.Over{})`),
	},
	{
		// In a ring by ID nothing is amiss: each successor replaces what it gets, or kills it, so that only
		// the largest ID comes to a participant that has a smaller one.
		Name: "decides-early", Title: "a participant treats an ID that is greater than its own as the winner's",
		Breaks: "safety", Show: model.Check{Config: election.Of(3, 2, 1).With(Ring.Is(1))},
		Edit: page.Edit(`case id > env.Self(): p.forward(env, id)`, `case id > env.Self(): was := p.Participant; p.forward(env, id); if was { p.decide(env, id) }`),
	},
	{
		// The first election goes well.
		Name: "kills-for-good", Title: "a participant kills off IDs smaller than the largest that it has sent, and never forgets that ID",
		Breaks: "liveness", Show: two,
		Edit: variant.Nodes(func(p Process) model.Node { return &bitterProcess{Process: p} }),
	},
	{
		Name: "misleads", Title: "an application is told that its own process has won, whoever won",
		Breaks: "the answer", Show: two,
		Edit: page.Edit(`env.Return(p.Leader)`, `env.Return(env.Self())`),
	},
}

func outside(c model.Config) model.Check {
	c.Beyond = true
	return model.Check{Config: c, AssumeAnyway: true}
}

// A skippingProcess sends to the next in the ring that is up.
type skippingProcess struct {
	Process
	Down map[model.NodeID]bool
}

// Invoke initiates an election.
func (p *skippingProcess) Invoke(env model.Env, op any) { p.Process.Invoke(skipping{env, p}, op) }

// Receive takes a message.
func (p *skippingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(skipping{env, p}, from, m)
}

// Suspect is told that a process is down.
func (p *skippingProcess) Suspect(_ model.Env, node model.NodeID) { p.Down[node] = true }

// skipping is the environment of a process that skips processes that are down.
type skipping struct {
	model.Env
	p *skippingProcess
}

// Send sends to the next that is up.
func (e skipping) Send(to model.NodeID, m any) {
	for e.p.Down[to] {
		to = e.p.successor(to)
	}
	e.Env.Send(to, m)
}

type bitterProcess struct {
	Process
	Largest model.NodeID // that it has sent
}

// Receive kills off what is not greater than all that it has sent.
func (p *bitterProcess) Receive(env model.Env, from model.NodeID, m any) {
	e, elects := m.(Election)
	if elects && e.ID < p.Largest {
		return
	}
	p.Process.Receive(env, from, m)
	p.Largest = max(p.Largest, e.ID)
}
