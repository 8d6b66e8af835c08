package enhancedring

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// A failure detector may report processes that do not respond, instead of a time-out. Then the algorithm
// needs no bound on delays: the detector has the bound. A process does not poll the reported processes.

// A DetectingProcess continues with the next successor when the receiver of its message is reported.
type DetectingProcess struct{ Process }

// Start initiates an election after a recovery.
func (p *DetectingProcess) Start(env model.Env) {
	p.Process.Start(detecting{env, p})
	p.pass(env)
}

// Invoke initiates an election.
func (p *DetectingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(detecting{env, p}, op)
	p.pass(env)
}

// Receive handles a message.
func (p *DetectingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(detecting{env, p}, from, m)
	p.pass(env)
}

// Suspect handles a report that a process does not respond.
func (p *DetectingProcess) Suspect(env model.Env, node model.NodeID) {
	p.Process.Suspect(detecting{env, p}, node)
	p.pass(env)
}

// pass forwards the messages that were sent to processes that do not respond.
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

// Send sends a message, unless the process knows that its receiver does not respond.
func (e detecting) Send(to model.NodeID, m any) {
	if _, responds := m.(Response); responds || !e.p.Silent[to] {
		e.Env.Send(to, m)
	}
}

// After sets no alarm.
func (e detecting) After(any, model.Window) {}

// Cancel cancels none.
func (e detecting) Cancel(any) {}

// informed returns a process that knows which processes are down initially: nothing reports these.
func informed(c model.Config, p Process) Process {
	p.Silent = map[model.NodeID]bool{}
	for id := election.Up(c); id < c.N; id++ {
		p.Silent[model.NodeID(id)] = true
	}
	return p
}

// detect returns an edit that adds a failure detector. Processes know which processes are down initially.
func detect(kind model.DetectorKind) func(*model.System) {
	return func(s *model.System) {
		s.Detector = model.Detector{Kind: kind, Report: model.Anytime(), Mistake: model.Anytime()}
		variant.Nodes(func(p Process) model.Node { return &DetectingProcess{informed(s.Config, p)} })(s)
	}
}
