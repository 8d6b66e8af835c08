package sequencer

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var options = []model.Variant{
	{
		Name: "member", Title: "reading: the sequencer is the first process of the group",
		Edit: member, Show: again,
	},
	{
		Name: "orders", Title: "reading: the sender multicasts to all, and the sequencer multicasts only the number",
		Edit: orders, Show: model.Check{Config: sized(3, 1).With(multicast.Senders.Is(2))},
	},
	{
		Name: "fifo-channels", Title: "reading: channels are FIFO",
		Edit: variant.Channel(model.FIFO), Show: again,
	},
	{
		Name: "fifo-unheld", Title: "channels are FIFO and there is no hold-back queue",
		Edit: variant.All(variant.Channel(model.FIFO), unheld), Show: again,
	},
	{
		Name: "fifo-total", Title: "hybrid approaches: the sequencer holds back a message that is not the next of its sender",
		Edit: variant.Nodes(func(q Sequencer) model.Node { return &FIFOSequencer{Sequencer: q} }), Show: again,
	},
	{
		Name: "one-at-a-time", Title: "a process multicasts its next message when it has delivered the previous one",
		Edit: page.Edit(`Request{m}); env.Return(nil)`, `Request{m})`, `delete(p.HoldBack, p.Delivered); env.Deliver(next)`,
			`delete(p.HoldBack, p.Delivered); env.Deliver(next); if next.Sender == env.Self() { env.Return(nil) }`), Show: again,
	},
	{
		Name: "filters", Title: "the sequencer ignores a message that it has numbered",
		Edit: filter, Show: again, Waives: waives(once, model.AtMostOnce),
	},
	{
		Name: "stable", Title: "the sequencer has stable storage, and ignores a message that it has numbered",
		Edit: keep, Show: again,
		Waives: waives(agreed, model.NoMemoryLoss, model.AtMostOnce),
	},
	{
		Name: "lasting", Title: "the sequencer does not crash: there is no other single point of failure",
		Edit:   func(s *model.System) { s.Nodes[s.Config.N].Crash = model.NoCrashes },
		Waives: waives([]string{multicast.Validity}, model.NoCrash), Show: again,
	},
	{
		Name: "batches", Title: "the sequencer waits for more messages, and numbers the last to arrive first",
		Edit: variant.All(variant.Types(full{}), variant.Nodes(func(q Sequencer) model.Node { return &batchingSequencer{Sequencer: q} })), Show: again,
	},
	{
		Name: "keeps-delivered", Title: "the hold-back queue keeps delivered messages",
		Edit: page.Edit(`delete(p.HoldBack, p.Delivered); env.Deliver(next)`, `env.Deliver(next)`), Show: again,
	},
}

// again is a check in which two processes multicast twice.
var again = model.Check{Config: sized(2, 2)}

// once are the claims that are violated if a message is numbered twice.
var once = []string{multicast.Integrity, multicast.TotalOrder, multicast.UniformTotalOrder}

func waives(claims []string, assumptions ...model.Assumption) map[string][]model.Assumption {
	waived := map[string][]model.Assumption{}
	for _, c := range claims {
		waived[c] = assumptions
	}
	return waived
}

// unheld makes processes deliver messages on arrival.
var unheld = page.Edit(`p.HoldBack[n.Number] = n.Message; p.deliver(env)`, `env.Deliver(n.Message)`)

// A FIFOSequencer numbers the messages of a sender in the order in which they were multicast.
type FIFOSequencer struct {
	Sequencer
	Next map[model.NodeID]int // how many of each sender are numbered
	Held map[multicast.Message]bool
}

// Receive handles a message to the group.
func (s *FIFOSequencer) Receive(env model.Env, from model.NodeID, m any) {
	s.Held[m.(Request).Message] = true
	for {
		next := multicast.Message{Sender: from, Number: s.Next[from] + 1}
		if !s.Held[next] {
			return
		}
		delete(s.Held, next)
		s.Next[from]++
		s.number(env, next)
	}
}

// full is the alarm of a sequencer that waits for more.
type full struct{}

type batchingSequencer struct {
	Sequencer
	Batch []multicast.Message
}

// Receive adds a message to the batch.
func (s *batchingSequencer) Receive(env model.Env, _ model.NodeID, m any) {
	if len(s.Batch) == 0 {
		env.After(full{}, model.Anytime())
	}
	s.Batch = append(s.Batch, m.(Request).Message)
}

// Timeout numbers the messages.
func (s *batchingSequencer) Timeout(env model.Env, _ any) {
	for _, m := range slices.Backward(s.Batch) {
		s.number(env, m)
	}
	s.Batch = nil
}
