package fifo

import (
	"contend/impl/multicast"
	"contend/model"
)

// The smallest checks: two or three messages of one sender.
var (
	two   = model.Check{Config: sized(2, 1, 2)}
	three = model.Check{Config: sized(2, 1, 3)}
)

var mutants = []model.Variant{
	{
		Name: "crashes-half-way", Title: "as printed, and the sender crashes half-way",
		Breaks: multicast.Agreement, Show: beyond(sized(3, 1, 1), model.Faults{Crashes: 1}),
	},
	{
		Name: "message-lost", Title: "as printed, and a message is lost",
		Breaks: multicast.Agreement, Show: beyond(sized(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "waits-for-the-lost", Title: "as printed, and a message is lost: the next is held back for ever",
		Breaks: "queued messages are delivered", Show: beyond(two.Config, model.Faults{Loss: 1}),
	},
	{
		Name: "cut-off", Title: "as printed, and the network is partitioned for a while",
		Breaks: multicast.Agreement, Show: beyond(sized(2, 1, 1), model.Faults{Partitions: 1}),
	},
	{
		Name: "forgets", Title: "as printed, and a process restarts without its memory: messages that it delivered arrive again",
		Breaks: "in sequence", Show: beyond(sized(2, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "stable-but-last", Title: "a process keeps everything except L through a crash",
		Breaks: "in sequence", Show: beyond(sized(2, 1, 1), model.Faults{Restarts: 1}),
		Edit: replace(func(p Process) model.Node { return &unawareProcess{p} }),
	},
	{
		Name: "stable-but-number", Title: "a process keeps everything except S through a crash: its next message has an old number and is discarded",
		Breaks: multicast.Agreement, Show: beyond(two.Config, model.Faults{Restarts: 1}),
		Edit: replace(func(p Process) model.Node { return &recountingProcess{p} }),
	},
	{
		Name: "sends-to-itself", Title: "a process delivers its own message when its copy arrives, but the copy is lost",
		Breaks: multicast.Validity, Show: beyond(sized(1, 1, 1), model.Faults{Loss: 1}),
		Edit: tune(func(c *Config) {
			c.To = func(group multicast.Nodes, _ model.NodeID) []model.NodeID { return group }
			c.Own = func(*Process, model.Env, Data) {}
		}),
	},
	{
		Name: "no-hold-back", Title: "a message is delivered as it arrives",
		Breaks: multicast.FIFOOrder, Show: two,
		Edit: tune(func(c *Config) {
			c.Old = func(int, int) bool { return false }
			c.Reached = func(int, int) bool { return true }
		}),
	},
	{
		Name: "skips", Title: "a message is delivered when its number is the expected one or a later one",
		Breaks: multicast.Agreement, Show: two,
		Edit: tune(func(c *Config) {
			c.Reached = func(number, last int) bool { return number > last }
			c.Increased = func(_, number int) int { return number }
		}),
	},
	{
		// Of FIFO channels a lost message is what shows it: the order is kept while nothing is lost.
		Name: "fifo-channels", Title: "channels are FIFO and there is no hold-back queue: a lost message is skipped",
		Breaks: multicast.FIFOOrder, Show: beyond(two.Config, model.Faults{Loss: 1}),
		Edit: func(s *model.System) {
			s.Network.Channel = model.FIFO
			setup(s).Reached = func(number, last int) bool { return number > last }
			setup(s).Increased = func(_, number int) int { return number }
		},
	},
	{
		Name: "one-counter", Title: "a process counts what it delivers, but not for each sender",
		Breaks: multicast.Agreement, Show: model.Check{Config: sized(2, 2, 1)},
		Edit: replace(func(p Process) model.Node { return &countingProcess{p} }),
	},
	{
		// Sampled runs say nothing of agreement, and every order is kept. Two messages with one number
		// have to be early at the same process.
		Name: "one-queue", Title: "the hold-back queue is indexed by number alone: a message replaces one of another sender",
		Breaks: multicast.Agreement, Show: model.Check{Config: sized(3, 2, 2)},
		Edit: replace(func(p Process) model.Node { return &crampedProcess{p} }),
	},
	{
		Name: "counts-received", Title: "L increases when a message is received, even if it is held back",
		Breaks: multicast.Agreement, Show: two,
		Edit: tune(func(c *Config) {
			c.Hold = func(p *Process, from model.NodeID, m Data) { p.L[from]++; p.hold(from, m) }
		}),
	},
	{
		Name: "numbers-received", Title: "S increases when a message is received, too, like a logical clock",
		Breaks: multicast.Agreement, Show: model.Check{Config: sized(2, 2, 1)},
		Edit: replace(func(p Process) model.Node { return &lamportProcess{p} }),
	},
	{
		// Sampled runs say nothing of agreement, and every order is kept. It takes three messages that
		// arrive in one order of six.
		Name: "holds-one", Title: "the hold-back queue keeps only the last message of each sender",
		Breaks: multicast.Agreement, Show: three,
		Edit: tune(func(c *Config) {
			c.Hold = func(p *Process, from model.NodeID, m Data) { delete(p.HoldBack, from); p.hold(from, m) }
		}),
	},
	{
		// The last message has to arrive before those between it and the first, and nothing after.
		Name: "drains-one", Title: "a delivery releases one message of the hold-back queue, but not those after it",
		Breaks: "no longer than needed", Show: three,
		Edit: tune(func(c *Config) {
			c.Drain = func(p *Process, env model.Env, from model.NodeID) { p.drainOne(env, from) }
		}),
	},
	{
		Name: "no-drain", Title: "a message is held back for ever",
		Breaks: "queued messages are delivered", Show: two,
		Edit: tune(func(c *Config) { c.Drain = func(*Process, model.Env, model.NodeID) {} }),
	},
	{
		Name: "delivers-again", Title: "a duplicate of a delivered message is delivered again",
		Breaks: multicast.Integrity, Show: beyond(sized(2, 1, 1), model.Faults{Duplication: 1}),
		Edit: tune(func(c *Config) {
			c.Old = func(int, int) bool { return false }
			c.Reached = func(number, last int) bool { return number <= last+1 }
			c.Increased = func(last, number int) int { return max(last, number) }
		}),
	},
	{
		// The copy has to arrive before the second message, and the third right after it.
		Name: "counts-again", Title: "a duplicate of a delivered message counts once more",
		Breaks: multicast.FIFOOrder, Show: beyond(three.Config, model.Faults{Duplication: 1}),
		Edit: replace(func(p Process) model.Node { return &overcountingProcess{p} }),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: sized(2, 1, 1)},
		Edit: replace(func(p Process) model.Node { return &unreturningProcess{p} }),
	},
}

func beyond(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: faulty(c, f), AssumeAnyway: true}
}

type unawareProcess struct {
	Process `contend:"stable"`
}

// Start forgets what it has delivered. As the system boots that is nothing.
func (p *unawareProcess) Start(env model.Env) {
	p.L = nil
	p.resume(env)
}

type recountingProcess struct {
	Process `contend:"stable"`
}

// Start forgets how many messages it has multicast.
func (p *recountingProcess) Start(env model.Env) {
	p.S = 0
	p.resume(env)
}

// everybody is the key under which a process keeps what it should keep for each sender.
const everybody model.NodeID = 0

type countingProcess struct{ Process }

// Receive counts all senders' messages together.
func (p *countingProcess) Receive(env model.Env, _ model.NodeID, m any) {
	p.receive(env, everybody, m.(Data))
}

type crampedProcess struct{ Process }

// Receive drops what another sender's message with the number takes the place of.
func (p *crampedProcess) Receive(env model.Env, from model.NodeID, m any) {
	if d := m.(Data); d.Number > p.L[from]+1 {
		for _, other := range p.cfg.Group {
			delete(p.HoldBack[other], d.Number)
			if len(p.HoldBack[other]) == 0 {
				delete(p.HoldBack, other)
			}
		}
	}
	p.Process.Receive(env, from, m)
}

type lamportProcess struct{ Process }

// Receive counts what it receives.
func (p *lamportProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.S++
	p.Process.Receive(env, from, m)
}

type overcountingProcess struct{ Process }

// Receive counts a copy of what it has delivered.
func (p *overcountingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if p.cfg.Old(m.(Data).Number, p.L[from]) {
		p.L[from]++
	}
	p.Process.Receive(env, from, m)
}

type unreturningProcess struct{ Process }

// Invoke multicasts, and does not return.
func (p *unreturningProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(multicast.Unreturned{Env: env}, op)
}
