package bully

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// With a perfect failure detector no time-outs are needed, nor any bound on delays. A process waits
// for an OK until all higher processes are reported to be down. "The election is reinitiated" when a
// higher process is reported to be down while it waits for a Coordinator message.

// A ReportedProcess uses reports of crashes instead of time-outs.
type ReportedProcess struct {
	Process
	Down map[model.NodeID]bool
}

// detect returns an edit that adds a failure detector. The detector may make mistakes, depending on its kind.
func detect(kind model.DetectorKind) func(*model.System) {
	return func(s *model.System) {
		s.Detector = model.Detector{Kind: kind, Report: model.Anytime(), Mistake: model.Anytime()}
		variant.Nodes(func(p Process) model.Node {
			r := &ReportedProcess{Process: p, Down: map[model.NodeID]bool{}}
			for _, id := range between(model.NodeID(election.Up(s.Config)), p.cfg.All) {
				r.Down[id] = true
			}
			return r
		})(s)
	}
}

// Start distinguishes a recovery from the first boot.
func (p *ReportedProcess) Start(env model.Env) {
	p.Process.Start(untimed{env})
	p.conclude(env)
}

// Invoke handles the application's report that the coordinator does not respond.
func (p *ReportedProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(untimed{env}, op)
	p.conclude(env)
}

// Receive handles a message. A Coordinator message of a process that is down means that the elected process
// does not respond.
func (p *ReportedProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, late := m.(Coordinator); late && p.Down[from] {
		p.elect(untimed{env})
	} else {
		p.Process.Receive(untimed{env}, from, m)
	}
	p.conclude(env)
}

// Suspect handles a report that a process is down.
func (p *ReportedProcess) Suspect(env model.Env, node model.NodeID) {
	p.Down[node] = true
	p.Process.Suspect(untimed{env}, node)
	if p.Stage == AwaitsCoordinator && node > env.Self() {
		p.Timeout(untimed{env}, waiting{})
	}
	p.conclude(env)
}

// Trust handles a report that a process is up after all.
func (p *ReportedProcess) Trust(_ model.Env, node model.NodeID) { delete(p.Down, node) }

// conclude ends the wait for an OK that cannot come.
func (p *ReportedProcess) conclude(env model.Env) {
	higher, down := p.higher(env.Self()), 0
	for _, id := range higher {
		if p.Down[id] {
			down++
		}
	}
	if p.Stage == AwaitsOK && down == len(higher) {
		p.Timeout(untimed{env}, waiting{})
	}
}

// untimed is the environment of a process that sets no alarms.
type untimed struct{ model.Env }

// After sets none.
func (untimed) After(any, model.Window) {}

// Cancel does nothing: there are no time-outs.
func (untimed) Cancel(any) {}
