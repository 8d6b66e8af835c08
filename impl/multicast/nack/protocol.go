package nack

import (
	_ "embed" // the kept traces of findings
	"slices"

	"contend/impl/multicast"
	"contend/model"
)

// Spread is how long the random delay before a NACK may be.
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

// findings are what does not hold as printed: see docs/findings.md.
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
	cfg := newConfig(c)
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

func newConfig(c model.Config) *Config {
	cfg := &Config{
		Delay:    model.Delay.Of(c),
		Wait:     func(model.NodeID) model.Window { return model.Uniform(0, Spread.Of(c)) },
		Ask:      func(env model.Env, others []model.NodeID, m NACK) { env.Broadcast(others, m) },
		Asked:    func(missing []int) []int { return missing },
		Suppress: (*Process).suppress,
		Retransmit: func(env model.Env, others []model.NodeID, _ model.NodeID, m Data) {
			env.Broadcast(others, m)
		},
	}
	for i := range c.N {
		cfg.Processes = append(cfg.Processes, model.NodeID(i))
	}
	return cfg
}

var (
	safety = []string{multicast.Integrity, multicast.FIFOOrder, "suppression", "history kept"}
	whole  = append([]string{multicast.Validity, multicast.Agreement, "queued messages are delivered"}, safety...)
)

var checks = []model.Check{
	{Config: sized(3, 1, 2), Claims: whole},
	{Config: sized(2, 0, 2), Claims: whole},
	{Config: sized(2, 1, 3), Claims: whole},
	{Config: sized(3, 0, 1), Claims: whole},
	{Config: faulty(sized(2, 0, 2), model.Faults{Duplication: 1}), Claims: whole},
	{Config: faulty(sized(3, 1, 2), model.Faults{Crashes: 1, Loss: 2}), Claims: append([]string{multicast.Validity}, safety...)},
	{Config: faulty(sized(2, 1, 1), model.Faults{Loss: 1}), Claims: []string{multicast.Agreement}},
	{Config: faulty(sized(3, 1, 2), model.Faults{Loss: 1}), Claims: []string{"queued messages are delivered"}},
	{Config: faulty(sized(2, 1, 2), model.Faults{Loss: 2}), Claims: []string{"queued messages are delivered"}},
	{Config: sized(3, 1, 2), Reading: model.Grid, Claims: []string{"only one NACK"}},
	{Variant: "slotted", Config: faulty(sized(3, 1, 2), model.Faults{Loss: 2}), Reading: model.Dense, Claims: []string{"only one NACK", "suppression"}},
	{Variant: "slotted", Config: faulty(sized(3, 1, 3), model.Faults{Loss: 2}), Reading: model.Grid, Claims: []string{"only one NACK", "suppression"}},
	{Variant: "repeats", Config: faulty(sized(3, 1, 2), model.Faults{Loss: 1}), Claims: []string{multicast.Integrity, "queued messages are delivered"}},
	{Variant: "session", Config: faulty(sized(2, 1, 2), model.Faults{Loss: 2, Partitions: 1})},
	{Config: sized(4, 0, 2), Reading: model.Dense, Schedules: 200, Claims: whole},
}

var deep = []model.Check{
	{Config: sized(3, 2, 2), Claims: whole},
	{Config: faulty(sized(3, 2, 2), model.Faults{Loss: 1}), Claims: safety},
	{Variant: "fifo", Config: faulty(sized(3, 0, 2), model.Faults{Loss: 2}), Claims: safety},
	{Variant: "fifo", Config: faulty(sized(3, 0, 2), model.Faults{Loss: 1}), Claims: []string{multicast.Validity, "queued messages are delivered"}},
	{Variant: "slotted", Config: faulty(sized(3, 2, 2), model.Faults{Loss: 2}), Reading: model.Grid, Claims: []string{"only one NACK"}},
	{Variant: "session", Config: faulty(sized(3, 1, 2), model.Faults{Loss: 1})},
}

// sized is a configuration with numbers of processes, senders and messages of each sender.
func sized(n, senders, messages int) model.Config {
	return model.Config{N: n}.With(multicast.Senders.Is(senders), multicast.Messages.Is(messages))
}

func faulty(c model.Config, f model.Faults) model.Config {
	c.Faults = f
	return c
}
