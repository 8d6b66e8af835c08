package sequencer

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// mutants are the protocol as printed where the text does not hold it to anything, then bugs.
var mutants = []model.Variant{
	{
		Name: "sequencer-crashes", Title: "the sequencer crashes: \"a single point of failure\"",
		Breaks: multicast.Validity, Show: variant.Beyond(sized(1, 1), model.Faults{Crashes: 1}),
	},
	{
		// What was numbered has to arrive again, in another order, after the crash.
		Name: "sequencer-forgets", Title: "the sequencer crashes and restarts without its memory",
		Breaks: multicast.TotalOrder, Show: variant.Beyond(one, model.Faults{Restarts: 1}),
	},
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: multicast.Agreement, Show: variant.Beyond(one, model.Faults{Loss: 1}),
	},
	{
		Name: "message-twice", Title: "a message is delivered twice",
		Breaks: multicast.Integrity, Show: variant.Beyond(sized(1, 1), model.Faults{Duplication: 1}),
	},
	{
		Name: "overtaken", Title: "channels are not FIFO: a message overtakes another on the way to the sequencer",
		Breaks: multicast.FIFOOrder, Show: model.Check{Config: sized(1, 2)},
	},
	{
		Name: "crash-half-way", Title: "the sequencer sends to one process after another, and crashes half-way",
		Breaks: multicast.Agreement, Show: model.Check{Config: variant.Faulty(sized(2, 1), model.Faults{Crashes: 1})},
		Edit: variant.All(variant.Types(next{}), variant.Nodes(func(q Sequencer) model.Node { return &slowSequencer{Sequencer: q} })),
	},
	{
		Name: "no-hold-back", Title: "a message is delivered as it arrives; channels are not FIFO",
		Breaks: multicast.TotalOrder, Show: two, Edit: unheld,
	},
	{
		// The mutant keeps the order, and delivers nothing twice. Only a process that never delivers reveals
		// it.
		Name: "skips", Title: "a number counts as reached when it is larger than the last: those between are never delivered",
		Breaks: multicast.Agreement, Show: two,
		Edit: page.Edit(`p.HoldBack[n.Number] = n.Message; p.deliver(env)`,
			`if n.Number > p.Delivered { p.Delivered = n.Number; env.Deliver(n.Message) }`),
	},
	{
		Name: "own-at-once", Title: "a process delivers its own message at once",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: page.Edit(`Request{m}); env.Return(nil)`, `Request{m}); env.Return(nil); env.Deliver(m)`,
			`delete(p.HoldBack, p.Delivered); env.Deliver(next)`,
			`delete(p.HoldBack, p.Delivered); if next.Sender != env.Self() { env.Deliver(next) }`),
	},
	{
		Name: "numbers-per-sender", Title: "there are sequence numbers per sender, not per group",
		Breaks: multicast.UniformTotalOrder, Show: two,
		Edit: variant.All(
			variant.Nodes(func(q Sequencer) model.Node { return &separateSequencer{Sequencer: q} }),
			variant.Nodes(func(p Process) model.Node { return &separateProcess{Process: p} }),
		),
	},
	{
		// The fifth message has to arrive before the first, at one process and not at the other.
		Name: "two-bits", Title: "numbers have two bits",
		Breaks: multicast.TotalOrder, Show: model.Check{Config: sized(2, 5).With(multicast.Senders.Is(1))},
		Edit: page.Edit(`n := m.(Numbered)`, `n := m.(Numbered); n.Number = p.Delivered + 1 + (n.Number-p.Delivered-1+4*p.Delivered)%4`),
	},
	{
		// A message that arrived before the sequencer's crash has to arrive again.
		Name: "stable-number-only", Title: "the sequencer keeps its number in stable storage, but not what it has numbered",
		Breaks: multicast.Integrity, Show: variant.Beyond(sized(1, 1), model.Faults{Restarts: 1}),
		Edit: variant.Nodes(func(q Sequencer) model.Node { return &countingSequencer{q} }),
	},
	{
		// The crash has to come between two writes, and the number that is given again has to be held
		// back at two processes at once.
		Name: "stable-late", Title: "the sequencer writes a number to stable storage only when it gives the next one",
		Breaks: "one message a number", Show: variant.Beyond(sized(2, 2), model.Faults{Restarts: 1}),
		Edit: variant.All(filter, variant.Nodes(func(q FilteringSequencer) model.Node { return &lateSequencer{FilteringSequencer: q} })),
	},
	{
		Name: "filters-by-last", Title: "the sequencer ignores a message that is not newer than the last of its sender; channels are not FIFO",
		Breaks: multicast.Validity, Show: model.Check{Config: sized(1, 2)},
		Edit: variant.Nodes(func(q Sequencer) model.Node { return &forwardSequencer{Sequencer: q} }),
	},
	{
		// A number has to overtake its message. The message takes another path.
		Name: "orders-alone", Title: "the sender multicasts to all; a number whose message is missing is skipped",
		Breaks: multicast.UniformAgreement, Show: two,
		Edit: variant.All(orders, variant.Nodes(func(p OrderedProcess) model.Node { return &rashProcess{p} })),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: sized(1, 1)},
		Edit: page.Edit(`Request{m}); env.Return(nil)`, `Request{m})`),
	},
}

// one is two messages of one process of two; two is one of each.
var (
	one = sized(2, 2).With(multicast.Senders.Is(1))
	two = model.Check{Config: sized(2, 1)}
)

// next is the alarm of a sequencer that has more to send.
type next struct{}

// A slowSequencer sends a message a step.
type slowSequencer struct {
	Sequencer
	Left []Copy // copies that are not sent yet
}

// A Copy is a message to be sent to a process.
type Copy struct {
	To      model.NodeID
	Message Numbered
}

// Receive handles a message to the group.
func (s *slowSequencer) Receive(env model.Env, _ model.NodeID, m any) {
	s.Last++
	for _, to := range s.cfg.Group {
		s.Left = append(s.Left, Copy{to, Numbered{s.Last, m.(Request).Message}})
	}
	env.After(next{}, model.Exactly(0))
}

// Timeout sends the next message.
func (s *slowSequencer) Timeout(env model.Env, _ any) {
	env.Send(s.Left[0].To, s.Left[0].Message)
	if s.Left = s.Left[1:]; len(s.Left) > 0 {
		env.After(next{}, model.Exactly(0))
	}
}

type separateSequencer struct {
	Sequencer
	Counts map[model.NodeID]int
}

// Receive numbers a message, counting the messages of its sender.
func (s *separateSequencer) Receive(env model.Env, from model.NodeID, m any) {
	s.Counts[from]++
	env.Broadcast(s.cfg.Group, Numbered{s.Counts[from], m.(Request).Message})
}

type separateProcess struct {
	Process
	Counts map[model.NodeID]int
	Held   map[Place]multicast.Message
}

// A Place is a number and the sender whose messages it counts.
type Place struct {
	Sender model.NodeID
	Number int
}

// Receive delivers the messages of a sender in the order of their numbers.
func (p *separateProcess) Receive(env model.Env, _ model.NodeID, m any) {
	n := m.(Numbered)
	sender := n.Message.Sender
	p.Held[Place{sender, n.Number}] = n.Message
	for {
		at := Place{sender, p.Counts[sender] + 1}
		next, is := p.Held[at]
		if !is {
			return
		}
		delete(p.Held, at)
		p.Counts[sender]++
		env.Deliver(next)
	}
}

type countingSequencer struct {
	Sequencer `contend:"stable"`
}

type lateSequencer struct {
	FilteringSequencer
	Written int                        `contend:"stable"` // the number before the last message
	Kept    map[multicast.Message]bool `contend:"stable"` // messages that have a number
}

// Start reads the stable storage.
func (s *lateSequencer) Start(model.Env) {
	s.Last = s.Written
	for m := range s.Kept {
		s.Known[m] = true
	}
}

// Receive writes, and numbers the message.
func (s *lateSequencer) Receive(env model.Env, from model.NodeID, m any) {
	s.Written = s.Last
	s.FilteringSequencer.Receive(env, from, m)
	s.Kept[m.(Request).Message] = true
}

type forwardSequencer struct {
	Sequencer
	Newest map[model.NodeID]int
}

// Receive ignores messages that are not newer.
func (s *forwardSequencer) Receive(env model.Env, from model.NodeID, m any) {
	if message := m.(Request).Message; message.Number > s.Newest[from] {
		s.Newest[from] = message.Number
		s.number(env, message)
	}
}

type rashProcess struct{ OrderedProcess }

// Receive passes over a number whose message has not come.
func (p *rashProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.OrderedProcess.Receive(env, from, m)
	for {
		waits, is := p.HoldBack[p.Delivered+1]
		if !is || p.Received[waits] {
			return
		}
		p.Delivered++
		delete(p.HoldBack, p.Delivered)
		p.deliver(env)
	}
}
