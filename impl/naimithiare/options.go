package naimithiare

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// options are different readings of the text, and harmless edits that look like bugs. They do not claim Lemma 1 where
// it fails for the reason of the protocol as printed. They do not claim what fails for the reason in the finding of a
// reading.
var options = []model.Variant{
	counters,
	{
		Name: "local-first", Title: "reading: \"Q_i*Q\" of rule 3 puts Q_i first, as in T10",
		Unclaimed: []string{"Lemma 1"},
		Show:      model.Check{Config: mutex.Of(3, 2).With(mutex.Asking.Is(2)), Claims: slices.Concat(safety, live)},
		Edit:      page.Edit(`slices.Concat(q, own)`, `slices.Concat(own, q)`),
	},
	{
		Name: "rule-3-as-printed", Title: "reading: when the token comes, only T raises R_i, not the requests that it brings",
		Unclaimed: []string{"Lemma 1", "the queue waits", "Lemma 2, couples", "Lemma 3", "happened-before order", "every request is granted", "bounded overtaking"},
		Show:      model.Check{Config: model.Config{N: 2}, Claims: safety},
		Edit:      page.Edit(`p.learn(q)`, ``),
	},
	{
		Name: "obsolete-entered", Title: "reading: a request in Q_i is obsolete when it was granted, not when a later one is known",
		Unclaimed: []string{"Lemma 1", "Lemma 2, couples"},
		Show:      model.Check{Config: mutex.Of(3, 1)},
		Edit:      page.Edit(`c.H < p.R[c.J] || c.H <= p.T[c.J]`, `c.H <= p.T[c.J]`),
	},
	{
		Name: "obsolete-as-printed", Title: "reading: what P_i has received is obsolete in Q_i too",
		Unclaimed: []string{"Lemma 1", "the queue waits", "Lemma 3", "happened-before order", "every request is granted", "bounded overtaking"},
		Show:      model.Check{Config: model.Config{N: 2}, Claims: safety},
		Edit:      page.Edit(`c.H < p.R[c.J]`, `c.H <= p.R[c.J]`),
	},
	{
		Name: "idle-as-printed", Title: "reading: only rules 1 to 4, which send the token only on leaving",
		Unclaimed: []string{"Lemma 1", "the queue waits", "Lemma 3", "happened-before order", "every request is granted", "bounded overtaking"},
		Show:      model.Check{Config: model.Config{N: 2}, Claims: safety},
		Edit:      page.Edit(`if p.HT { p.serve(env)`, `if false { p.serve(env)`),
	},
	{
		Name: "rule-1-as-printed", Title: "reading: \"If (HT_i ≠ False)\", a process asks if it holds the token",
		Unclaimed: []string{"Lemma 1", "the queue waits", "every request is granted"},
		Show:      model.Check{Config: model.Config{N: 2}, Claims: []string{"mutual exclusion", "Lemma 2"}},
		Edit:      page.Edit(`if p.HT { p.enter(env)`, `if !p.HT { p.Waiting = true`),
	},
	{
		Name: "head-in-token", Title: "reading: TOKEN(Q) has the granted request at its head, as in T8; the receiver removes it",
		Unclaimed: withoutLemma1,
		Edit:      page.Edit(`TOKEN{p.Q[1:], p.T}`, `TOKEN{p.Q, p.T}`, `p.learn(q)`, `q = q[1:]; p.learn(q)`),
	},
	{
		Name: "request-to-all", Title: "reading: \"For all k\" includes P_i, for which its own request is obsolete",
		Unclaimed: withoutLemma1,
		Show:      model.Check{Config: mutex.Of(2, 3)},
		Edit:      page.Edit(`p.cfg.Others(i), REQ`, `append(p.cfg.Others(i), i), REQ`),
	},
	{
		Name: "keeps-queue", Title: "a process that asks keeps the requests that it knows of others",
		Unclaimed: withoutLemma1,
		Edit:      page.Edit(`p.Q, p.Waiting = nil, true`, `p.Q, p.Waiting = p.Q[:len(p.Q)-1], true`),
	},
	{
		Name: "keeps-after-token", Title: "a process that sends the token keeps the requests that it knows of others",
		Unclaimed: withoutLemma1,
		Edit:      page.Edit(`p.HT, p.Q = false, nil`, `p.HT, p.Q = false, p.Q[1:]`),
	},
	{
		Name: "free-entries-count", Title: "an entry that needs no message has a timestamp too",
		Unclaimed: withoutLemma1,
		Edit:      page.Edit(`if p.HT { p.enter(env)`, `if p.HT { p.R[i]++; p.enter(env)`),
	},
}

var counters = model.Variant{
	Name: "counters", Title: "reading: R_i[i] counts the requests of P_i, without the last line of rule 2",
	Edit: page.Edit(`p.R[env.Self()] = slices.Max(p.R)`, ``),
}

var withoutLemma1 = []string{"Lemma 1"}
