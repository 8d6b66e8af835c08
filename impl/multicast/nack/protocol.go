package nack

import (
	_ "embed" // the traces of findings
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// Spread is the longest random delay before a NACK.
var Spread = model.Param[model.Ticks]{
	Name: "spread", Meaning: "the longest random delay before a NACK", Least: 1, Most: 100, Default: 3,
}

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multicast-nack",
	Title:  "reliable multicast with suppressed negative acknowledgements",
	Source: "SDX lecture",
	Params: []model.Parameter{multicast.Processes.WithRange(2, 32), multicast.Messages.WithDefault(2), multicast.Senders, Spread, model.Delay},
	Build:  build,
	Claims: claimed, Properties: multicast.Others(multicast.Group, claimed), Costs: costed,
	Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep, Findings: findings,
}

// findings are the claims that fail as printed: see docs/findings.md.
var findings = []model.Finding{
	{Name: "the-last-message", Claim: multicast.Agreement, Trace: agreementRefuted},
	{Name: "one-request", Claim: "queued messages are delivered", Trace: queuedRefuted},
	{Name: "only-one-nack", Claim: "only one NACK", Trace: onlyOneRefuted},
}

var (
	//go:embed findings/agreement.json
	agreementRefuted []byte
	//go:embed findings/queued.json
	queuedRefuted []byte
	//go:embed findings/only-one.json
	onlyOneRefuted []byte
)

func build(c model.Config) (*model.System, error) {
	if err := multicast.CheckSenders(c); err != nil {
		return nil, err
	}
	cfg := &Config{multicast.First(c.N), model.Delay.Of(c), Spread.Of(c)}
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{multicast.Multicast{}, Data{}, NACK{}, Asks{}, Suppressed{}, Told{}, multicast.Held{}, multicast.Message{}},
		Setup:   cfg,
		Nodes:   multicast.Specs(c, func(model.NodeID) model.Node { return &Process{cfg: cfg} }),
	}
	for i := range s.Nodes {
		s.Nodes[i].Crash = model.CrashStopRecovery
	}
	return s, nil
}

var (
	safety = []string{multicast.Integrity, multicast.FIFOOrder, "suppression", "history kept"}
	whole  = append([]string{multicast.Validity, multicast.Agreement, "queued messages are delivered"}, safety...)
)

var checks = []model.Check{
	{Config: multicast.Sized(3, 1, 2), Claims: whole},
	{Config: multicast.Sized(2, 1, 3), Claims: whole},
	{Config: variant.Faulty(multicast.Sized(2, 0, 2), model.Faults{Duplication: 1}), Claims: whole},
	{Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Crashes: 1, Loss: 1}), Claims: append([]string{multicast.Validity}, safety...)},
	{Config: variant.Faulty(multicast.Sized(2, 1, 1), model.Faults{Loss: 1}), Claims: []string{multicast.Agreement}},
	{Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Loss: 1}), Claims: []string{"queued messages are delivered"}},
	{Config: variant.Faulty(multicast.Sized(2, 1, 3), model.Faults{Loss: 1}), Claims: []string{"queued messages are delivered"}},
	{Config: variant.Faulty(multicast.Sized(2, 1, 2), model.Faults{Loss: 2}), Claims: []string{"queued messages are delivered"}},
	{Config: multicast.Sized(3, 1, 2), Reading: model.Grid, Claims: []string{"only one NACK"}},
	{Variant: "slotted", Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Loss: 2}), Reading: model.Dense, Claims: []string{"only one NACK", "suppression"}},
	{Variant: "repeats", Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Loss: 1}), Claims: []string{multicast.Integrity, "queued messages are delivered"}},
	{Variant: "session", Config: variant.Faulty(multicast.Sized(2, 1, 2), model.Faults{Loss: 2, Partitions: 1})},
	{Config: multicast.Sized(4, 0, 2), Reading: model.Dense, Schedules: 100, Claims: whole},
}

var deep = []model.Check{
	{Variant: "slotted", Config: variant.Faulty(multicast.Sized(3, 1, 3), model.Faults{Loss: 2}), Reading: model.Grid, Claims: []string{"only one NACK", "suppression"}},
	{Config: multicast.Sized(3, 2, 2), Claims: whole},
	{Config: variant.Faulty(multicast.Sized(3, 2, 2), model.Faults{Loss: 1}), Claims: safety},
	{Variant: "fifo", Config: variant.Faulty(multicast.Sized(3, 0, 2), model.Faults{Loss: 2}), Claims: safety},
	{Variant: "fifo", Config: variant.Faulty(multicast.Sized(3, 0, 2), model.Faults{Loss: 1}), Claims: []string{multicast.Validity, "queued messages are delivered"}},
	{Variant: "slotted", Config: variant.Faulty(multicast.Sized(3, 2, 2), model.Faults{Loss: 2}), Reading: model.Grid, Claims: []string{"only one NACK"}},
	{Variant: "session", Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Loss: 1})},
}
