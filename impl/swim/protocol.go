package swim

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/variant"
)

// The sizes of a check. Times follow from δ.
var (
	Helpers = model.Param[int]{
		Name: "helpers", Meaning: "k, how many others are asked to ping a member that does not answer", Symbol: "k", Most: 8, Default: 1,
	}
	Spread = model.Param[model.Ticks]{
		Name: "spread", Meaning: "within how many ticks the first periods of members begin", Most: 1000,
	}
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "swim",
	Title:  "membership by pings, suspicion and gossip",
	Source: "Das–Gupta–Motivala 2002",
	Params: []model.Parameter{model.N.WithMeaning("members").WithRange(2, 8).WithDefault(3), Helpers, Spread, model.Delay},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: slices.Concat(options, mutants), Checks: checks, Deep: deep,
}

// Config is shared by the members.
type Config struct {
	N, Helpers int
	Rules      Rules
	Spread     model.Ticks
	Delay      model.Ticks // δ
	Timeout    model.Ticks // the wait for a direct answer: more than a round trip, 2δ
	Period     model.Ticks // T', the protocol period: more than the time-out and two round trips
	Suspicion  model.Ticks // the duration of a suspicion
}

// Round returns the longest time between the beginnings of two pings of one member by another. The longest case is the
// first ping of one round through n − 1 others and the last ping of the next.
func (cfg *Config) Round() model.Ticks { return model.Ticks(2*(cfg.N-1)-1) * cfg.Period }

// Detects returns the longest time from a crash to its suspicion by any other member. The member may have answered a
// ping just before the crash. So the period of the next ping must end.
func (cfg *Config) Detects() model.Ticks { return cfg.Round() + cfg.Period }

func build(c model.Config) (*model.System, error) {
	delay := model.Delay.Of(c)
	cfg := &Config{N: c.N, Helpers: Helpers.Of(c), Rules: Spec{}, Spread: Spread.Of(c), Delay: delay, Timeout: 2*delay + 1}
	cfg.Period = cfg.Timeout + 4*delay + 1
	if cfg.Spread > cfg.Period {
		return nil, fmt.Errorf("spread is %d, but must be at most a period, %d", cfg.Spread, cfg.Period)
	}
	// A member that suspects another pings it in time to receive its refutation: see docs/proofs/swim.md.
	cfg.Suspicion = cfg.Round() + 2*delay + 1
	s := &model.System{
		Config: c, Network: model.Network{Delay: model.Between(0, delay)}, Faults: c.Faults,
		Types: []any{
			Packet{}, Ping{}, PingReq{}, Ack{}, period{}, direct{}, suspicion{}, Listed{}, Reborn{}, Heard{}, Accused{}, overdue{}, Rumor{},
		},
		Setup: cfg,
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprintf("m%d", i+1), Role: model.Peer, New: func() model.Node { return &Member{cfg: cfg} }})
	}
	return s, nil
}

// follow is an edit: members go by other rules.
func follow(r Rules) func(*model.System) { return variant.Setup(func(cfg *Config) { cfg.Rules = r }) }

func timed(n, helpers int, f model.Faults, claims ...string) model.Check {
	c := model.Config{N: n, Faults: f}.With(Helpers.Is(helpers))
	return model.Check{Config: c, Reading: model.Grid, Claims: claims}
}

// news are the claims of a check in which a live member may be suspected.
var news = []string{confirmed, precedence, ownNumber, answered, refuted}

var checks = []model.Check{
	timed(2, 0, model.Faults{Crashes: 1}),
	timed(2, 0, model.Faults{Loss: 1}, news...),
	timed(2, 0, model.Faults{Loss: 2}, precedence, ownNumber, answered),
	{Config: model.Config{N: 3, Faults: model.Faults{Loss: 1}}.With(Helpers.Is(0), Spread.Is(1)), Reading: model.Grid, Claims: []string{confirmed}},
	timed(3, 0, model.Faults{Loss: 2}, precedence, ownNumber, answered),
	timed(3, 1, model.Faults{Loss: 1}, helped),
	timed(3, 1, model.Faults{Crashes: 1}),
	timed(3, 1, model.Faults{Loss: 2}, news...),
	{Config: model.Config{N: 2, Faults: model.Faults{Crashes: 1}}.With(Helpers.Is(0), model.Delay.Is(2)), Reading: model.Dense},
}

var deep = []model.Check{
	timed(3, 1, model.Faults{Crashes: 2}),
	{Config: model.Config{N: 2, Faults: model.Faults{Crashes: 1}}.With(Helpers.Is(0), Spread.Is(8)), Reading: model.Grid},
	{Config: model.Config{N: 3, Faults: model.Faults{Loss: 2}}.With(Spread.Is(4)), Reading: model.Grid, Claims: []string{confirmed}},
}
