package unordered

import (
	"contend/impl/multicast"
	"contend/model"
)

// Config is what the processes of a group share.
type Config struct {
	Group []model.NodeID
	// Send hands a message to the channels: to all of the group, the sender too, as printed here.
	Send func(env model.Env, group []model.NodeID, m multicast.Message)
}

// A Process multicasts, and delivers what arrives.
type Process struct {
	cfg  *Config
	Sent int // messages that it has multicast
}

// Invoke multicasts: "send a message to a process group".
func (p *Process) Invoke(env model.Env, _ any) {
	p.Sent++
	p.cfg.Send(env, p.cfg.Group, multicast.Message{Sender: env.Self(), Number: p.Sent})
	env.Return(nil)
}

// Receive delivers: what "the operating system receives" is "delivered to the application" at
// once.
func (p *Process) Receive(env model.Env, _ model.NodeID, m any) { env.Deliver(m) }
