package sigma

import (
	_ "embed" // the trace of a finding
	"fmt"

	"contend/impl/mutex"
	"contend/model"
)

// Config is shared by the clients and servers of one system.
type Config struct {
	Servers      []model.NodeID // Π
	Clients      []model.NodeID // the clients of Σ that send requests
	Enough       int            // m in line 10: the number of responses that ends a round
	Support      int            // m in line 11: the number of supporters for an entry
	Periodically bool           // lines 48 and 49 are carried out
	spec         Definitions
}

// The parameters of Sigma.
var (
	// M is the quorum threshold m, by default ⌈2n/3⌉.
	M = model.Param[int]{Name: "m", Meaning: "threshold: the number of servers that are a quorum", Least: 1, Most: 32}
	// Faulty is f of Definition 1, by default the largest number below n/3.
	Faulty = model.Param[int]{Name: "failures", Meaning: "f, servers that may be faulty in an epoch", Symbol: "f", Least: 1, Most: 32}
	// Checks is the most CHECKs of each server.
	Checks = model.Param[int]{Name: "checks", Meaning: "the most CHECKs that each server sends; 0: none", Most: 100}
	// Rounds is the most executions of lines 14 to 18 for one request.
	Rounds = model.Param[int]{Name: "rounds", Meaning: "how often a client may repeat one request; 0: no bound", Most: 100}
	// Periodic makes servers send CHECKs without a bound.
	Periodic = model.Param[int]{
		Name: "periodic", Most: 1,
		Meaning: "1: CHECKs without a bound, over channels that merge equal messages in flight",
	}
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "sigma",
	Title:  "a lock from servers that crash and forget",
	Source: paper,
	Params: []model.Parameter{
		model.N.WithDefault(3), M, Faulty, model.Clients, model.Ops, Checks, Rounds, Periodic, mutex.Section,
	},
	Build:  build,
	Claims: claimed, Costs: costed, Variants: variants, Checks: checks, Deep: deep,
	Findings: []model.Finding{{Name: "sigma-messages", Claim: "Section 4.2, 5n messages", Trace: messagesFinding}},
}

//go:embed findings/messages.json
var messagesFinding []byte

const paper = "Sigma"

var checks = []model.Check{
	{Config: model.Config{N: 1}.With(model.Ops.Is(2))},
	{Config: model.Config{N: 2, Faults: model.Faults{Crashes: 1}}},
	{Variant: "fifo", Config: model.Config{N: 3}, Claims: []string{"mutual exclusion", "Proposition 1", "Proposition 2 (a)", "Proposition 2 (b)"}},
	{Variant: "fifo", Config: model.Config{N: 2}.With(model.Ops.Is(2))},
	{Variant: "fifo", Config: model.Config{N: 3}, Claims: []string{"every request is granted", "Lemma 5", "Lemma 7, first client", "Lemma 7, last client"}},
	{Config: model.Config{N: 1, Faults: model.Faults{Crashes: 1}}.With(Periodic.Is(1)), Claims: lively},
	// With a server that forgets, progress needs m ≤ n−f alone, and CHECKs and rounds without a bound.
	{Config: model.Config{N: 2, Faults: model.Faults{Restarts: 1}, Beyond: true}.With(M.Is(1), model.Clients.Is(1), Periodic.Is(1)), Claims: []string{"every request is granted", "Lemma 5", "Lemma 8"}},
	{Variant: "fifo", Config: model.Config{N: 1, Faults: model.Faults{Restarts: 1}, Beyond: true}.With(Rounds.Is(1)), Claims: []string{"Lemma 1", "Lemma 2", "Lemma 3", "Lemma 4", "Lemma 6"}},
	{Config: model.Config{N: 4, Faults: model.Faults{Restarts: 1}}.With(Checks.Is(2)), Schedules: 100, Claims: []string{"mutual exclusion", "Lemma 2", "Lemma 3", "Lemma 4", "Lemma 6"}},
}

// lively are the claims about events that occur at some time.
var lively = []string{"every request is granted", "Lemma 5", "Lemma 7, first client", "Lemma 7, last client", "Lemma 8", "Lemma 9"}

var deep = []model.Check{
	{Config: model.Config{N: 3}, Claims: []string{"mutual exclusion", "Proposition 1", "Proposition 2 (a)", "Proposition 2 (b)"}},
	{Variant: "fifo", Config: model.Config{N: 2, Faults: model.Faults{Restarts: 1}, Beyond: true}.With(Rounds.Is(1)), Claims: []string{"Lemma 1", "Lemma 2", "Lemma 3", "Lemma 4", "Lemma 6"}},
	{Variant: "fifo", Config: model.Config{N: 3}.With(model.Ops.Is(2)), Claims: []string{"mutual exclusion"}},
	{Variant: "fifo", Config: model.Config{N: 3, Faults: model.Faults{Crashes: 1}}},
	{Config: model.Config{N: 4, Faults: model.Faults{Restarts: 1}}.With(model.Clients.Is(1), Rounds.Is(1), Checks.Is(1))},
	{Config: model.Config{N: 4, Faults: model.Faults{Restarts: 1}}.With(Checks.Is(2)), Schedules: 30_000, Claims: []string{"mutual exclusion", "Lemma 2", "Lemma 3", "Lemma 4", "Lemma 6"}},
}

func build(c model.Config) (*model.System, error) {
	c = complete(c)
	if err := validate(c); err != nil {
		return nil, err
	}
	cfg := &Config{Enough: M.Of(c), Support: M.Of(c), spec: Spec{}}
	s := &model.System{
		Config:   c,
		Network:  model.Network{Delay: model.Anytime()},
		Detector: model.Detector{Kind: model.Perfect, Report: model.Anytime()},
		Types:    types,
		Setup:    cfg,
	}
	bounds(s, cfg)
	for i := range model.Clients.Of(c) {
		cfg.Clients = append(cfg.Clients, model.NodeID(len(s.Nodes)))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("c%d", i+1), Role: model.Client, Crash: model.CrashStop, Script: mutex.Passages(c),
			New: func() model.Node {
				n := newClient(s)
				return &n
			},
		})
	}
	for i := range c.N {
		cfg.Servers = append(cfg.Servers, model.NodeID(len(s.Nodes)))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("s%d", i+1), Role: model.Server, Crash: model.CrashRecovery,
			New: func() model.Node {
				n := newServer(s)
				return &n
			},
		})
	}
	return s, nil
}

// complete returns a configuration with default values for m and f, unless set.
func complete(c model.Config) model.Config {
	if _, set := c.Setting(M.Name); !set {
		c = c.With(M.Is((2*c.N + 2) / 3))
	}
	if f := (c.N - 1) / 3; Faulty.Of(c) == 0 && f > 0 {
		c = c.With(Faulty.Is(f))
	}
	return c
}

// validate returns an error unless "2m-n > f" and "m ≤ n - f". The servers that crash in a run are at most f, the bound
// of Definition 1 for one epoch.
func validate(c model.Config) error {
	n, m, f := c.N, M.Of(c), Faulty.Of(c)
	switch {
	case m > n:
		return fmt.Errorf("m is %d, but there are only n = %d servers", m, n)
	case Periodic.Of(c) == 1 && Checks.Of(c) > 0:
		return fmt.Errorf("checks is %d, but periodic CHECKs have no bound", Checks.Of(c))
	case c.Beyond:
		return nil
	case 2*m-n <= f:
		return fmt.Errorf("m is %d: two quorums of n = %d servers may share only %d, but must share more than failures = %d; --beyond-bounds checks it all the same", m, n, 2*m-n, f)
	case m > n-f:
		return fmt.Errorf("m is %d: of n = %d servers, failures = %d may be down, and then no quorum answers; --beyond-bounds checks it all the same", m, n, f)
	case c.Faults.Restarts > f:
		return fmt.Errorf("restarts is %d, but failures is %d, and each crash may hit another server; --beyond-bounds checks it all the same", c.Faults.Restarts, f)
	}
	return nil
}
