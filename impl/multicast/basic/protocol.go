package basic

import (
	_ "embed" // the kept traces of findings
	"slices"

	"contend/impl/multicast"
	"contend/model"
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

// findings are what does not hold as printed: see docs/findings.md.
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
	cfg := newConfig(c)
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

func newConfig(c model.Config) *Config {
	cfg := &Config{
		Acknowledge: func(env model.Env, to model.NodeID, number int) { env.Send(to, Ack{number}) },
		Acknowledged: func(history map[int]Copy, number int) []int {
			return slices.DeleteFunc([]int{number}, func(n int) bool { _, kept := history[n]; return !kept })
		},
		Done: func(waiting map[model.NodeID]bool) bool { return len(waiting) == 0 },
		Retransmit: func(env model.Env, others []model.NodeID, _ model.NodeID, m Data) {
			env.Broadcast(others, m)
		},
		Again:   func(model.Env, model.NodeID, int) {},
		Timeout: 2*model.Delay.Of(c) + 1, // more than a message and its acknowledgement take
	}
	for i := range c.N {
		cfg.Processes = append(cfg.Processes, model.NodeID(i))
	}
	return cfg
}

var (
	safety = []string{multicast.Integrity, multicast.FIFOOrder, "history kept"}
	lossy  = []string{multicast.Agreement, "all or none", "history emptied"}
)

var checks = []model.Check{
	{Config: sized(3, 0, 1)},
	{Config: sized(3, 1, 2)},
	{Config: sized(2, 1, 3)},
	{Config: faulty(sized(2, 0, 2), model.Faults{Duplication: 1})},
	{Config: faulty(sized(3, 1, 2), model.Faults{Crashes: 1, Loss: 1}), Claims: append([]string{multicast.Validity}, safety...)},
	{Config: faulty(sized(2, 1, 1), model.Faults{Loss: 1}), Claims: lossy},
	{Config: faulty(sized(3, 1, 2), model.Faults{Loss: 1}), Claims: []string{"queued messages are delivered"}},
	{Config: faulty(sized(2, 1, 2), model.Faults{Loss: 2}), Claims: []string{"queued messages are delivered"}},
	{Variant: "resend", Config: faulty(sized(3, 1, 1), model.Faults{Loss: 2})},
	{Variant: "resend", Config: faulty(sized(2, 1, 2), model.Faults{Loss: 1, Partitions: 1})},
	{Variant: "stable", Config: faulty(sized(2, 1, 2), model.Faults{Restarts: 1, Loss: 1}), Reading: model.Grid},
	{Config: sized(4, 0, 2), Reading: model.Dense, Schedules: 200},
}

var deep = []model.Check{
	{Config: sized(3, 2, 2)},
	{Config: faulty(sized(3, 2, 2), model.Faults{Loss: 1}), Claims: safety},
	{Variant: "fifo", Config: sized(3, 0, 2)},
	{Variant: "fifo", Config: faulty(sized(3, 0, 2), model.Faults{Loss: 1}), Claims: safety},
	{Variant: "resend", Config: faulty(sized(3, 1, 2), model.Faults{Loss: 1})},
}

// sized is a configuration with numbers of processes, senders and messages of each sender.
func sized(n, senders, messages int) model.Config {
	return model.Config{N: n}.With(multicast.Senders.Is(senders), multicast.Messages.Is(messages))
}

func faulty(c model.Config, f model.Faults) model.Config {
	c.Faults = f
	return c
}
