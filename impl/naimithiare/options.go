package naimithiare

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// options are readings of the text, and edits that look like bugs but are not. Where Lemma 1
// fails as in the protocol as it stands, it is not claimed; nor is what fails for the reason that
// the finding of a reading shows.
var options = []model.Variant{
	counters,
	{
		Name: "local-first", Title: "reading: \"Q_i*Q\" of rule 3 puts Q_i first, as in T10",
		Unclaimed: []string{"Lemma 1"},
		Show:      model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(2), mutex.Asking.Is(2)), Claims: slices.Concat(safety, live)},
		Edit: tune(func(c *Config) {
			c.Join = func(own, received []Couple) []Couple { return slices.Concat(own, received) }
		}),
	},
	{
		Name: "rule-3-as-printed", Title: "reading: when the token comes, only T raises R_i, not the requests that it brings",
		Unclaimed: []string{"Lemma 1", "the queue waits", "Lemma 2, couples", "Lemma 3", "happened-before order", "every request is granted", "bounded overtaking"},
		Show:      model.Check{Config: model.Config{N: 2}, Claims: safety},
		Edit:      tune(func(c *Config) { c.Learn = func(*Process, []Couple) {} }),
	},
	{
		Name: "obsolete-entered", Title: "reading: a request in Q_i is obsolete when it was granted, not when a later one is known",
		Unclaimed: []string{"Lemma 1", "Lemma 2, couples"},
		Show:      model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(1))},
		Edit:      tune(func(c *Config) { c.Past = func(h, _, t int) bool { return h <= t } }),
	},
	{
		Name: "obsolete-as-printed", Title: "reading: what P_i has received is obsolete in Q_i too",
		Unclaimed: []string{"Lemma 1", "the queue waits", "Lemma 3", "happened-before order", "every request is granted", "bounded overtaking"},
		Show:      model.Check{Config: model.Config{N: 2}, Claims: safety},
		Edit:      tune(func(c *Config) { c.Past = c.Obsolete }),
	},
	{
		Name: "idle-as-printed", Title: "reading: only rules 1 to 4, which send the token only on leaving",
		Unclaimed: []string{"Lemma 1", "the queue waits", "Lemma 3", "happened-before order", "every request is granted", "bounded overtaking"},
		Show:      model.Check{Config: model.Config{N: 2}, Claims: safety},
		Edit:      replace(func(p Process) model.Node { return &idleProcess{p} }),
	},
	{
		Name: "rule-1-as-printed", Title: "reading: \"If (HT_i ≠ False)\", a process asks if it holds the token",
		Unclaimed: []string{"Lemma 1", "the queue waits", "every request is granted"},
		Show:      model.Check{Config: model.Config{N: 2}, Claims: []string{"mutual exclusion", "Lemma 2"}},
		Edit:      replace(func(p Process) model.Node { return &printedProcess{p} }),
	},
	{
		Name: "head-in-token", Title: "reading: TOKEN(Q) has the granted request at its head, as in T8; the receiver removes it",
		Unclaimed: withoutLemma1,
		Edit: func(s *model.System) {
			tune(func(c *Config) { c.Sent = func(queue []Couple) []Couple { return queue } })(s)
			replace(func(p Process) model.Node { return &beheadingProcess{p} })(s)
		},
	},
	{
		Name: "request-to-all", Title: "reading: \"For all k\" includes P_i, for which its own request is obsolete",
		Unclaimed: withoutLemma1,
		Show:      model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(3))},
		Edit: tune(func(c *Config) {
			c.To = func(others []model.NodeID, self model.NodeID) []model.NodeID { return append(others, self) }
		}),
	},
	{
		Name: "keeps-queue", Title: "a process that asks keeps the requests that it knows of others",
		Unclaimed: withoutLemma1,
		Edit:      tune(func(c *Config) { c.Left = func(queue []Couple) []Couple { return queue[:len(queue)-1] } }),
	},
	{
		Name: "keeps-after-token", Title: "a process that sends the token keeps the requests that it knows of others",
		Unclaimed: withoutLemma1,
		Edit:      replace(func(p Process) model.Node { return &rememberingProcess{p} }),
	},
	{
		Name: "free-entries-count", Title: "an entry that needs no message has a timestamp too",
		Unclaimed: withoutLemma1,
		Edit:      replace(func(p Process) model.Node { return &countingProcess{p} }),
	},
}

var counters = model.Variant{
	Name: "counters", Title: "reading: R_i[i] counts the requests of P_i, without the last line of rule 2",
	Edit: tune(func(c *Config) { c.Clock = func(_ []int, own int) int { return own } }),
}

var withoutLemma1 = []string{"Lemma 1"}

func tune(f func(*Config)) func(*model.System) {
	return func(s *model.System) { f(s.Setup.(*Config)) }
}

func replace(f func(Process) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			s.Nodes[i].New = func() model.Node { return f(Process{cfg: s.Setup.(*Config)}) }
		}
	}
}

// An idleProcess keeps an idle token.
type idleProcess struct{ Process }

// Receive is rule 2 or rule 3.
func (p *idleProcess) Receive(env model.Env, from model.NodeID, m any) {
	req, asks := m.(REQ)
	if !asks {
		p.Process.Receive(env, from, m)
		return
	}
	holds := p.HT
	p.HT = false
	p.requested(env, req.Q)
	p.HT = holds
}

// A printedProcess follows rule 1 to the letter.
type printedProcess struct{ Process }

// Invoke is rule 1 or rule 4.
func (p *printedProcess) Invoke(env model.Env, op any) {
	_, asks := op.(mutex.Acquire)
	switch {
	case !asks:
		p.Process.Invoke(env, op)
	case p.HT:
		p.HT = false
		p.Process.Invoke(env, op)
		p.HT = true
	default:
		p.Waiting = true
	}
}

// A beheadingProcess gets a queue with its own request.
type beheadingProcess struct{ Process }

// Receive is rule 2 or rule 3.
func (p *beheadingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if token, ok := m.(TOKEN); ok {
		token.Q = slices.DeleteFunc(slices.Clone(token.Q), func(c Couple) bool { return c.J == env.Self() })
		m = token
	}
	p.Process.Receive(env, from, m)
}

// A countingProcess has a timestamp for each of its entries.
type countingProcess struct{ Process }

// Invoke is rule 1 or rule 4.
func (p *countingProcess) Invoke(env model.Env, op any) {
	if _, asks := op.(mutex.Acquire); asks && p.HT {
		p.R[env.Self()]++
	}
	p.Process.Invoke(env, op)
}

// A rememberingProcess keeps its queue, without the head, when it sends the token.
type rememberingProcess struct{ Process }

// Invoke is rule 1 or rule 4.
func (p *rememberingProcess) Invoke(env model.Env, op any) {
	before := p.Q
	p.Process.Invoke(env, op)
	if _, leaves := op.(mutex.Release); leaves && !p.HT {
		p.Q = before[1:]
	}
}
