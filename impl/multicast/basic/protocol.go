package basic

import (
	_ "embed" // the traces of findings
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multicast-basic",
	Title:  "reliable multicast with acknowledgements",
	Source: "SDX lecture",
	Params: []model.Parameter{multicast.Processes.WithRange(2, 32), multicast.Messages, multicast.Senders, model.Delay},
	Build:  build,
	Claims: claimed, Properties: multicast.Others(multicast.Group, claimed), Costs: costed,
	Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep, Findings: findings,
}

// findings are the claims that are false as printed: see docs/findings.md.
var findings = []model.Finding{
	{Name: "the-last-message", Claim: multicast.Agreement, Trace: agreementRefuted},
	{Name: "the-last-message", Claim: "all or none", Trace: allOrNoneRefuted},
	{Name: "the-last-message", Claim: "history emptied", Trace: emptiedRefuted},
	{Name: "one-request", Claim: "queued messages are delivered", Trace: queuedRefuted},
}

var (
	//go:embed findings/agreement.json
	agreementRefuted []byte
	//go:embed findings/all-or-none.json
	allOrNoneRefuted []byte
	//go:embed findings/history-emptied.json
	emptiedRefuted []byte
	//go:embed findings/queued.json
	queuedRefuted []byte
)

func build(c model.Config) (*model.System, error) {
	if err := multicast.CheckSenders(c); err != nil {
		return nil, err
	}
	cfg := &Config{
		Processes: multicast.First(c.N),
		Timeout:   2*model.Delay.Of(c) + 1, // more than a message and its acknowledgement take
	}
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Types:   []any{Multicast{}, Data{}, Ack{}, Request{}, multicast.Held{}, Removed{}, multicast.Message{}},
		Setup:   cfg,
		Nodes:   multicast.Specs(c, func(model.NodeID) model.Node { return &Process{cfg: cfg} }),
	}
	for i := range s.Nodes {
		s.Nodes[i].Crash = model.CrashStopRecovery
		for j := range s.Nodes[i].Script {
			s.Nodes[i].Script[j].Call = Multicast{j + 1}
		}
	}
	return s, nil
}

var (
	safety = []string{multicast.Integrity, multicast.FIFOOrder, "history kept"}
	lossy  = []string{multicast.Agreement, "all or none", "history emptied"}
)

var checks = []model.Check{
	{Config: multicast.Sized(3, 1, 2)},
	{Config: multicast.Sized(2, 1, 3)},
	{Config: variant.Faulty(multicast.Sized(2, 0, 1), model.Faults{Duplication: 1})},
	{Config: variant.Faulty(multicast.Sized(2, 1, 3), model.Faults{Loss: 1})},
	{Config: variant.Faulty(multicast.Sized(2, 1, 2), model.Faults{Crashes: 1, Loss: 1}), Claims: append([]string{multicast.Validity}, safety...)},
	{Config: variant.Faulty(multicast.Sized(2, 1, 1), model.Faults{Loss: 1}), Claims: lossy},
	{Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Loss: 1}), Claims: []string{"queued messages are delivered"}},
	{Config: variant.Faulty(multicast.Sized(2, 1, 4), model.Faults{Loss: 1}), Claims: []string{"queued messages are delivered"}},
	{Config: variant.Faulty(multicast.Sized(2, 1, 2), model.Faults{Loss: 2}), Claims: []string{"queued messages are delivered"}},
	{Variant: "resend", Config: variant.Faulty(multicast.Sized(2, 1, 2), model.Faults{Loss: 1, Partitions: 1})},
	{Variant: "stable", Config: variant.Faulty(multicast.Sized(2, 1, 1), model.Faults{Restarts: 1, Loss: 1}), Reading: model.Grid},
	{Variant: "one-at-a-time", Config: multicast.Sized(2, 0, 2)},
	{Config: multicast.Sized(4, 0, 2), Reading: model.Dense, Schedules: 100},
}

var deep = []model.Check{
	{Config: multicast.Sized(3, 2, 2)},
	{Config: variant.Faulty(multicast.Sized(3, 2, 2), model.Faults{Loss: 1}), Claims: safety},
	{Variant: "fifo", Config: multicast.Sized(3, 0, 2)},
	{Variant: "fifo", Config: variant.Faulty(multicast.Sized(3, 0, 2), model.Faults{Loss: 1}), Claims: safety},
	{Variant: "resend", Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Loss: 1})},
}
