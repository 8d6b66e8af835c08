package centralized

import (
	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

func variants() []model.Variant { return append(append(options, problemsShown...), mutants...) }

// one and two are the smallest checks: two clients of one or two entries each.
var (
	one = model.Check{Config: sized(2, 1)}
	two = model.Check{Config: sized(2, 2)}
)

// problemsShown are the lecture's "problems", and what lies beyond "processes do not fail and
// message delivery is reliable".
var problemsShown = []model.Variant{
	{
		Name: "coordinator-crashes", Title: "problems: the coordinator crashes",
		Breaks: "every request is granted", Show: variant.Beyond(sized(1, 1), model.Faults{Crashes: 1}),
	},
	{
		Name: "coordinator-forgets", Title: "the coordinator crashes and restarts without its memory",
		Breaks: "mutual exclusion", Show: variant.Beyond(one.Config, model.Faults{Restarts: 1}),
	},
	{
		Name: "client-dies-inside", Title: "a process crashes in the section",
		Breaks: "every request is granted", Show: variant.Beyond(one.Config, model.Faults{Crashes: 1}),
		Edit: variant.MayCrash(coordinator + 1),
	},
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: "deadlock freedom", Show: variant.Beyond(sized(1, 1), model.Faults{Loss: 1}),
	},
	{
		// The copy of a Release has to wait until another process is inside and a third request has come.
		Name: "message-duplicated", Title: "a message is delivered twice",
		Breaks: "mutual exclusion", Show: variant.Beyond(two.Config, model.Faults{Duplication: 1}),
	},
	{
		Name: "crashed-or-in-use", Title: "problems: a process that gets no answer decides that the coordinator has crashed; permission is not denied",
		Breaks: "accuracy", Show: variant.BeyondInTime(one.Config, model.Faults{}), Edit: listen,
	},
	{
		Name: "deny-once", Title: "problems: permission is denied explicitly and the request is queued; the coordinator crashes later",
		Breaks: "completeness", Show: variant.BeyondInTime(one.Config, model.Faults{Crashes: 1}),
		Edit: variant.All(deny, variant.MayCrash(coordinator)),
	},
	{
		Name: "applications-talk", Title: "a process that asks for the section tells the others, which may then ask",
		Breaks: "happened-before order", Show: one,
		Edit: variant.All(variant.Types(Word{}), variant.Nodes(func(c Client) model.Node { return &talkingClient{c} })),
	},
}

var mutants = []model.Variant{
	{
		// A client's next Request has to overtake its Release, while another waits.
		Name: "no-other", Title: `"no other process" does not count the process that asks; channels are not FIFO`,
		Breaks: "mutual exclusion", Show: two,
		Edit: page.Edit(`if !c.Inside.Known {`, `if !c.Inside.Known || c.Inside.Value == from {`),
	},
	{
		Name: "grants-at-once", Title: "the coordinator grants every request",
		Breaks: "mutual exclusion", Show: one,
		Edit: page.Edit(`if !c.Inside.Known {`, `if true {`),
	},
	{
		Name: "announces-unchecked", Title: "the coordinator tells all clients whom it lets in, and each waiting client takes the message as its own OK",
		Breaks: "lock", Show: one, Edit: announce,
	},
	{
		Name: "forgets-queue", Title: "the coordinator never serves its queue",
		Breaks: "every request is granted", Show: one,
		Edit: page.Edit(`case Release:`, `case Release: c.Queue = nil`),
	},
	{
		Name: "leaves-in-queue", Title: "the process that is served stays in the queue",
		Breaks: "deadlock freedom", Show: two,
		Edit: page.Edit(`c.Queue = c.Queue[1:]`, ``),
	},
	{
		// It takes three requests: one inside, one that is served next, one that finds the section free.
		Name: "frees-always", Title: "a Release frees the section, though the next client of the queue is let in",
		Breaks: "mutual exclusion", Show: model.Check{Config: sized(3, 1)},
		Edit: page.Edit(`c.grant(env, next)`, `c.grant(env, next); c.Inside = model.Optional[model.NodeID]{}`),
	},
	{
		// With finitely many entries nobody starves for ever: only a count of overtakings shows it.
		Name: "newest-first", Title: "the coordinator serves the newest process of its queue",
		Breaks: "bounded overtaking", Show: two,
		Edit: page.Edit(`next := c.Queue[0]; c.Queue = c.Queue[1:]`,
			`last := len(c.Queue) - 1; next := c.Queue[last]; c.Queue = c.Queue[:last]`),
	},
	{
		Name: "retries-starve", Title: "problems: permission is denied explicitly, and the client asks again",
		Breaks: "bounded overtaking", Show: model.Check{Config: sized(2, 3)}, Edit: denyAndRetry,
	},
	{
		// The second Release has to arrive when its client is inside once more.
		Name: "releases-twice", Title: "a client sends its Release twice, and the coordinator ignores a Release of a client that is not inside",
		Breaks: "mutual exclusion", Show: two,
		Edit: page.Edit(`env.Send(c.cfg.Coordinator, Release{})`, `env.Send(c.cfg.Coordinator, Release{}); env.Send(c.cfg.Coordinator, Release{})`,
			`case Release:`, `case Release: if c.Inside != model.Some(from) { return }`),
	},
	{
		// What the coordinator had received before it crashed has to arrive once more, and a Release at that.
		Name: "stable-without-numbers", Title: "the coordinator has stable storage, but does not recognise duplicates",
		Breaks: "mutual exclusion", Show: variant.Beyond(two.Config, model.Faults{Restarts: 1}), Edit: keep,
	},
	{
		// The Release of a first passage has to arrive again in the third of the same client, while
		// another waits, after a crash in between.
		Name: "one-bit-numbers", Title: "the coordinator has stable storage, and of a message's number it checks only whether it is odd",
		Breaks: "mutual exclusion", Show: variant.Beyond(sized(2, 3), model.Faults{Restarts: 1}),
		Edit: variant.All(number, variant.Nodes(func(c StableCoordinator) model.Node { return &bitCoordinator{c} })),
	},
	{
		// The copy of an OK has to be on its way for four passages of its receiver, and another to be inside.
		Name: "grants-by-two-bits", Title: "an OK is delivered twice, and a client knows its own by the last two bits of its number",
		Breaks: "mutual exclusion", Show: variant.Beyond(sized(2, 5), model.Faults{Duplication: 1}), Edit: recognise(3, exact, exact),
	},
	{
		Name: "releases-by-two-bits", Title: "a Release is delivered twice, and the coordinator knows the next by the last two bits of its number",
		Breaks: "mutual exclusion", Show: variant.Beyond(sized(2, 5), model.Faults{Duplication: 1}), Edit: recognise(exact, exact, 3),
	},
	{
		Name: "requests-by-two-bits", Title: "a Request is delivered twice, and the coordinator knows the next by the last two bits of its number",
		Breaks: "deadlock freedom", Show: variant.Beyond(sized(2, 5), model.Faults{Duplication: 1}), Edit: recognise(exact, 3, exact),
	},
	{
		// The checkpoint has to be late for seven messages, the coordinator to crash while somebody is inside, and another to ask
		// before its next checkpoint.
		Name: "journal-overflows", Title: "the coordinator writes its state now and then, and has a journal with room for six messages since then",
		Breaks: "mutual exclusion", Show: variant.Beyond(sized(2, 3), model.Faults{Restarts: 1}), Edit: journal(6),
	},
	{
		// The alarm of a grant has to be late for five grants more, its client to wait then, and another to be inside.
		Name: "alarms-not-cancelled", Title: "the coordinator sends an OK again at an alarm, which it does not cancel but ignores if the grant is among the last four that ended",
		Breaks: "mutual exclusion", Show: model.Check{Config: sized(2, 4), AssumeAnyway: true}, Edit: resends(4),
	},
	{
		Name: "stable-queue-only", Title: "the coordinator keeps its queue in stable storage, but not whom it let in",
		Breaks: "mutual exclusion", Show: variant.Beyond(one.Config, model.Faults{Restarts: 1}),
		Edit: variant.All(number, variant.Nodes(func(c StableCoordinator) model.Node { return &amnesiac{c} })),
	},
	{
		// Who was queued before the crash has to wait while another enters twice, and both passages have to
		// come after it.
		Name: "stable-inside-only", Title: "the coordinator keeps whom it let in in stable storage, but not its queue",
		Breaks: "bounded overtaking", Show: variant.Beyond(sized(2, 3), model.Faults{Restarts: 1}),
		Edit: variant.All(number, variant.Nodes(func(c StableCoordinator) model.Node { return &queuelessCoordinator{c} })),
	},
	{
		// In dense time the answer has to come at one instant with the alarm, at 2δ exactly: delays drawn
		// at random from all real ones never would.
		Name: "silence-too-short", Title: "no answer within 2δ counts as a crash: the alarm and the answer may come at the same instant",
		Breaks: "accuracy", Show: variant.BeyondInTime(sized(1, 1), model.Faults{}),
		Edit: variant.All(deny, variant.Setup(func(c *Config) { c.Silence-- })),
	},
}

// Word is what an application tells another, past the protocol.
type Word struct{}

type talkingClient struct{ Client }

// Invoke tells the others of a request.
func (c *talkingClient) Invoke(env model.Env, op any) {
	c.Client.Invoke(env, op)
	if _, asks := op.(mutex.Acquire); asks {
		for _, id := range c.cfg.Clients {
			if id != env.Self() {
				env.Send(id, Word{})
			}
		}
	}
}

// Receive takes an OK; a word is for the application.
func (c *talkingClient) Receive(env model.Env, from model.NodeID, m any) {
	if _, granted := m.(OK); granted {
		c.Client.Receive(env, from, m)
	}
}

type amnesiac struct {
	StableCoordinator `contend:"stable"`
}

// Start forgets whom it let in. As the system boots there is nobody.
func (c *amnesiac) Start(model.Env) { c.Inside = model.Optional[model.NodeID]{} }

type queuelessCoordinator struct {
	StableCoordinator `contend:"stable"`
}

// Start forgets the queue. As the system boots it is empty.
func (c *queuelessCoordinator) Start(model.Env) { c.Queue = nil }

type bitCoordinator struct {
	StableCoordinator `contend:"stable"`
}

// Receive passes on what has another bit than the last of its kind.
func (c *bitCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	n := m.(Numbered)
	seen := c.Releases
	if _, asks := n.Message.(Request); asks {
		seen = c.Requests
	}
	if n.Number%2 != seen[from]%2 {
		seen[from] = n.Number
		c.Coordinator.Receive(env, from, n.Message)
	}
}

// exact compares numbers whole.
const exact = -1

// recognise numbers OKs too, and compares some bits of the numbers of each kind of message.
func recognise(oks, requests, releases int) func(*model.System) {
	return variant.All(
		variant.Types(Numbered{}),
		variant.Nodes(func(c Client) model.Node { return &recognisingClient{Client: c, bits: oks} }),
		variant.Nodes(func(c Coordinator) model.Node {
			return &RecognisingCoordinator{Coordinator: c, requests: requests, releases: releases}
		}),
	)
}

// A recognisingClient takes an OK to its last request.
type recognisingClient struct {
	Client
	Passage int
	bits    int
}

// Invoke numbers the request or the release.
func (c *recognisingClient) Invoke(env model.Env, op any) {
	if _, asks := op.(mutex.Acquire); asks {
		c.Passage++
	}
	c.Client.Invoke(numbering{env, c.Passage}, op)
}

// Receive takes an OK.
func (c *recognisingClient) Receive(env model.Env, from model.NodeID, m any) {
	if n := m.(Numbered); (n.Number-c.Passage)&c.bits == 0 {
		c.Client.Receive(env, from, n.Message)
	}
}

// A RecognisingCoordinator takes the next request and the next release of a client.
type RecognisingCoordinator struct {
	Coordinator
	Requests           map[model.NodeID]int // the last of each client
	Releases           map[model.NodeID]int
	requests, releases int // the bits that are compared
}

// Receive passes on what is next of its kind.
func (c *RecognisingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	n := m.(Numbered)
	seen, bits := c.Releases, c.releases
	if _, asks := n.Message.(Request); asks {
		seen, bits = c.Requests, c.requests
	}
	if (n.Number-seen[from]-1)&bits == 0 {
		seen[from]++
		c.Coordinator.Receive(answering{env, c}, from, n.Message)
	}
}

// answering is the environment of a coordinator that numbers each OK as the request.
type answering struct {
	model.Env
	c *RecognisingCoordinator
}

// Send sends an OK with its number.
func (e answering) Send(to model.NodeID, m any) {
	e.Env.Send(to, Numbered{e.c.Requests[to], m})
}
