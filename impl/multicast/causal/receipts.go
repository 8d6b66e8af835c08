package causal

import (
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// As printed a message precedes another causally if the sender of the other had delivered it. By
// happened-before it is enough that it had received it. For that a process remembers what it has
// received, too, and says so in its timestamps. Then its own messages may have to wait for those that it
// has postponed, and go through its hold-back queue as well.

// A ReceivingProcess has timestamps that tell of all that it has received.
type ReceivingProcess struct {
	Process
	Known clocks.Vector // of each process, how many messages it knows to have been sent
}

// Invoke multicasts a message, after all that is known.
func (p *ReceivingProcess) Invoke(env model.Env, op any) {
	i := env.Self()
	p.Known = p.Known.Tick(i)
	m := Data{p.Known, multicast.Message{Sender: i, Number: op.(multicast.Numbered).Number}}
	p.sending(env).Broadcast(p.cfg.Group.Others(i), m)
	p.receive(env, Postponed{i, m})
	env.Return(nil)
}

// Receive learns of messages, and postpones this one as printed.
func (p *ReceivingProcess) Receive(env model.Env, i model.NodeID, m any) {
	p.Known = p.Known.Merge(m.(Data).TS)
	p.Process.Receive(env, i, m)
}
