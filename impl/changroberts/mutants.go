package changroberts

import (
	"contend/impl/election"
	"contend/model"
)

// one and two are two processes that elect once and twice.
var (
	one = model.Check{Config: sized(2, 2, 1)}
	two = model.Check{Config: sized(2, 2, 2)}
)

var mutants = []model.Variant{
	{
		Name: "process-fails", Title: "\"liveness violated when process failure occurs during the election\": a message to a crashed process is lost",
		Breaks: "liveness", Show: beyond(sized(2, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		// The message is not lost: the ring closes around the crashed process, and the ID of that process
		// circulates for ever. No finite run shows that, so sampling cannot.
		Name: "nobody-recognises", Title: "\"Which node will recognize 'Election: 4'?\": a crashed process is skipped, and its ID goes round for ever",
		Breaks: "liveness", Show: beyond(sized(3, 1, 1), model.Faults{Crashes: 1}),
		Edit: replace(func(p Process) model.Node { return &skippingProcess{Process: p} }),
	},
	{
		Name: "winner-crashes", Title: "the winner crashes before all have its Coordinator message",
		Breaks: "safety", Show: beyond(sized(2, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		Name: "recovers", Title: "a process crashes and restarts: messages sent to it meanwhile are lost",
		Breaks: "liveness", Show: beyond(sized(2, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "coordinator-in-ring", Title: "the coordinator that does not respond is still in the ring",
		Breaks: "liveness", Show: outside(sized(3, 1, 1).With(election.Down.Is(1))),
	},
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: "liveness", Show: beyond(sized(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "network-cut", Title: "the network is partitioned for a while",
		Breaks: "agreement", Show: beyond(sized(2, 1, 1), model.Faults{Partitions: 1}),
	},
	{
		Name: "message-duplicated", Title: "a message is delivered twice",
		Breaks: "killed off", Show: beyond(sized(3, 1, 1), model.Faults{Duplication: 1}),
	},
	{
		// Another election has to begin after the Coordinator message of one has passed its initiator, and
		// before it is back at the winner.
		Name: "winner-for-good", Title: "the winner does not become a non-participant: \"(unless Q is the new coordinator)\" applies to both parts of rule 3",
		Breaks: "liveness", Show: two,
		Edit: replace(func(p Process) model.Node { return &stuckWinner{p} }),
	},
	{
		Name: "participant-for-good", Title: "only the winner becomes a non-participant",
		Breaks: "elections conclude", Show: two,
		Edit: replace(func(p Process) model.Node { return &stuckProcess{p} }),
	},
	{
		Name: "forwards-smaller", Title: "a participant forwards a smaller ID",
		Breaks: "safety", Show: one,
		Edit: replace(func(p Process) model.Node { return &generousProcess{p} }),
	},
	{
		Name: "does-not-replace", Title: "a process that is not yet a participant forwards a smaller ID unchanged",
		Breaks: "safety", Show: model.Check{Config: sized(2, 1, 1)},
		Edit: replace(func(p Process) model.Node { return &modestProcess{p} }),
	},
	{
		Name: "participates-on-initiating", Title: "a process does not become a participant on forwarding an Election",
		Breaks: "killed off", Show: one,
		Edit: replace(func(p Process) model.Node { return &aloofProcess{p} }),
	},
	{
		Name: "kills-own", Title: "a participant kills off its own ID too",
		Breaks: "liveness", Show: model.Check{Config: sized(2, 1, 1)},
		Edit: replace(func(p Process) model.Node { return &harshProcess{p} }),
	},
	{
		// Every process decides, and in time: only that the winner is passed again shows it.
		Name: "coordinator-goes-on", Title: "the winner forwards its own Coordinator message",
		Breaks: "all participate", Show: model.Check{Config: sized(2, 1, 1)},
		Edit: replace(func(p Process) model.Node { return &proudWinner{p} }),
	},
	{
		// In a ring by ID nothing is amiss: each successor replaces what it gets, or kills it, so that only
		// the largest ID comes to a participant that has a smaller one.
		Name: "decides-early", Title: "a participant treats an ID that is greater than its own as the winner's",
		Breaks: "safety", Show: model.Check{Config: sized(3, 2, 1).With(Ring.Is(1))},
		Edit: replace(func(p Process) model.Node { return &rashProcess{p} }),
	},
	{
		// The first election goes well.
		Name: "kills-for-good", Title: "a participant kills off IDs smaller than the largest that it has sent, and never forgets that ID",
		Breaks: "liveness", Show: two,
		Edit: replace(func(p Process) model.Node { return &bitterProcess{Process: p} }),
	},
	{
		Name: "misleads", Title: "an application is told that its own process has won, whoever won",
		Breaks: "the answer", Show: two,
		Edit: replace(func(p Process) model.Node { return &misleadingProcess{p} }),
	},
}

func beyond(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: failing(c, f), AssumeAnyway: true}
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
		to = e.p.cfg.Successor(to)
	}
	e.Env.Send(to, m)
}

type stuckWinner struct{ Process }

// Receive leaves its own Coordinator message alone.
func (p *stuckWinner) Receive(env model.Env, from model.NodeID, m any) {
	if m != any(Coordinator{env.Self()}) {
		p.Process.Receive(env, from, m)
	}
}

type stuckProcess struct{ Process }

// Receive stays a participant.
func (p *stuckProcess) Receive(env model.Env, from model.NodeID, m any) {
	was := p.Participant
	p.Process.Receive(env, from, m)
	if c, over := m.(Coordinator); over && c.ID != env.Self() {
		p.Participant = was
	}
}

type generousProcess struct{ Process }

// Receive forwards what is smaller.
func (p *generousProcess) Receive(env model.Env, from model.NodeID, m any) {
	if e, elects := m.(Election); elects && p.Participant && e.ID < env.Self() {
		p.forward(env, e.ID)
		return
	}
	p.Process.Receive(env, from, m)
}

type modestProcess struct{ Process }

// Receive forwards what is smaller, unless it participates.
func (p *modestProcess) Receive(env model.Env, from model.NodeID, m any) {
	if e, elects := m.(Election); elects && !p.Participant && e.ID < env.Self() {
		p.forward(env, e.ID)
		return
	}
	p.Process.Receive(env, from, m)
}

type aloofProcess struct{ Process }

// Receive forwards without becoming a participant.
func (p *aloofProcess) Receive(env model.Env, from model.NodeID, m any) {
	was := p.Participant
	p.Process.Receive(env, from, m)
	p.Participant = p.Participant && was
}

type harshProcess struct{ Process }

// Receive kills off what is not greater.
func (p *harshProcess) Receive(env model.Env, from model.NodeID, m any) {
	if !p.Participant || m != any(Election{env.Self()}) {
		p.Process.Receive(env, from, m)
	}
}

type proudWinner struct{ Process }

// Receive forwards every Coordinator message.
func (p *proudWinner) Receive(env model.Env, from model.NodeID, m any) {
	if m == any(Coordinator{env.Self()}) {
		p.decide(env, env.Self())
		env.Send(p.cfg.Successor(env.Self()), m)
	}
	p.Process.Receive(env, from, m)
}

type rashProcess struct{ Process }

// Receive decides on a greater ID that comes to a participant.
func (p *rashProcess) Receive(env model.Env, from model.NodeID, m any) {
	e, elects := m.(Election)
	decides := elects && p.Participant && e.ID > env.Self()
	p.Process.Receive(env, from, m)
	if decides {
		p.decide(env, e.ID)
	}
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

type misleadingProcess struct{ Process }

// Receive tells the application of its own process.
func (p *misleadingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(election.Misleading{Env: env}, from, m)
}
