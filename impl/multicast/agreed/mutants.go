package agreed

import (
	"slices"

	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

// mutants are the protocol as printed where the text does not hold it to anything, then bugs.
var mutants = []model.Variant{
	{
		Name: "sender-crashes", Title: "a sender crashes half-way: its message has no number and blocks those after it",
		Breaks: multicast.Agreement, Show: beyond(pair, model.Faults{Crashes: 1}),
	},
	{
		Name: "receiver-crashes", Title: "a receiver crashes: the sender waits for its proposal",
		Breaks: multicast.Validity, Show: beyond(one, model.Faults{Crashes: 1}),
	},
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: multicast.Agreement, Show: beyond(one, model.Faults{Loss: 1}),
	},
	{
		Name: "message-twice", Title: "a message is delivered twice, and enters the hold-back queue twice",
		Breaks: multicast.Agreement, Show: beyond(sized(2, 2).With(multicast.Senders.Is(1)), model.Faults{Duplication: 1}),
	},
	{
		// The message has to come twice, and its agreed number has to come twice behind it.
		Name: "two-messages-twice", Title: "two messages are delivered twice",
		Breaks: multicast.Integrity, Show: beyond(one, model.Faults{Duplication: 2}),
	},
	{
		Name: "overtaken", Title: "channels are not FIFO: a message overtakes another on the way to a receiver",
		Breaks: multicast.FIFOOrder, Show: model.Check{Config: sized(2, 2).With(multicast.Senders.Is(1))},
	},
	{
		Name: "without-id", Title: "a proposal has no process ID",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: tune(func(c *Config) {
			c.With = func(t clocks.Lamport, _ model.NodeID, _ multicast.Message) clocks.Stamp { return clocks.Stamp{Time: t} }
		}),
	},
	{
		// Proposals of one process for two messages of one sender differ all the same: two messages of
		// one sender have to overtake each other on the way to another.
		Name: "sender-id", Title: "a proposal has the ID of the sender, not of the proposer",
		Breaks: "one message a number", Show: model.Check{Config: sized(2, 2).With(multicast.Senders.Is(1))},
		Edit: tune(func(c *Config) {
			c.With = func(t clocks.Lamport, _ model.NodeID, m multicast.Message) clocks.Stamp {
				return clocks.Stamp{Time: t, ID: m.Sender}
			}
		}),
	},
	{
		Name: "own-proposal", Title: "the sender selects its own proposal",
		Breaks: "no proposal above the agreed number", Show: two,
		Edit: tune(func(c *Config) {
			c.Select = func(sender model.NodeID, proposals map[model.NodeID]clocks.Stamp) clocks.Stamp {
				return proposals[sender]
			}
		}),
	},
	{
		// With two processes the other of them is the one that matters; with three, it has to be that
		// whose proposal comes last and is the largest.
		Name: "one-short", Title: "the sender does not wait for the last proposal",
		Breaks: multicast.TotalOrder, Show: three,
		Edit: tune(func(c *Config) { c.All-- }),
	},
	{
		// Three processes, and three different proposals of which two have one number: the one with the
		// larger ID has to deliver another message in between.
		Name: "largest-without-id", Title: "the sender selects the largest number, and among equal numbers the smallest ID",
		Breaks: multicast.TotalOrder, Show: three,
		Edit: tune(func(c *Config) { c.Select = largestDownwards }),
	},
	{
		Name: "ids-mixed", Title: "the hold-back queue orders equal numbers by descending ID, the sender by ascending ID",
		Breaks: multicast.TotalOrder, Show: three,
		Edit: tune(func(c *Config) { c.Before = beforeDownwards }),
	},
	{
		Name: "front-without-id", Title: "the hold-back queue orders by number alone, and equal numbers by arrival",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: tune(func(c *Config) {
			c.Before = func(a, b Held) bool { return a.Number.Time < b.Number.Time }
		}),
	},
	{
		Name: "any-agreed", Title: "a message is delivered when its number is agreed, wherever it is in the queue",
		Breaks: "delivered numbers increase", Show: two,
		Edit: tune(func(c *Config) {
			c.Ready = func(queue []Held) int { return slices.IndexFunc(queue, func(h Held) bool { return h.Agreed }) }
		}),
	},
	{
		Name: "up-to-agreed", Title: "a message with an agreed number releases those before it, agreed or not",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: tune(func(c *Config) {
			c.Ready = func(queue []Held) int {
				if slices.ContainsFunc(queue, func(h Held) bool { return h.Agreed }) {
					return 0
				}
				return -1
			}
		}),
	},
	{
		Name: "not-reordered", Title: "the hold-back queue is not reordered when a message is tagged",
		Breaks: multicast.UniformTotalOrder, Show: two,
		Edit: tune(func(c *Config) { c.Reorder = func(*Process) {} }),
	},
	{
		Name: "unagreed-last", Title: "a message without an agreed number is at the end of the hold-back queue",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: tune(func(c *Config) {
			c.Before = func(a, b Held) bool {
				if a.Agreed != b.Agreed {
					return a.Agreed
				}
				return a.Number.Before(b.Number)
			}
		}),
	},
	{
		// A process has to deliver by the number of another before the message of that other comes.
		Name: "not-raised", Title: "P_j is raised by its own proposals alone, not by A_j",
		Breaks: multicast.TotalOrder, Show: two,
		Edit: tune(func(c *Config) {
			c.Next = func(_ model.Env, _, p clocks.Lamport) clocks.Lamport { return p.Tick() }
		}),
	},
	{
		Name: "agreed-alone", Title: "P_j is A_j + 1: a process forgets what it has proposed",
		Breaks: "one message a number", Show: two,
		Edit: tune(func(c *Config) {
			c.Next = func(_ model.Env, a, _ clocks.Lamport) clocks.Lamport { return a.Tick() }
		}),
	},
	{
		Name: "not-larger", Title: "P_j is Max(A_j, P_j), without + 1",
		Breaks: "one message a number", Show: two,
		Edit: tune(func(c *Config) {
			c.Next = func(_ model.Env, a, p clocks.Lamport) clocks.Lamport { return a.Merge(p) }
		}),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: one},
		Edit: tune(func(c *Config) { c.Taken = func(model.Env) {} }),
	},
}

// one is a message of one process of two; two is one of each, three one of each of two of three.
var (
	one   = sized(2, 1).With(multicast.Senders.Is(1))
	two   = model.Check{Config: sized(2, 1)}
	three = model.Check{Config: pair}
)

func beyond(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: faulty(c, f), AssumeAnyway: true}
}

// downwards is the order of numbers in which a larger ID makes a smaller one.
func downwards(a, b clocks.Stamp) bool {
	return clocks.Stamp{Time: a.Time, ID: -a.ID}.Before(clocks.Stamp{Time: b.Time, ID: -b.ID})
}

func beforeDownwards(a, b Held) bool { return downwards(a.Number, b.Number) }

func largestDownwards(_ model.NodeID, proposals map[model.NodeID]clocks.Stamp) clocks.Stamp {
	var n clocks.Stamp
	for _, proposed := range proposals {
		if n.Time == 0 || downwards(n, proposed) {
			n = proposed
		}
	}
	return n
}
