package enhancedring

import (
	_ "embed" // the traces of findings
	"slices"

	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "enhancedring",
	Title:  "election on a ring that skips processes that do not respond",
	Source: "SDX lecture",
	Params: []model.Parameter{
		election.Processes, election.Initiator, election.Initiators, election.Down,
		model.Ops.WithMeaning("elections of each initiator"), model.Delay,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep, Findings: findings,
}

func build(c model.Config) (*model.System, error) {
	if err := election.Check(c); err != nil {
		return nil, err
	}
	delay := model.Delay.Of(c)
	cfg := &Config{
		All:      model.NodeID(c.N),
		Patience: 2*delay + 1, // more than a message and its response take
	}
	return &model.System{
		Config:   c,
		Network:  model.Network{Delay: model.By(delay)},
		Detector: model.Detector{Kind: model.EventuallyPerfect, Report: model.Between(0, cfg.Patience), Mistake: model.Between(0, cfg.Patience)},
		Types: []any{
			Election{}, Coordinator{}, Message{}, Response{}, Handed{}, Ring{}, model.NodeID(0),
			election.Elect{}, election.Begun{}, election.Undecided{}, election.Decided{}, election.Over{},
		},
		Setup: cfg,
		Nodes: election.Specs(c, model.CrashStopRecovery, func(model.NodeID) model.Node {
			// Before the first election the last is the coordinator, whether it is up or not.
			return &Process{cfg: cfg, Leader: cfg.All - 1}
		}),
	}, nil
}

var (
	failures = []string{"one coordinator", "failures supported"}
	alive    = []string{"liveness"}
)

var checks = []model.Check{
	{Config: election.Of(3, 1, 1), Reading: model.Grid},
	{Config: election.Of(3, 2, 1).With(election.Down.Is(1)), Reading: model.Grid},
	{Config: election.Of(3, 1, 1).With(election.Down.Is(2)), Reading: model.Grid, Claims: alive},
	{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1}), Reading: model.Grid, Claims: failures},
	{Config: dead(1, model.Faults{Crashes: 1}).Config, Reading: model.Grid, Claims: failures},
	// A lone process loses nothing that it needs at a crash: it initiates an election when it recovers.
	{Config: variant.Faulty(election.Of(1, 1, 1), model.Faults{Restarts: 1}), Variant: "detector", Claims: []string{"liveness"}, AssumeAnyway: true},
	{Config: election.Of(3, 1, 1), Reading: model.Dense, Claims: []string{"safety", "one coordinator"}},
	{Config: election.Of(4, 2, 2), Reading: model.Dense, Schedules: 100, Claims: []string{"safety", "one coordinator"}},
	{Config: election.Of(3, 2, 1), Variant: "lockstep", Reading: model.Grid, Claims: whole},
	{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1}), Variant: "lockstep", Reading: model.Grid, Claims: failures},
	{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Suspicions: 1}), Variant: "lockstep", Reading: model.Grid, Claims: whole},
	{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Suspicions: 1}), Variant: "watchdog+lockstep", Reading: model.Grid, Claims: whole},
	{Config: election.Of(3, 1, 1), Variant: "detector", Claims: whole},
	{Config: election.Of(2, 1, 2), Variant: "detector", Claims: whole},
	{Config: variant.Faulty(election.Of(2, 1, 1), model.Faults{Crashes: 1}), Variant: "detector", Claims: failures},
	{Config: dead(1, model.Faults{Crashes: 2}).Config, Variant: "watchdog", Reading: model.Grid, Claims: failures},
}

// deep are checks of minutes.
var deep = []model.Check{
	{Config: election.Of(3, 1, 2), Reading: model.Grid, Claims: whole},
	{Config: variant.Faulty(election.Of(4, 2, 1), model.Faults{Crashes: 1}), Variant: "lockstep", Reading: model.Grid, Claims: failures},
	{Config: variant.Faulty(election.Of(4, 1, 1), model.Faults{Crashes: 1}), Variant: "watchdog+lockstep", Reading: model.Grid, Claims: failures},
	{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 2}), Variant: "watchdog", Reading: model.Grid, Claims: failures},
	{Config: variant.Faulty(election.Of(2, 1, 1), model.Faults{Crashes: 1, Restarts: 1}), Variant: "watchdog+lockstep", Reading: model.Grid, Claims: alive},
}

// findings are the claims that are false as printed: see docs/findings.md.
var findings = []model.Finding{
	{Name: "the-members-of-the-new-ring", Claim: "members known", Trace: membersRefuted, Holds: []model.Config{election.Of(3, 2, 1).With(election.Down.Is(1))}},
	{Name: "a-message-dies-with-who-has-it", Claim: "failures supported", Trace: failuresRefuted},
}

var (
	//go:embed findings/members-known.json
	membersRefuted []byte
	//go:embed findings/failures-supported.json
	failuresRefuted []byte
)
