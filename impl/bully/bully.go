package bully

import (
	"contend/impl/election"
	"contend/model"
)

// Config is the configuration that the processes of a system share.
type Config struct {
	// All is the number of processes, whether up or not.
	All model.NodeID
	// Answer is the time in ticks that a process waits for OK messages after it has sent its Election
	// messages.
	Answer model.Ticks
	// Announcement is the time in ticks that a process waits for a Coordinator message after the first OK.
	Announcement model.Ticks
}

// The messages. A receiver knows the sender.
type (
	Election    struct{}
	OK          struct{}
	Coordinator struct{}
)

// Reinitiates is noted for monitors when a process restarts its election.
type Reinitiates struct{}

// waiting is the alarm of the time-outs; at most one is set.
type waiting struct{}

// A Stage is the progress of a process in its election.
type Stage int

// The stages: the process has no running election; it awaits OK messages; it has received an OK message.
const (
	Idle Stage = iota
	AwaitsOK
	AwaitsCoordinator
)

// A Process takes part in elections.
type Process struct {
	cfg    *Config
	Stage  Stage
	Leader model.Optional[model.NodeID] // the process that it considers the coordinator
	Asked  bool                         // its application waits for a coordinator
	Booted bool                         `contend:"stable"` // it has run before
}

// Start distinguishes a recovery from the first boot.
func (p *Process) Start(env model.Env) {
	if p.Booted {
		p.elect(env) // "P has just recovered from failure"
	}
	p.Booted = true
}

// Invoke handles the application's report "that coordinator is not responding".
func (p *Process) Invoke(env model.Env, _ any) {
	p.Asked = true
	p.elect(env)
}

// Suspect handles a failure detector's report "that coordinator is not responding".
func (p *Process) Suspect(env model.Env, node model.NodeID) {
	if p.Leader == model.Some(node) {
		p.elect(env)
	}
}

// Trust handles a report that a process is up after all. It changes nothing.
func (p *Process) Trust(model.Env, model.NodeID) {}

// elect initiates an election, "but it can only initiate one at a time".
func (p *Process) elect(env model.Env) {
	if p.Stage == Idle {
		p.begin(env)
	}
}

// begin implements step a).
func (p *Process) begin(env model.Env) {
	p.Stage, p.Leader = AwaitsOK, model.Optional[model.NodeID]{}
	env.Note(election.Begun{})
	env.Note(election.Undecided{})
	env.Broadcast(p.higher(env.Self()), Election{})   // "a) P sends an Election message to all the processes with higher IDs
	env.After(waiting{}, model.Exactly(p.cfg.Answer)) // and awaits OK messages"
}

// Receive handles a message.
func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	switch m.(type) {
	case Election: // "b) If a process receives an Election message,
		env.Send(from, OK{}) // it returns an OK
		p.elect(env)         // and starts another election, unless it has begun one already (c)"
	case OK:
		if p.Stage == AwaitsOK { // "d) If P receives an OK,
			p.Stage = AwaitsCoordinator                             // it drops out the election
			env.After(waiting{}, model.Exactly(p.cfg.Announcement)) // and awaits a Coordinator message"
		}
	case Coordinator:
		p.decide(env, from)
	}
}

// Timeout ends a wait.
func (p *Process) Timeout(env model.Env, _ any) {
	switch p.Stage {
	case AwaitsOK: // "e) If P does not receive any OK before the timeout,
		env.Broadcast(p.rest(env.Self()), Coordinator{}) // it wins and sends a Coordinator message to the rest"
		p.decide(env, env.Self())
	case AwaitsCoordinator: // "P reinitiates the election if this message is not received"
		env.Note(Reinitiates{})
		p.begin(env)
	}
}

// decide ends the election.
func (p *Process) decide(env model.Env, on model.NodeID) {
	env.Cancel(waiting{})
	p.Stage, p.Leader = Idle, model.Some(on)
	env.Note(election.Decided{Coordinator: on})
	if p.Asked {
		p.Asked = false
		env.Return(on)
	}
}

// higher returns "all the processes with higher IDs".
func (p *Process) higher(self model.NodeID) []model.NodeID { return between(self+1, p.cfg.All) }

// rest returns the processes that a winner notifies.
func (p *Process) rest(self model.NodeID) []model.NodeID {
	return append(between(0, self), p.higher(self)...)
}

// between returns the processes from one to before another.
func between(from, to model.NodeID) []model.NodeID {
	var all []model.NodeID
	for id := from; id < to; id++ {
		all = append(all, id)
	}
	return all
}
