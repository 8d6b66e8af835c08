package agreed

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs. The first mutants are the protocol as printed with faults that the text does not exclude.
var mutants = []model.Variant{
	{
		Name: "sender-crashes", Title: "a sender crashes half-way: its message has no number and blocks those after it",
		Breaks: multicast.Agreement, Show: variant.Beyond(pair, model.Faults{Crashes: 1}),
	},
	{
		Name: "receiver-crashes", Title: "a receiver crashes: the sender waits for its proposal",
		Breaks: multicast.Validity, Show: variant.Beyond(one, model.Faults{Crashes: 1}),
	},
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: multicast.Agreement, Show: variant.Beyond(one, model.Faults{Loss: 1}),
	},
	{
		Name: "message-twice", Title: "a message is delivered twice, and enters the hold-back queue twice",
		Breaks: multicast.Agreement, Show: variant.Beyond(sized(2, 2).With(multicast.Senders.Is(1)), model.Faults{Duplication: 1}),
	},
	{
		// The message must arrive twice, and then its agreed number twice.
		Name: "two-messages-twice", Title: "two messages are delivered twice",
		Breaks: multicast.Integrity, Show: variant.Beyond(one, model.Faults{Duplication: 2}),
	},
	{
		Name: "overtaken", Title: "channels are not FIFO: a message overtakes another on the way to a receiver",
		Breaks: multicast.FIFOOrder, Show: model.Check{Config: sized(2, 2).With(multicast.Senders.Is(1))},
	},
	{
		Name: "without-id", Title: "a proposal has no process ID",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: page.Edit(`p.P.At(env.Self())`, `p.P.At(0)`),
	},
	{
		// Proposals of one process for two messages of one sender still differ. Two messages of one sender must
		// overtake each other on the way to another process.
		Name: "sender-id", Title: "a proposal has the ID of the sender, not of the proposer",
		Breaks: "one message a number", Show: model.Check{Config: sized(2, 2).With(multicast.Senders.Is(1))},
		Edit: page.Edit(`p.P.At(env.Self())`, `p.P.At(sender)`),
	},
	{
		Name: "own-proposal", Title: "the sender selects its own proposal",
		Breaks: "no proposal above the agreed number", Show: two,
		Edit: page.Edit(`p.largest(m.Number)`, `p.Proposals[m.Number][env.Self()]`),
	},
	{
		// With two processes, the missing proposal is the other's. With three, it must be the last and largest
		// proposal.
		Name: "one-short", Title: "the sender does not wait for the last proposal",
		Breaks: multicast.TotalOrder, Show: three,
		Edit: page.Edit(`< len(p.cfg.Group)`, `< len(p.cfg.Group)-1`),
	},
	{
		// Three processes must make three different proposals, two with the same number. The process with the larger ID
		// must deliver another message in between.
		Name: "largest-without-id", Title: "the sender selects the largest number, and among equal numbers the smallest ID",
		Breaks: multicast.TotalOrder, Show: three,
		Edit: page.Edit(`n.Before(proposed)`, `n.Time < proposed.Time || n.Time == proposed.Time && n.ID > proposed.ID`),
	},
	{
		Name: "ids-mixed", Title: "the hold-back queue orders equal numbers by descending ID, the sender by ascending ID",
		Breaks: multicast.TotalOrder, Show: three,
		Edit: page.Edit(`a.Number.Before(b.Number)`, `a.Number.Time < b.Number.Time || a.Number.Time == b.Number.Time && a.Number.ID > b.Number.ID`),
	},
	{
		Name: "front-without-id", Title: "the hold-back queue orders by number alone, and equal numbers by arrival",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: page.Edit(`a.Number.Before(b.Number)`, `a.Number.Time < b.Number.Time`),
	},
	{
		Name: "any-agreed", Title: "a message is delivered when its number is agreed, wherever it is in the queue",
		Breaks: "delivered numbers increase", Show: two,
		Edit: page.Edit(`for len(p.Queue) > 0 && p.Queue[0].Agreed { front := p.Queue[0]; p.Queue = slices.Delete(p.Queue, 0, 1)`,
			`for {
				at := slices.IndexFunc(p.Queue, func(h Held) bool { return h.Agreed })
				if at < 0 {
					return
				}
				front := p.Queue[at]
				p.Queue = slices.Delete(p.Queue, at, at+1)`),
	},
	{
		Name: "up-to-agreed", Title: "a message with an agreed number releases those before it, agreed or not",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: page.Edit(`len(p.Queue) > 0 && p.Queue[0].Agreed`, `slices.ContainsFunc(p.Queue, func(h Held) bool { return h.Agreed })`),
	},
	{
		Name: "not-reordered", Title: "the hold-back queue is not reordered when a message is tagged",
		Breaks: multicast.UniformTotalOrder, Show: two,
		Edit: page.Edit(`p.sort(); p.deliver(env)`, `p.deliver(env)`),
	},
	{
		Name: "unagreed-last", Title: "a message without an agreed number is at the end of the hold-back queue",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: page.Edit(`a.Number.Before(b.Number)`, `a.Agreed && !b.Agreed || a.Agreed == b.Agreed && a.Number.Before(b.Number)`),
	},
	{
		// A process must deliver by the number of another process before that other's message arrives.
		Name: "not-raised", Title: "P_j is raised by its own proposals alone, not by A_j",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: page.Edit(`p.A.Merge(p.P).Tick()`, `p.P.Tick()`),
	},
	{
		Name: "agreed-alone", Title: "P_j is A_j + 1: a process forgets what it has proposed",
		Breaks: "one message a number", Show: two,
		Edit: page.Edit(`p.A.Merge(p.P).Tick()`, `p.A.Tick()`),
	},
	{
		Name: "not-larger", Title: "P_j is Max(A_j, P_j), without + 1",
		Breaks: "one message a number", Show: two,
		Edit: page.Edit(`p.A.Merge(p.P).Tick()`, `p.A.Merge(p.P)`),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: one},
		Edit: page.Edit(`env.Return(nil)`, ``),
	},
}

// The smallest configurations. In one, one of two processes sends a message. In two, both do. In three, two of three
// processes do.
var (
	one   = sized(2, 1).With(multicast.Senders.Is(1))
	two   = model.Check{Config: sized(2, 1)}
	three = model.Check{Config: pair}
)
