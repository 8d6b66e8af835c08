package causal

import (
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// As printed, a message precedes another causally if the other's sender had delivered it. By happened-before, a receipt
// is enough. So a ReceivingProcess counts its receipts, and sends the counts in its timestamps. Then its own messages
// may have to wait for postponed messages. So its own messages go through the hold-back queue, too.

// A ReceivingProcess has timestamps of all messages that it has received.
type ReceivingProcess struct {
	Process
	Known clocks.Vector // by process: the number of its messages that are known
}

// Invoke multicasts a message that follows all known messages.
func (p *ReceivingProcess) Invoke(env model.Env, op any) {
	i := env.Self()
	p.Known = p.Known.Tick(i)
	m := Data{p.Known, multicast.Message{Sender: i, Number: op.(multicast.Numbered).Number}}
	p.sending(env).Broadcast(p.cfg.Group.Others(i), m)
	p.receive(env, Postponed{i, m})
	env.Return(nil)
}

// Receive merges the timestamp, and postpones the message as printed.
func (p *ReceivingProcess) Receive(env model.Env, i model.NodeID, m any) {
	p.Known = p.Known.Merge(m.(Data).TS)
	p.Process.Receive(env, i, m)
}
