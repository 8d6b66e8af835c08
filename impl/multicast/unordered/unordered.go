package unordered

import (
	"contend/impl/multicast"
	"contend/model"
)

// Config is the configuration that the processes of a group share.
type Config struct{ Group multicast.Nodes }

// A Process multicasts, and delivers what arrives.
type Process struct {
	cfg  *Config
	Sent int // messages that it has multicast
}

// Invoke multicasts: "send a message to a process group". The sender is a member of the group.
func (p *Process) Invoke(env model.Env, _ any) {
	p.Sent++
	m := multicast.Message{Sender: env.Self(), Number: p.Sent}
	env.Broadcast(p.cfg.Group, m)
	env.Return(nil)
}

// Receive delivers: what "the operating system receives" is "delivered to the application" at
// once.
func (p *Process) Receive(env model.Env, _ model.NodeID, m any) { env.Deliver(m) }
