package tokenring

import (
	"contend/model"
	"contend/model/variant"
)

// When a process crashes: "Send the token to the next member down the line"; "Each process must know all
// nodes in the ring". A failure detector tells who is down.

// A SkippingProcess passes the token over the heads of those that are down.
type SkippingProcess struct {
	Process
	Down map[model.NodeID]bool
	// Passed is the process that it forwarded the token to, until it gets the token again.
	Passed  model.Optional[model.NodeID]
	resends bool // the token, when who got it is down
}

// Start sends the token on its first round.
func (p *SkippingProcess) Start(env model.Env) { p.Process.Start(skipping{env, p}) }

// Invoke asks for the section, or leaves it.
func (p *SkippingProcess) Invoke(env model.Env, op any) { p.Process.Invoke(skipping{env, p}, op) }

// Receive takes the token.
func (p *SkippingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Passed = model.Optional[model.NodeID]{}
	p.Process.Receive(skipping{env, p}, from, m)
}

// Suspect is told that a process is down.
func (p *SkippingProcess) Suspect(env model.Env, node model.NodeID) {
	p.Down[node] = true
	if p.resends && p.Passed == model.Some(node) {
		p.pass(skipping{env, p})
	}
}

// Trust is told that a process is up after all.
func (p *SkippingProcess) Trust(_ model.Env, node model.NodeID) { delete(p.Down, node) }

// next is "the next member down the line".
func (p *SkippingProcess) next(to model.NodeID) model.NodeID {
	for p.Down[to] {
		to = p.successor(to)
	}
	return to
}

// skipping is the environment of a process that sends to the next member.
type skipping struct {
	model.Env
	p *SkippingProcess
}

// Send sends to the next member.
func (e skipping) Send(to model.NodeID, m any) {
	to = e.p.next(to)
	if e.p.resends {
		e.p.Passed = model.Some(to)
	}
	e.Env.Send(to, m)
}

// skip lets the processes know all nodes and which of them are down.
func skip(kind model.DetectorKind, resends bool) func(*model.System) {
	return func(s *model.System) {
		s.Detector = model.Detector{Kind: kind, Report: model.Anytime(), Mistake: model.Anytime()}
		variant.Nodes(func(p Process) model.Node { return &SkippingProcess{Process: p, resends: resends} })(s)
	}
}

// A resent token may be a second one, if the crashed process had forwarded the first. So in the option
// crash-tolerant the token carries the number of its hop: hop k goes to the process with index k
// modulo N, no matter who sends it, and a process takes each hop once.

// Hop is a token with the number of its hop from the first process.
type Hop struct{ Number int }

// A CountingProcess ignores a token of a hop that it has taken.
type CountingProcess struct {
	SkippingProcess
	Seen int // the last hop that it took
}

// Start sends the token on its first round.
func (p *CountingProcess) Start(env model.Env) { p.SkippingProcess.Start(counting{env, p}) }

// Invoke asks for the section, or leaves it.
func (p *CountingProcess) Invoke(env model.Env, op any) {
	p.SkippingProcess.Invoke(counting{env, p}, op)
}

// Receive takes the token of a new hop.
func (p *CountingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if hop := m.(Hop); hop.Number > p.Seen {
		p.Seen = hop.Number
		p.SkippingProcess.Receive(counting{env, p}, from, Token{})
	}
}

// Suspect is told that a process is down.
func (p *CountingProcess) Suspect(env model.Env, node model.NodeID) {
	p.SkippingProcess.Suspect(counting{env, p}, node)
}

// counting is the environment of a process that numbers the hops of the token.
type counting struct {
	model.Env
	p *CountingProcess
}

// Send sends a token of the hop that leads to a process.
func (e counting) Send(to model.NodeID, _ any) {
	number := e.p.Seen + 1
	for at := e.p.successor(e.Self()); at != to; at = e.p.successor(at) {
		number++
	}
	e.Env.Send(to, Hop{number})
}

// rounds is how many rounds the token makes before the search of the option crash-tolerant is cut.
const rounds = 4

// counted puts numbers on the token. They have no bound, so the search has one. It says whether a
// token that was lost with a process is sent again.
func counted(resends bool) func(*model.System) {
	return func(s *model.System) {
		skip(model.Perfect, resends)(s)
		s.Types = append(s.Types, Hop{})
		variant.Nodes(func(p SkippingProcess) model.Node { return &CountingProcess{SkippingProcess: p} })(s)
		s.Cuts = append(s.Cuts, model.Cut{Name: "hops", Beyond: func(n model.Node) bool {
			return n.(*CountingProcess).Seen > rounds*s.Config.N
		}})
	}
}
