package bully

import (
	"contend/impl/election"
	"contend/model"
)

// With a failure detector that is perfect no time-outs are needed, nor any bound on delays. A process
// awaits an OK until all that are higher are reported to be down; and "the election is reinitiated" when,
// while it awaits a Coordinator message, one that is higher is reported to be down.

// A ReportedProcess hears of crashes in place of time-outs.
type ReportedProcess struct {
	Process
	Down map[model.NodeID]bool
	// wins says whether a process that awaits an OK has waited for all, of which so many are down.
	wins func(higher, down int) bool
}

// detect has the processes hear of crashes. The detector may be wrong if its kind says so.
func detect(kind model.DetectorKind) func(*model.System) {
	return reporting(kind, func(p *ReportedProcess) model.Node { return p })
}

// reporting has the processes be what f makes of one that hears of crashes.
func reporting(kind model.DetectorKind, f func(*ReportedProcess) model.Node) func(*model.System) {
	return func(s *model.System) {
		s.Detector = model.Detector{Kind: kind, Report: model.Anytime(), Mistake: model.Anytime()}
		processes(s, func(p Process) model.Node {
			r := &ReportedProcess{Process: p, Down: map[model.NodeID]bool{}, wins: func(higher, down int) bool { return down == higher }}
			for _, id := range between(model.NodeID(election.Up(s.Config)), s.Config.N) {
				r.Down[id] = true
			}
			return f(r)
		})
	}
}

// Start tells recovery from the first boot.
func (p *ReportedProcess) Start(env model.Env) {
	p.Process.Start(untimed{env})
	p.conclude(env)
}

// Invoke is told by its application that the coordinator does not respond.
func (p *ReportedProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(untimed{env}, op)
	p.conclude(env)
}

// Receive takes a message. A Coordinator message of one that is down says that one was elected that
// does not respond.
func (p *ReportedProcess) Receive(env model.Env, from model.NodeID, m any) {
	if _, late := m.(Coordinator); late && p.Down[from] {
		p.elect(untimed{env})
	} else {
		p.Process.Receive(untimed{env}, from, m)
	}
	p.conclude(env)
}

// Suspect is told that a process is down.
func (p *ReportedProcess) Suspect(env model.Env, node model.NodeID) {
	p.Down[node] = true
	p.Process.Suspect(untimed{env}, node)
	if p.Stage == AwaitsCoordinator && node > env.Self() {
		p.Timeout(untimed{env}, waiting{})
	}
	p.conclude(env)
}

// Trust is told that a process is up after all.
func (p *ReportedProcess) Trust(_ model.Env, node model.NodeID) { delete(p.Down, node) }

// conclude ends the wait for an OK that cannot come.
func (p *ReportedProcess) conclude(env model.Env) {
	higher, down := p.cfg.Higher(env.Self()), 0
	for _, id := range higher {
		if p.Down[id] {
			down++
		}
	}
	if p.Stage == AwaitsOK && p.wins(len(higher), down) {
		p.Timeout(untimed{env}, waiting{})
	}
}

// untimed is the environment of a process that sets no alarms.
type untimed struct{ model.Env }

// After sets none.
func (untimed) After(any, model.Window) {}

// Cancel has none to cancel.
func (untimed) Cancel(any) {}
