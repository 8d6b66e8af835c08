package fifo

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// The smallest checks: two or three messages of one sender.
var (
	two   = model.Check{Config: multicast.Sized(2, 1, 2)}
	three = model.Check{Config: multicast.Sized(2, 1, 3)}
)

var mutants = []model.Variant{
	{
		Name: "crashes-half-way", Title: "as printed, and the sender crashes half-way",
		Breaks: multicast.Agreement, Show: variant.Beyond(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		Name: "stops-half-way", Title: "a process that sends one copy after another stops after the first",
		Breaks: "reach", Show: model.Check{Config: variant.Faulty(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1})},
		Edit: variant.Nodes(func(p Process) model.Node { return &stoppingProcess{p} }),
	},
	{
		Name: "message-lost", Title: "as printed, and a message is lost",
		Breaks: multicast.Agreement, Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "waits-for-the-lost", Title: "as printed, and a message is lost: the next is held back for ever",
		Breaks: "queued messages are delivered", Show: variant.Beyond(two.Config, model.Faults{Loss: 1}),
	},
	{
		Name: "cut-off", Title: "as printed, and the network is partitioned for a while",
		Breaks: multicast.Agreement, Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Partitions: 1}),
	},
	{
		Name: "forgets", Title: "as printed, and a process restarts without its memory: messages that it delivered arrive again",
		Breaks: "in sequence", Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "stable-but-last", Title: "a process keeps everything except L through a crash",
		Breaks: "in sequence", Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Restarts: 1}),
		Edit: variant.Nodes(func(p Process) model.Node { return &unawareProcess{p} }),
	},
	{
		Name: "stable-but-number", Title: "a process keeps everything except S through a crash: its next message has an old number and is discarded",
		Breaks: multicast.Agreement, Show: variant.Beyond(two.Config, model.Faults{Restarts: 1}),
		Edit: variant.Nodes(func(p Process) model.Node { return &recountingProcess{p} }),
	},
	{
		Name: "sends-to-itself", Title: "a process delivers its own message when its copy arrives, but the copy is lost",
		Breaks: multicast.Validity, Show: variant.Beyond(multicast.Sized(1, 1, 1), model.Faults{Loss: 1}),
		Edit: page.Edit(`p.cfg.Group.Others(env.Self())`, `p.cfg.Group`, `p.deliver(env, env.Self(), m)`, ``),
	},
	{
		Name: "no-hold-back", Title: "a message is delivered as it arrives",
		Breaks: multicast.FIFOOrder, Show: two,
		Edit: page.Edit(`m.Number <= p.L[from]`, `false`, `m.Number == p.L[from]+1`, `true`),
	},
	{
		Name: "skips", Title: "a message is delivered when its number is the expected one or a later one",
		Breaks: multicast.Agreement, Show: two,
		Edit: page.Edit(`m.Number == p.L[from]+1`, `m.Number > p.L[from]`, `p.L[from]++`, `p.L[from] = m.Number`),
	},
	{
		// On FIFO channels a lost message shows the bug. Without losses the order is right.
		Name: "fifo-channels", Title: "channels are FIFO and there is no hold-back queue: a lost message is skipped",
		Breaks: multicast.FIFOOrder, Show: variant.Beyond(two.Config, model.Faults{Loss: 1}),
		Edit: variant.All(variant.Channel(model.FIFO), page.Edit(`m.Number == p.L[from]+1`, `m.Number > p.L[from]`, `p.L[from]++`, `p.L[from] = m.Number`)),
	},
	{
		Name: "one-counter", Title: "a process counts what it delivers, but not for each sender",
		Breaks: multicast.Agreement, Show: model.Check{Config: multicast.Sized(2, 2, 1)},
		Edit: page.Edit(`p.receive(env, from, m.(Data))`, `p.receive(env, 0, m.(Data))`),
	},
	{
		// Sampled runs do not test agreement, and every order is right. Two messages with the same number must be early
		// at one process.
		Name: "one-queue", Title: "the hold-back queue is indexed by number alone: a message replaces one of another sender",
		Breaks: multicast.Agreement, Show: model.Check{Config: multicast.Sized(3, 2, 2)},
		Edit: page.Edit(`p.hold(from, m)`, `for _, other := range p.cfg.Group {
			delete(p.HoldBack[other], m.Number)
			if len(p.HoldBack[other]) == 0 {
				delete(p.HoldBack, other)
			}
		}
		p.hold(from, m)`),
	},
	{
		Name: "counts-received", Title: "L increases when a message is received, even if it is held back",
		Breaks: multicast.Agreement, Show: two,
		Edit: page.Edit(`p.hold(from, m)`, `p.L[from]++; p.hold(from, m)`),
	},
	{
		Name: "numbers-received", Title: "S increases when a message is received, too, like a logical clock",
		Breaks: multicast.Agreement, Show: model.Check{Config: multicast.Sized(2, 2, 1)},
		Edit: page.Edit(`p.receive(env, from, m.(Data))`, `p.S++; p.receive(env, from, m.(Data))`),
	},
	{
		// Sampled runs do not test agreement, and every order is right. Three messages must arrive in one of six
		// orders.
		Name: "holds-one", Title: "the hold-back queue keeps only the last message of each sender",
		Breaks: multicast.Agreement, Show: three,
		Edit: page.Edit(`p.hold(from, m)`, `delete(p.HoldBack, from); p.hold(from, m)`),
	},
	{
		// The last message must arrive before the messages between it and the first, and no message after.
		Name: "drains-one", Title: "a delivery releases one message of the hold-back queue, but not those after it",
		Breaks: "no longer than needed", Show: three,
		Edit: page.Edit(`p.drain(env, from)`, `p.drainOne(env, from)`),
	},
	{
		Name: "no-drain", Title: "a message is held back for ever",
		Breaks: "queued messages are delivered", Show: two,
		Edit: page.Edit(`p.drain(env, from)`, ``),
	},
	{
		Name: "delivers-again", Title: "a duplicate of a delivered message is delivered again",
		Breaks: multicast.Integrity, Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Duplication: 1}),
		Edit: page.Edit(`m.Number <= p.L[from]`, `false`, `m.Number == p.L[from]+1`, `m.Number <= p.L[from]+1`,
			`p.L[from]++`, `p.L[from] = max(p.L[from], m.Number)`),
	},
	{
		// The copy must arrive before the second message, and the third right after the copy.
		Name: "counts-again", Title: "a duplicate of a delivered message counts once more",
		Breaks: multicast.FIFOOrder, Show: variant.Beyond(three.Config, model.Faults{Duplication: 1}),
		Edit: page.Edit(`case m.Number <= p.L[from]:`, `case m.Number <= p.L[from]: p.L[from]++`),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: multicast.Sized(2, 1, 1)},
		Edit: page.Edit(`env.Return(nil)`, ``),
	},
}

type unawareProcess struct {
	Process `contend:"stable"`
}

// Start forgets its deliveries. At the first start there are none.
func (p *unawareProcess) Start(env model.Env) {
	p.L = nil
	p.Outbox.Resume(env)
}

type recountingProcess struct {
	Process `contend:"stable"`
}

// Start forgets the number of its own messages.
func (p *recountingProcess) Start(env model.Env) {
	p.S = 0
	p.Outbox.Resume(env)
}

type stoppingProcess struct{ Process }

// Timeout sends nothing.
func (p *stoppingProcess) Timeout(model.Env, any) {}
