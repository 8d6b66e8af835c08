package agreed

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var options = []model.Variant{
	{
		Name: "by-message", Title: "reading: the sender is a receiver like any other, and sends messages to itself",
		Edit: page.Edit(`if to == env.Self() { p.Receive(env, to, m); return }`, ``), Show: model.Check{Config: sized(2, 1)},
	},
	{
		Name: "fifo-channels", Title: "reading: channels are FIFO",
		Edit: variant.Channel(model.FIFO), Show: again,
	},
	{
		Name: "one-at-a-time", Title: "hybrid approaches: a process multicasts its next message when the previous one has its number",
		Edit: page.Edit(`env.Return(nil)`, ``, `p.multicast(env, agreed)`, `p.multicast(env, agreed); env.Return(nil)`), Show: again,
	},
	{
		Name: "filters", Title: "a process ignores a duplicate",
		Edit: variant.Nodes(func(p Process) model.Node { return &filteringProcess{Process: p} }), Show: again,
		Waives: map[string][]model.Assumption{
			multicast.Integrity: once, multicast.Validity: once, multicast.Agreement: once,
			multicast.TotalOrder: once, multicast.UniformTotalOrder: once,
			"no proposal above the agreed number": once, "one message a number": once, "delivered numbers increase": once,
		},
	},
	{
		Name: "one-number", Title: "A_j is not kept: an agreed number raises P_j",
		Edit: page.Edit(`p.A = p.A.Merge(m.Number.Time)`, `p.P = p.P.Merge(m.Number.Time)`), Show: again,
	},
	{
		Name: "raised-at-delivery", Title: "A_j is updated when the message is delivered, not when its number comes",
		Edit: page.Edit(`p.A = p.A.Merge(m.Number.Time)`, ``,
			`env.Deliver(front.Message)`, `p.A = p.A.Merge(front.Number.Time); env.Deliver(front.Message)`), Show: again,
	},
	{
		Name: "unagreed-first", Title: "a message without an agreed number is at the front of the hold-back queue, whatever number was proposed",
		Edit: page.Edit(`a.Number.Before(b.Number)`, `b.Agreed && !a.Agreed || a.Agreed == b.Agreed && a.Number.Before(b.Number)`), Show: again,
	},
	{
		Name: "skips-numbers", Title: "a process proposes a number that may be larger than necessary",
		Edit: page.Edit(`p.A.Merge(p.P).Tick()`, `p.A.Merge(p.P).Tick() + clocks.Lamport(env.Choose(2))`), Show: model.Check{Config: sized(2, 3).With(multicast.Senders.Is(1))},
	},
	{
		Name: "ids-downwards", Title: "of two equal numbers the one with the larger ID counts as smaller, everywhere",
		Edit: page.Edit(`p.P.At(env.Self())`, `p.P.At(p.cfg.Group[len(p.cfg.Group)-1] - env.Self())`), Show: again,
	},
}

var (
	// again is a check in which two processes multicast twice.
	again = model.Check{Config: sized(2, 2)}
	once  = []model.Assumption{model.AtMostOnce}
)

// A filteringProcess stores the messages that it has received, to drop duplicates. Its messages to itself arrive once.
type filteringProcess struct {
	Process
	Received map[multicast.Message]bool
}

// Receive drops duplicates. A duplicate of an agreed number finds no message to tag.
func (p *filteringProcess) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Data:
		if p.Received[m.Message] {
			return
		}
		p.Received[m.Message] = true
	case Proposal:
		if _, open := p.Proposals[m.Message.Number]; !open {
			return
		}
	}
	p.Process.Receive(env, from, m)
}
