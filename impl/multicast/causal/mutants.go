package causal

import (
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// The smallest checks: one message, two messages of one sender, and one message of each of two senders.
var (
	one  = model.Check{Config: multicast.Sized(2, 1, 1)}
	two  = model.Check{Config: multicast.Sized(2, 1, 2)}
	pair = model.Check{Config: multicast.Sized(3, 2, 1)}
)

var mutants = []model.Variant{
	{
		Name: "crashes-half-way", Title: "as printed, and the sender crashes half-way",
		Breaks: multicast.Agreement, Show: variant.Beyond(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		Name: "message-lost", Title: "as printed, and a message is lost",
		Breaks: multicast.Agreement, Show: variant.Beyond(one.Config, model.Faults{Loss: 1}),
	},
	{
		// Another sender's message is held back forever, although it has arrived everywhere.
		Name: "waits-for-the-lost", Title: "as printed, and a message is lost: a message of another sender that comes after it is postponed for ever",
		Breaks: "queued messages are delivered", Show: variant.Beyond(pair.Config, model.Faults{Loss: 1}),
	},
	{
		Name: "cut-off", Title: "as printed, and the network is partitioned for a while",
		Breaks: multicast.Agreement, Show: variant.Beyond(one.Config, model.Faults{Partitions: 1}),
	},
	{
		Name: "forgets", Title: "as printed, and a process restarts without its memory: messages that it delivered arrive again",
		Breaks: "in sequence", Show: variant.Beyond(one.Config, model.Faults{Restarts: 1}),
	},
	{
		Name: "stable-but-clock", Title: "a process keeps everything except VC through a crash",
		Breaks: "own entries lead", Show: variant.Beyond(one.Config, model.Faults{Restarts: 1}),
		Edit: variant.Nodes(func(p Process) model.Node { return &unawareProcess{p} }),
	},
	{
		Name: "stable-but-own-entry", Title: "a process keeps everything except its own entry of VC: its next message has an old timestamp and is never delivered",
		Breaks: multicast.Agreement, Show: variant.Beyond(two.Config, model.Faults{Restarts: 1}),
		Edit: variant.Nodes(func(p Process) model.Node { return &recountingProcess{p} }),
	},
	{
		Name: "at-least", Title: "condition a is ts(m)[i] ≥ VC_j[i] + 1",
		Breaks: multicast.FIFOOrder, Show: two,
		Edit: page.Edit(`ts[i] != p.VC[i]+1`, `ts[i] < p.VC[i]+1`),
	},
	{
		Name: "at-most", Title: "condition a is ts(m)[i] ≤ VC_j[i] + 1: a message that was delivered is delivered again",
		Breaks: multicast.Integrity, Show: variant.Beyond(one.Config, model.Faults{Duplication: 1}),
		Edit: page.Edit(`ts[i] != p.VC[i]+1`, `ts[i] > p.VC[i]+1`),
	},
	{
		Name: "a-alone", Title: "condition b is left out: the order is FIFO, not causal",
		Breaks: multicast.CausalOrder, Show: pair,
		Edit: page.Edit(`range p.cfg.Group {`, `range p.cfg.Group[:0] {`),
	},
	{
		Name: "one-entry", Title: "condition b checks only one process, the one after the sender",
		Breaks: multicast.CausalOrder, Show: pair,
		Edit: page.Edit(`k != i &&`, `k == (i+1)%model.NodeID(len(p.cfg.Group)) &&`),
	},
	{
		Name: "strictly-less", Title: "condition b is ts(m)[k] < VC_j[k]",
		Breaks: multicast.Agreement, Show: one,
		Edit: page.Edit(`ts[k] > p.VC[k]`, `ts[k] >= p.VC[k]`),
	},
	{
		Name: "for-all", Title: "condition b checks the sender's entry too, which contradicts a",
		Breaks: multicast.Agreement, Show: one,
		Edit: page.Edit(`k != i &&`, ``),
	},
	{
		Name: "stamps-first", Title: "the timestamp is taken before VC_i[i] is increased",
		Breaks: multicast.Agreement, Show: one,
		Edit: page.Edit(`p.VC = p.VC.Tick(i)`, `before := p.VC; p.VC = p.VC.Tick(i)`, `Data{p.VC,`, `Data{before,`),
	},
	{
		Name: "ticks-on-delivery", Title: "P_j increases VC_j[j] when it delivers, too, as if deliveries were events of a vector clock",
		Breaks: multicast.Agreement, Show: model.Check{Config: multicast.Sized(2, 2, 1)},
		Edit: page.Edit(`p.VC.Tick(m.From)`, `p.VC.Tick(m.From).Tick(env.Self())`),
	},
	{
		Name: "own-entry-alone", Title: "P_j increases VC_j[j] instead of VC_j[i] after delivering m",
		Breaks: multicast.Agreement, Show: two,
		Edit: page.Edit(`p.VC.Tick(m.From)`, `p.VC.Tick(env.Self())`),
	},
	{
		Name: "learns-on-receipt", Title: "P_j takes over the entries of ts(m), except the sender's, when it receives m",
		Breaks: multicast.CausalOrder, Show: pair,
		Edit: page.Edit(`if !p.ready(m, env.Self()) {`, `if p.VC = others(p.VC, m.Data.TS, m.From); !p.ready(m, env.Self()) {`),
	},
	{
		Name: "no-drain", Title: "a postponed message is never delivered",
		Breaks: "queued messages are delivered", Show: two,
		Edit: page.Edit(`p.drain(env)`, ``),
	},
	{
		// Three messages must arrive in reverse order, one of six orders, and no message after them.
		Name: "one-pass", Title: "after a delivery the hold-back queue is scanned once, from the first message to the last",
		Breaks: "no longer than needed", Show: model.Check{Config: multicast.Sized(2, 1, 3)},
		Edit: page.Edit(`p.drain(env)`, `p.onePass(env)`),
	},
	{
		// A process must deliver two concurrent messages before it multicasts. A third process must deliver the first
		// of them last, after the message that follows both.
		Name: "last-sender-alone", Title: "a timestamp has two entries: the sender's, and that of the message that it delivered last",
		Breaks: multicast.CausalOrder, Show: model.Check{Config: multicast.Sized(3, 3, 1)},
		Edit: variant.Nodes(func(p Process) model.Node { return &terseProcess{Process: p} }),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: multicast.Sized(2, 1, 1)},
		Edit: page.Edit(`env.Deliver(m.Message); env.Return(nil)`, `env.Deliver(m.Message)`),
	},
}

// others merges all entries except one.
func others(vc, ts clocks.Vector, but model.NodeID) clocks.Vector {
	merged := vc.Merge(ts)
	delete(merged, but)
	if own := vc[but]; own > 0 {
		merged[but] = own
	}
	return merged
}

// onePass delivers messages in one pass through the queue.
func (p *Process) onePass(env model.Env) {
	var left []Postponed
	for _, m := range p.HoldBack {
		if p.ready(m, env.Self()) {
			p.deliver(env, m)
		} else {
			left = append(left, m)
		}
	}
	p.HoldBack = left
}

type unawareProcess struct {
	Process `contend:"stable"`
}

// Start forgets the clock. At the first start the clock is empty.
func (p *unawareProcess) Start(env model.Env) {
	p.VC = nil
	p.Outbox.Resume(env)
}

type recountingProcess struct {
	Process `contend:"stable"`
}

// Start forgets the number of its own messages.
func (p *recountingProcess) Start(env model.Env) {
	delete(p.VC, env.Self())
	p.Outbox.Resume(env)
}

type terseProcess struct {
	Process
	Last model.NodeID // the sender of its last delivery; at first itself
}

// Start sets the last sender to the process itself.
func (p *terseProcess) Start(env model.Env) { p.Last = env.Self() }

// Receive stores the senders of deliveries.
func (p *terseProcess) Receive(env model.Env, i model.NodeID, m any) {
	p.Process.Receive(terse{env, p}, i, m)
}

// Invoke sends timestamps of two entries.
func (p *terseProcess) Invoke(env model.Env, op any) { p.Process.Invoke(terse{env, p}, op) }

type terse struct {
	model.Env
	of *terseProcess
}

// Deliver stores the sender.
func (e terse) Deliver(m any) {
	e.of.Last = m.(multicast.Message).Sender
	e.Env.Deliver(m)
}

// Broadcast sends only two entries of the timestamp.
func (e terse) Broadcast(to []model.NodeID, m any) {
	d := m.(Data)
	few := clocks.Vector{}
	for _, k := range []model.NodeID{e.Self(), e.of.Last} {
		if n := d.TS[k]; n > 0 {
			few[k] = n
		}
	}
	e.Env.Broadcast(to, Data{few, d.Message})
}
