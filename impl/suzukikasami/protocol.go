package suzukikasami

import (
	_ "embed" // the traces of findings
	"slices"

	"contend/impl/mutex"
	"contend/impl/pages"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "suzukikasami",
	Title:  "mutual exclusion by one token and broadcast requests",
	Source: "Naimi–Thiare, Suzuki–Kasami's algorithm",
	Params: []model.Parameter{
		model.N.WithMeaning("processes").WithDefault(3),
		model.Ops.WithMeaning("entries of each process").WithDefault(2),
		model.Delay, mutex.Section, mutex.Asking,
	},
	Build:  build,
	Claims: claimed, Properties: []model.Claim{pages.RefinesLock(mutex.Kept...)}, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks,
	Deep: []model.Check{{Config: mutex.Of(3, 3), Claims: slices.Concat(safety, liveness[:1])}},
	Findings: []model.Finding{
		{Name: "suzuki-kasami-order", Claim: "happened-before order", Trace: happenedBefore},
		{Name: "where-the-queue-lives", Variant: "queue-as-printed", Claim: "deadlock freedom", Trace: queueAsPrinted, Breaks: []model.Config{mutex.Of(2, 3)}},
		{Name: "where-the-queue-lives", Variant: "queue-rebuilt", Claim: "bounded overtaking", Trace: queueRebuilt},
	},
}

var (
	//go:embed findings/happened-before.json
	happenedBefore []byte
	//go:embed findings/queue-as-printed.json
	queueAsPrinted []byte
	//go:embed findings/queue-rebuilt.json
	queueRebuilt []byte
)

func build(c model.Config) (*model.System, error) {
	if err := mutex.CheckAsking(c); err != nil {
		return nil, err
	}
	cfg := mutex.NewPeers(c.N)
	return &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Request{}, Token{}, mutex.Acquire{}, mutex.Release{}, mutex.Waiting{}},
		Setup:   cfg,
		Nodes:   mutex.Specs(c, func() model.Node { return &Process{cfg: cfg} }),
	}, nil
}

var (
	safety   = []string{"mutual exclusion", "lock", "one token", "request numbers"}
	liveness = []string{"deadlock freedom", "every request is granted", "bounded overtaking"}
)

var checks = []model.Check{
	{Config: mutex.Of(2, 5)},
	{Config: mutex.Of(3, 1)},
	// An old request may arrive after the next request of its process, at a process that gets the token later. And a process
	// may be overtaken twice.
	{Config: mutex.Of(3, 2), Claims: []string{"deadlock freedom", "bounded overtaking"}},
	{Config: variant.Faulty(mutex.Of(3, 1), model.Faults{Crashes: 1, Loss: 1}), Claims: safety},
	{Config: mutex.Of(3, 2), Variant: "queue-rebuilt", Claims: []string{"bounded overtaking"}},
	{Config: mutex.Of(2, 3), Variant: "queue-as-printed"},
	{Config: mutex.Of(3, 1), Variant: "queued-on-exit"},
}
