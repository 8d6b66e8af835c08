package enhancedring

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// Who does not respond may be told by a failure detector in place of a time-out. Then no bound on
// delays is needed: that is in the detector. A process does not poll those that it has been told of.

// A DetectingProcess goes on to the next successor when the one that has its message is reported.
type DetectingProcess struct{ Process }

// Start may initiate an election.
func (p *DetectingProcess) Start(env model.Env) {
	p.Process.Start(detecting{env, p})
	p.pass(env)
}

// Invoke initiates an election.
func (p *DetectingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(detecting{env, p}, op)
	p.pass(env)
}

// Receive takes a message.
func (p *DetectingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(detecting{env, p}, from, m)
	p.pass(env)
}

// Suspect is told that a process does not respond.
func (p *DetectingProcess) Suspect(env model.Env, node model.NodeID) {
	p.Process.Suspect(detecting{env, p}, node)
	p.pass(env)
}

// pass hands on what was handed to those that do not respond.
func (p *DetectingProcess) pass(env model.Env) {
	for {
		i := 0
		for i < len(p.Handed) && !p.Silent[p.Handed[i].To] {
			i++
		}
		if i == len(p.Handed) {
			return
		}
		p.silent(detecting{env, p}, p.Handed[i])
	}
}

// detecting is the environment of a process that has no time-outs and polls no process that is down.
type detecting struct {
	model.Env
	p *DetectingProcess
}

// Send sends a message, if its receiver responds as far as the process knows.
func (e detecting) Send(to model.NodeID, m any) {
	if _, responds := m.(Response); responds || !e.p.Silent[to] {
		e.Env.Send(to, m)
	}
}

// After sets no alarm.
func (e detecting) After(any, model.Window) {}

// Cancel cancels none.
func (e detecting) Cancel(any) {}

// informed is a process that knows which processes are down from the beginning: nothing reports these.
func informed(c model.Config, p Process) Process {
	p.Silent = map[model.NodeID]bool{}
	for id := election.Up(c); id < c.N; id++ {
		p.Silent[model.NodeID(id)] = true
	}
	return p
}

// detect gives the processes a failure detector that says who does not respond; those that are
// down from the beginning they know.
func detect(kind model.DetectorKind) func(*model.System) {
	return func(s *model.System) {
		s.Detector = model.Detector{Kind: kind, Report: model.Anytime(), Mistake: model.Anytime()}
		variant.Nodes(func(p Process) model.Node { return &DetectingProcess{informed(s.Config, p)} })(s)
	}
}
