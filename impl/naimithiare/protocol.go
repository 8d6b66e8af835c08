package naimithiare

import (
	_ "embed" // the traces of findings
	"slices"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "naimithiare",
	Title:  "mutual exclusion by one token and causally ordered requests",
	Source: "Naimi–Thiare 2009",
	Params: []model.Parameter{
		model.N.WithMeaning("processes").WithDefault(3),
		model.Ops.WithMeaning("entries of each process").WithDefault(2),
		model.Delay, mutex.Section, mutex.Asking,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep, Findings: findings,
}

// findings are the claims that fail as printed: see docs/findings.md.
var findings = []model.Finding{
	{Name: "two-clocks-in-one", Claim: "Lemma 1", Trace: lemma1Refuted},
	{Name: "whose-queue-goes-first", Variant: "local-first", Claim: "happened-before order", Trace: localFirstRefuted},
	{Name: "whose-queue-goes-first", Variant: "local-first", Claim: "Lemma 3", Trace: localFirstLemma3Refuted},
	{Name: "whose-queue-goes-first", Variant: "local-first", Claim: "bounded overtaking", Trace: localFirstOvertaking},
	{Name: "requests-that-the-token-brings", Variant: "rule-3-as-printed", Claim: "deadlock freedom", Trace: rule3Refuted},
	{Name: "what-is-obsolete", Variant: "obsolete-as-printed", Claim: "deadlock freedom", Trace: obsoleteRefuted},
	{Name: "what-is-obsolete", Variant: "obsolete-entered", Claim: "Lemma 2", Trace: obsoleteEnteredRefuted},
	{Name: "rules-that-stand-still", Variant: "rule-1-as-printed", Claim: "deadlock freedom", Trace: rule1Refuted, Breaks: []model.Config{mutex.Of(1, 1)}},
	{Name: "rules-that-stand-still", Variant: "idle-as-printed", Claim: "deadlock freedom", Trace: idleRefuted},
}

var (
	//go:embed findings/lemma-1.json
	lemma1Refuted []byte
	//go:embed findings/local-first.json
	localFirstRefuted []byte
	//go:embed findings/local-first-lemma-3.json
	localFirstLemma3Refuted []byte
	//go:embed findings/local-first-overtaking.json
	localFirstOvertaking []byte
	//go:embed findings/rule-3-as-printed.json
	rule3Refuted []byte
	//go:embed findings/obsolete-as-printed.json
	obsoleteRefuted []byte
	//go:embed findings/obsolete-entered.json
	obsoleteEnteredRefuted []byte
	//go:embed findings/rule-1-as-printed.json
	rule1Refuted []byte
	//go:embed findings/idle-as-printed.json
	idleRefuted []byte
)

func build(c model.Config) (*model.System, error) {
	if err := mutex.CheckAsking(c); err != nil {
		return nil, err
	}
	cfg := mutex.NewPeers(c.N)
	return &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{REQ{}, TOKEN{}, mutex.Acquire{}, mutex.Release{}, mutex.Waiting{}},
		Setup:   cfg,
		Nodes:   mutex.Specs(c, func() model.Node { return &Process{cfg: cfg} }),
	}, nil
}

var (
	safety = []string{"mutual exclusion", "lock", "one token", "Lemma 2", "Lemma 2, couples"}
	tame   = append(slices.Clip(safety), "the queue waits") // safety where nobody crashes
	live   = []string{"deadlock freedom", "every request is granted"}
	order  = []string{"happened-before order", "Lemma 3"}
	alive  = live[:1]
)

var checks = []model.Check{
	{Config: mutex.Of(3, 1)},
	{Config: mutex.Of(3, 2).With(mutex.Asking.Is(2)), Claims: slices.Concat(tame, live, order[:1], []string{"Lemma 1", "bounded overtaking"})},
	{Config: variant.Faulty(mutex.Of(2, 2), model.Faults{Crashes: 1, Loss: 1}), Claims: slices.Concat(safety, order[:1])},
	{Config: mutex.Of(3, 1), Variant: "counters"},
	{Config: mutex.Of(3, 1), Variant: "local-first", Claims: order},
	{Config: mutex.Of(3, 2), Variant: "local-first", Claims: []string{"bounded overtaking"}},
	{Config: mutex.Of(3, 1), Variant: "rule-3-as-printed", Claims: alive},
	{Config: mutex.Of(2, 1), Variant: "obsolete-as-printed", Claims: alive},
	{Config: mutex.Of(3, 2).With(mutex.Asking.Is(2)), Variant: "obsolete-entered", Claims: []string{"Lemma 2"}},
	{Config: mutex.Of(2, 1), Variant: "rule-1-as-printed", Claims: alive},
	{Config: mutex.Of(2, 1), Variant: "idle-as-printed", Claims: alive},
	{Config: mutex.Of(4, 2), Reading: model.Dense, Schedules: 200, Claims: slices.Concat([]string{"mutual exclusion", "lock"}, alive)},
}

// deep are checks that take minutes.
var deep = []model.Check{
	{Config: mutex.Of(3, 2), Claims: slices.Concat(safety, live, order, []string{"bounded overtaking"})},
}
