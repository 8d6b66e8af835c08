package bully

import (
	_ "embed" // the traces of findings
	"slices"

	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "bully",
	Title:  "election by the bully algorithm",
	Source: "SDX lecture",
	Params: []model.Parameter{
		election.Processes, election.Initiator, election.Initiators, election.Down,
		model.Ops.WithMeaning("elections of each initiator"), model.Delay,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, beyond, mutants), Checks: checks, Deep: deep, Findings: findings,
}

func build(c model.Config) (*model.System, error) {
	if err := election.Check(c); err != nil {
		return nil, err
	}
	cfg, delay := newConfig(c), model.Delay.Of(c)
	return &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(delay)},
		// A report comes later than the last message of the crashed process.
		Detector: model.Detector{Kind: model.EventuallyPerfect, Report: model.Between(delay+1, 2*delay+1), Mistake: model.Anytime()},
		Types: []any{
			Election{}, OK{}, Coordinator{}, Reinitiates{}, waiting{}, model.NodeID(0),
			election.Elect{}, election.Begun{}, election.Undecided{}, election.Decided{},
		},
		Setup: cfg,
		Nodes: election.Specs(c, model.CrashStopRecovery, func(model.NodeID) model.Node {
			return &Process{cfg: cfg, Leader: model.Some(cfg.All - 1)} // before the first election the last is the coordinator
		}),
	}, nil
}

// newConfig derives the time-outs from the delay δ. An Election message takes δ and its OK takes δ, so an OK
// arrives by 2δ. At most δ after a process receives an OK, all higher processes that are up have received its
// Election message. The highest of them wins at most [Config.Answer] later, and its Coordinator message takes
// δ. A message may arrive at the last instant, so a time-out is a tick later.
func newConfig(c model.Config) *Config {
	delay := model.Delay.Of(c)
	answer := 2*delay + 1
	return &Config{All: model.NodeID(c.N), Answer: answer, Announcement: answer + 2*delay + 1}
}

func timed(c model.Config, claims ...string) model.Check {
	return model.Check{Config: c, Reading: model.Grid, Claims: claims}
}

// option returns a timed check of an option.
func option(name string, c model.Config, f model.Faults, claims []string) model.Check {
	return model.Check{Variant: name, Config: variant.Faulty(c, f), Reading: model.Grid, Claims: claims}
}

// safe are the claims about every moment, ended those about the end.
var (
	safe  = []string{"no smaller coordinator", "one coordinator", "one at a time"}
	ended = []string{"liveness", "agreement", "largest in the end", "elections conclude"}
	whole = slices.Concat([]string{"safety", "no needless reinitiation"}, safe, ended)
	// crashing are the claims that hold when processes crash.
	crashing = slices.Concat(safe, ended)
	// returned are the claims of `bullies` when a process crashes and restarts.
	returned = append(slices.Clip(ended[:3]), "one at a time")
)

var checks = []model.Check{
	timed(election.Of(2, 2, 3)),
	timed(election.Of(3, 2, 1), whole...),
	timed(election.Of(3, 1, 2).With(model.Delay.Is(2)), whole...),
	timed(election.Of(3, 1, 1).With(election.Down.Is(1)), whole...),
	timed(variant.Faulty(election.Of(2, 1, 1).With(election.Initiator.Is(2)), model.Faults{Crashes: 1}), crashSafety),
	timed(variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 2}), crashing...),
	timed(variant.Faulty(election.Of(3, 1, 1), model.Faults{Suspicions: 1}), whole...),
	timed(variant.Faulty(election.Of(2, 2, 1), model.Faults{Restarts: 1}), "liveness", "one at a time"),
	{Config: election.Of(3, 1, 1), Reading: model.Dense, Claims: append(slices.Clip(safe), "safety", "no needless reinitiation")},
	{Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Crashes: 1}), Reading: model.Dense, Claims: safe},
	{Config: election.Of(5, 3, 2), Reading: model.Dense, Schedules: 100, Claims: []string{"safety", "no smaller coordinator", "one coordinator", "one at a time"}},
	{Variant: "detector", Config: election.Of(3, 2, 1)},
	{Variant: "detector", Config: variant.Faulty(election.Of(3, 0, 1), model.Faults{Crashes: 2})},
	{Variant: "detector", Config: election.Of(1, 1, 1), Claims: ended},
	{Variant: "detector", Config: variant.Faulty(election.Of(1, 0, 1), model.Faults{Restarts: 1}), Claims: ended[:1]},
	{Variant: "detector", Config: variant.Faulty(election.Of(3, 1, 1), model.Faults{Loss: 1, Partitions: 1}), Claims: []string{"safety", "no smaller coordinator", "one coordinator"}},
	option("bullies", election.Of(2, 1, 1), model.Faults{Restarts: 1, Suspicions: 1}, returned),
	option("bullies", election.Of(3, 0, 1), model.Faults{Crashes: 1, Restarts: 1}, returned),
	option("highest-at-once", election.Of(3, 1, 1), model.Faults{Crashes: 1}, crashing),
	option("tells-lower", election.Of(3, 1, 1), model.Faults{Crashes: 1}, crashing),
	option("ignores-lower", election.Of(3, 1, 1), model.Faults{Crashes: 1}, crashing),
	option("elects-at-boot", election.Of(3, 1, 1), model.Faults{Crashes: 1}, crashing),
	option("elects-at-boot", election.Of(2, 1, 1), model.Faults{Restarts: 1}, []string{"liveness", "one at a time"}),
	option("every-ok", election.Of(3, 1, 1), model.Faults{Crashes: 1}, crashing),
}

// deep are checks that take a minute or more. One group has four processes with a crash and a restart, and
// elections that are initiated by reports and by recovery. The other has two initiators with a crash.
var deep = []model.Check{
	timed(election.Of(3, 2, 2), whole...),
	timed(election.Of(4, 1, 1), whole...),
	{Variant: "detector", Config: variant.Faulty(election.Of(4, 0, 1), model.Faults{Crashes: 2})},
	timed(variant.Faulty(election.Of(4, 0, 1), model.Faults{Crashes: 1, Restarts: 1}), "liveness", "one at a time"),
	{Variant: "bullies", Config: variant.Faulty(election.Of(4, 0, 1), model.Faults{Crashes: 1, Restarts: 1}), Reading: model.Grid, Claims: ended[:3]},
	timed(variant.Faulty(election.Of(4, 2, 1), model.Faults{Crashes: 1}), crashing...),
}

// findings are the claims that are false as printed: see docs/findings.md.
var findings = []model.Finding{
	{Name: "the-elected-may-crash", Claim: crashSafety, Trace: crashRefuted, Breaks: []model.Config{variant.Faulty(election.Of(2, 1, 1), model.Faults{Crashes: 1})}},
}

//go:embed findings/safety-with-crashes.json
var crashRefuted []byte
