package causal

import (
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// Config is shared by the processes of one system.
type Config struct {
	Group multicast.Nodes
	// OneByOne is true if each copy of a message is sent in a separate step: see sending.go.
	OneByOne bool
}

// Data is a message m in flight, with its timestamp ts(m).
type Data struct {
	TS      clocks.Vector
	Message multicast.Message
}

// A Postponed message waits for its delivery.
type Postponed struct {
	From model.NodeID
	Data Data
}

// A Process multicasts, and delivers the multicasts of the group.
type Process struct {
	cfg      *Config
	VC       clocks.Vector
	HoldBack []Postponed      // in the order of arrival
	Outbox   multicast.Outbox // copies that are not sent yet
}

// Invoke multicasts a message.
func (p *Process) Invoke(env model.Env, op any) {
	i := env.Self()
	p.VC = p.VC.Tick(i) // "1. P_i increases VC_i[i] only when sending a message"
	m := Data{p.VC, multicast.Message{Sender: i, Number: op.(multicast.Numbered).Number}}
	p.sending(env).Broadcast(p.cfg.Group.Others(i), m)
	env.Deliver(m.Message) // its own, at once
	env.Return(nil)
}

// Receive implements "2. If P_j receives message m from P_i, it postpones its delivery until the following conditions
// are met".
func (p *Process) Receive(env model.Env, i model.NodeID, m any) {
	p.receive(env, Postponed{i, m.(Data)})
}

func (p *Process) receive(env model.Env, m Postponed) {
	if !p.ready(m, env.Self()) {
		p.HoldBack = append(p.HoldBack, m)
		env.Note(multicast.Held{Message: m.Data.Message})
		return
	}
	p.deliver(env, m)
	p.drain(env)
}

// ready reports the conditions at P_j for a message from P_i.
func (p *Process) ready(m Postponed, j model.NodeID) bool {
	ts, i := m.Data.TS, m.From
	if ts[i] != p.VC[i]+1 { // "a. ts(m)[i] = VC_j[i] + 1"
		return false
	}
	for _, k := range p.cfg.Group { // "b. ts(m)[k] ≤ VC_j[k] ∀k ≠ i"
		if k != i && ts[k] > p.VC[k] {
			return false
		}
	}
	return true
}

// deliver implements "3. P_j increases VC_j[i] after delivering m".
func (p *Process) deliver(env model.Env, m Postponed) {
	env.Deliver(m.Data.Message)
	p.VC = p.VC.Tick(m.From)
}

// drain delivers postponed messages whose conditions are met.
func (p *Process) drain(env model.Env) {
	for p.drainOne(env) {
	}
}

// drainOne delivers the first message whose conditions are met. It reports whether there is one.
func (p *Process) drainOne(env model.Env) bool {
	for at, m := range p.HoldBack {
		if p.ready(m, env.Self()) {
			p.HoldBack = append(append([]Postponed(nil), p.HoldBack[:at]...), p.HoldBack[at+1:]...)
			p.deliver(env, m)
			return true
		}
	}
	return false
}
