package swim

import (
	"maps"

	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, and faults that violate an assumption, each with the claim that it breaks.
var mutants = []model.Variant{
	{
		Name: "loss-beyond-k", Title: "beyond: k + 1 messages are lost",
		Breaks: accuracy, Show: assumeAnyway(2, model.Faults{Loss: 1}, accuracy),
	},
	{
		Name: "cut-off", Title: "beyond: the network is cut for a while",
		Breaks: confirmed, Show: assumeAnyway(2, model.Faults{Partitions: 1}, confirmed),
	},
	{
		Name: "asynchronous", Title: "beyond: messages take longer than δ",
		Breaks: accuracy, Show: assumeAnyway(2, model.Faults{}, accuracy),
		Edit: func(s *model.System) { s.Network.Delay = model.Between(0, s.Setup.(*Config).Period) },
	},
	{
		Name: "impatient", Title: "a period is as long as a round trip",
		Breaks: accuracy, Show: timed(2, 0, model.Faults{}, accuracy),
		Edit: variant.Setup(func(cfg *Config) { cfg.Period = cfg.Timeout - 1 }),
	},
	{
		Name: "asks-nobody", Title: "a member asks no others to ping a target that has not answered",
		Breaks: helped, Show: indirect, Edit: variant.Nodes(func(m Member) model.Node { return &loneMember{m} }),
	},
	{
		Name: "helper-keeps-ack", Title: "a helper does not pass the answer on",
		Breaks: helped, Show: indirect, Edit: variant.Nodes(func(m Member) model.Node { return &selfishMember{m} }),
	},
	{
		Name: "period-short", Title: "a period ends before the answers through others can come",
		Breaks: helped, Show: indirect, Edit: variant.Setup(func(cfg *Config) { cfg.Period = cfg.Timeout + 1 }),
	},
	{
		Name: "random-targets", Title: "§3.1 without §4.3: each target is any other member, at random",
		Breaks: completeness, Show: timed(3, 0, model.Faults{Crashes: 1}, completeness),
		Edit: variant.Nodes(func(m Member) model.Node { return &randomMember{m} }),
	},
	{
		Name: "suspects-anew", Title: "a suspicion begins anew with each ping that is not answered",
		Breaks: completeness, Show: timed(2, 0, model.Faults{Crashes: 1}, completeness), Edit: follow(suspectsAnew{}),
	},
	{
		Name: "believes-itself", Title: "a member does not take over that another one is suspected or failed",
		Breaks: infection, Edit: follow(selfish{}), Show: timed(3, 1, model.Faults{Crashes: 1}, infection),
	},
	{
		Name: "suspicion-kept", Title: "suspicions are not piggybacked, only confirmations",
		Breaks: infection, Show: timed(3, 1, model.Faults{Crashes: 1}, infection),
		Edit: variant.Nodes(func(m Member) model.Node { return &discreetMember{m} }),
	},
	{
		Name: "no-refutation", Title: "a member does not refute its suspicion",
		Breaks: confirmed, Show: lossy, Edit: follow(mute{}),
	},
	{
		Name: "number-one", Title: "a member that refutes always has incarnation 1",
		Breaks: answered, Show: timed(2, 0, model.Faults{Loss: 2}, answered), Edit: follow(numberOne{}),
	},
	{
		Name: "no-news", Title: "nothing is piggybacked on messages",
		Breaks: confirmed, Show: lossy, Edit: variant.Nodes(func(m Member) model.Node { return &silentMember{m} }),
	},
	{
		Name: "suspicion-short", Title: "a suspicion is over just when the answer to the next ping may come",
		Breaks: confirmed, Show: lossy, Edit: variant.Setup(func(cfg *Config) { cfg.Suspicion -= cfg.Period + 1 }),
	},
	{
		Name: "suspicion-stays", Title: "a suspicion that is refuted still ends in a confirmation",
		Breaks: confirmed, Show: lossy, Edit: variant.Nodes(func(m Member) model.Node { return &stubbornMember{m} }),
	},
	{
		Name: "alive-overrides-suspect", Title: "news that a member is alive overrides a suspicion of the same incarnation",
		Breaks: precedence, Edit: follow(hopeful{}), Show: timed(2, 0, model.Faults{Loss: 2}, precedence),
	},
	{
		Name: "failed-is-overridden", Title: "news of a later incarnation overrides a confirmation",
		Breaks: precedence, Edit: follow(reviving{}), Show: timed(2, 0, model.Faults{Loss: 3}, precedence),
	},
	{
		Name: "suspect-increments", Title: "who suspects a member increments its incarnation number",
		Breaks: ownNumber, Edit: follow(presumptuous{}), Show: timed(2, 0, model.Faults{Crashes: 1}, ownNumber),
	},
	{
		Name: "skips-a-number", Title: "a member that is suspected increments its number by two",
		Breaks: ownNumber, Edit: follow(skipping{}), Show: lossy,
	},
}

func assumeAnyway(n int, f model.Faults, claims ...string) model.Check {
	c := timed(n, 0, f, claims...)
	c.AssumeAnyway = true
	return c
}

// indirect is a check with one helper and one loss.
var indirect = timed(3, 1, model.Faults{Loss: 1}, helped)

type loneMember struct{ Member }

// Timeout sends no ping-req.
func (m *loneMember) Timeout(env model.Env, alarm any) {
	if _, is := alarm.(direct); !is {
		m.Member.Timeout(env, alarm)
	}
}

type selfishMember struct{ Member }

// Receive drops answers to others.
func (m *selfishMember) Receive(env model.Env, from model.NodeID, packet any) {
	p := packet.(Packet)
	if a, is := p.Body.(Ack); is && a.For != env.Self() {
		m.learn(env, p.News)
		return
	}
	m.Member.Receive(env, from, packet)
}

type randomMember struct{ Member }

// Timeout resets the list before each period.
func (m *randomMember) Timeout(env model.Env, alarm any) {
	if _, is := alarm.(period); is {
		m.Unasked = map[model.NodeID]bool{}
	}
	m.Member.Timeout(env, alarm)
}

type suspectsAnew struct{ Spec }

// Unanswered restarts the time of a suspicion.
func (suspectsAnew) Unanswered(m *Member, env model.Env, target model.NodeID) {
	if m.suspect(env, target); m.Members[target].State == Suspected {
		env.After(suspicion{target}, model.Exactly(m.cfg.Suspicion))
	}
}

type selfish struct{ Spec }

// Overrides adopts only news of alive members.
func (selfish) Overrides(news, known Entry) bool {
	return news.State == Alive && Spec{}.Overrides(news, known)
}

type mute struct{ Spec }

// Refutes returns the same incarnation.
func (mute) Refutes(_ Entry, own int) int { return own }

type numberOne struct{ Spec }

// Refutes returns incarnation 1.
func (numberOne) Refutes(news Entry, own int) int {
	if n := (Spec{}).Refutes(news, own); n > own {
		return 1
	}
	return own
}

type silentMember struct{ Member }

// Timeout sends messages without news.
func (m *silentMember) Timeout(env model.Env, alarm any) { m.Member.Timeout(silent{env}, alarm) }

// Receive sends messages without news.
func (m *silentMember) Receive(env model.Env, from model.NodeID, packet any) {
	m.Member.Receive(silent{env}, from, packet)
}

// silent is an environment in which messages carry no news.
type silent struct{ model.Env }

// Send removes the news.
func (s silent) Send(to model.NodeID, packet any) { s.Env.Send(to, Packet{Body: packet.(Packet).Body}) }

type discreetMember struct{ Member }

// Timeout sends messages without suspicions.
func (m *discreetMember) Timeout(env model.Env, alarm any) { m.Member.Timeout(discreet{env}, alarm) }

// Receive sends messages without suspicions.
func (m *discreetMember) Receive(env model.Env, from model.NodeID, packet any) {
	m.Member.Receive(discreet{env}, from, packet)
}

// discreet is an environment in which messages carry no suspicions.
type discreet struct{ model.Env }

// Send removes the suspicions.
func (d discreet) Send(to model.NodeID, packet any) {
	p := packet.(Packet)
	news := maps.Clone(p.News)
	maps.DeleteFunc(news, func(_ model.NodeID, e Entry) bool { return e.State == Suspected })
	d.Env.Send(to, Packet{p.Body, news})
}

type stubbornMember struct{ Member }

// Receive does not cancel alarms of suspicions.
func (m *stubbornMember) Receive(env model.Env, from model.NodeID, packet any) {
	m.Member.Receive(stubborn{env}, from, packet)
}

// stubborn is an environment in which alarms are not cancelled.
type stubborn struct{ model.Env }

// Cancel does nothing.
func (stubborn) Cancel(any) {}

type hopeful struct{ Spec }

// Overrides also adopts alive in the same incarnation.
func (hopeful) Overrides(news, known Entry) bool {
	return Spec{}.Overrides(news, known) || news.State == Alive && known.State == Suspected && news.Incarnation == known.Incarnation
}

type reviving struct{ Spec }

// Overrides also adopts later incarnations of a failed member.
func (reviving) Overrides(news, known Entry) bool {
	return Spec{}.Overrides(news, known) || news.Incarnation > known.Incarnation
}

type presumptuous struct{ Spec }

// Unanswered suspects the member in its next incarnation.
func (presumptuous) Unanswered(m *Member, env model.Env, target model.NodeID) {
	if e := m.Members[target]; e.State == Alive {
		m.set(env, target, Entry{Suspected, e.Incarnation + 1})
	}
}

type skipping struct{ Spec }

// Refutes skips a number.
func (skipping) Refutes(news Entry, own int) int {
	if n := (Spec{}).Refutes(news, own); n > own {
		return n + 1
	}
	return own
}
