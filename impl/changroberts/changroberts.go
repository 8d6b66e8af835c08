package changroberts

import (
	"slices"

	"contend/impl/election"
	"contend/model"
)

// The messages carry the ID of a process.
type (
	Election    struct{ ID model.NodeID }
	Coordinator struct{ ID model.NodeID }
)

// Sent is what a process notes when it sends an Election message, for monitors.
type Sent struct{ ID model.NodeID }

// A Process is one of those that "are organized by ID in a logical unidirectional ring".
type Process struct {
	ring        []model.NodeID // the processes in the order of the ring
	Participant bool
	Asked       bool         // its application waits for the coordinator
	Leader      model.NodeID // whom it takes for the coordinator, whether that is up or not
	Booted      bool         `contend:"stable"`
}

// Start of a process that "has just recovered from failure" has it "initiate an election".
func (p *Process) Start(env model.Env) {
	if p.Booted {
		p.initiate(env)
	}
	p.Booted = true
}

// Invoke is the application, which "notes that coordinator is not responding".
func (p *Process) Invoke(env model.Env, _ any) {
	p.Asked = true
	p.initiate(env)
}

// Suspect has P note "that coordinator is not responding" from a failure detector.
func (p *Process) Suspect(env model.Env, node model.NodeID) {
	if node == p.Leader {
		p.initiate(env)
	}
}

// Trust is told that a process is up after all.
func (p *Process) Trust(model.Env, model.NodeID) {}

func (p *Process) initiate(env model.Env) {
	if p.Participant {
		return // "it can only initiate one at a time": this one is in progress
	}
	env.Note(election.Begun{})
	p.forward(env, env.Self()) // "1. P sends an Election message (with its ID) to its successor"
}

// forward sends an Election message, "and becomes a participant".
func (p *Process) forward(env model.Env, id model.NodeID) {
	if !p.Participant {
		p.Participant = true // "Q becomes a participant on forwarding an Election"
		env.Note(election.Undecided{})
	}
	env.Note(Sent{id})
	env.Send(p.successor(env.Self()), Election{id})
}

// Receive takes a message.
func (p *Process) Receive(env model.Env, _ model.NodeID, m any) {
	switch m := m.(type) {
	case Election:
		p.compare(env, m.ID) // "2. … Q compares the ID in the message with its own ID"
	case Coordinator:
		p.elected(env, m.ID)
	}
}

func (p *Process) compare(env model.Env, id model.NodeID) {
	switch {
	case id > env.Self(): // "a) If the arrived ID is greater, Q forwards the message to its successor"
		p.forward(env, id)
	case id < env.Self() && !p.Participant: // "b) If the arrived ID is smaller … If Q is not a participant yet,
		p.forward(env, env.Self()) // Q replaces the ID in the message with its own ID and forwards it"
	case id < env.Self():
		// "If Q is already a participant, message is not forwarded"
	default: // "c) If the arrived ID is Q's ID, Q wins and sends a Coordinator message to its successor"
		p.decide(env, id)
		env.Send(p.successor(env.Self()), Coordinator{id})
	}
}

// elected is "3. When Q gets a Coordinator message".
func (p *Process) elected(env model.Env, id model.NodeID) {
	p.Participant = false // "and becomes a non-participant"
	if id == env.Self() {
		env.Note(election.Over{})
		p.answer(env) // an application that has asked in the meantime
		return        // "(unless Q is the new coordinator)"
	}
	p.decide(env, id)
	env.Send(p.successor(env.Self()), Coordinator{id}) // "it forwards it to successor"
}

// decide decides on a process as the coordinator.
func (p *Process) decide(env model.Env, id model.NodeID) {
	p.Leader = id
	env.Note(election.Decided{Coordinator: id})
	p.answer(env)
}

func (p *Process) answer(env model.Env) {
	if p.Asked {
		p.Asked = false
		env.Return(p.Leader)
	}
}

// successor returns the next process of the ring: "Each process only knows its successor".
func (p *Process) successor(id model.NodeID) model.NodeID {
	return p.ring[(slices.Index(p.ring, id)+1)%len(p.ring)]
}
