package ordering

import (
	_ "embed" // the traces of findings
	"fmt"
	"slices"

	"contend/impl/backoff"
	"contend/impl/ordering/object"
	"contend/impl/pages"
	"contend/model"
	"contend/model/quorum"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "ordering",
	Title:  "operation ordering on a replicated object, with Byzantine servers",
	Source: "Chockler–Malkhi–Reiter, Figures 2 and 3",
	Params: []model.Parameter{
		model.N, model.B, model.Quorum, model.Clients, model.Ops, tries, Attempts, model.Delay, backoff.Section,
	},
	Build:  build,
	Claims: claims, Properties: []model.Claim{pages.RefinesObject(object.Spec, remembering...)}, Variants: variants, Checks: checks, Deep: deep,
	Findings: []model.Finding{
		{Name: "lemma-4", Claim: "Lemma 4 (1)", Trace: lemma41Refuted},
		{Name: "lemma-4", Claim: "Lemma 4 (2)", Trace: lemma42Refuted},
		{Name: "sequence-numbers", Variant: "reflects-highest", Claim: "Lemma 4 (3), by rank", Trace: sequenceNumbersRefuted},
		{Name: "theorem-2", Variant: "composed", Claim: "Theorem 2", Trace: theorem2Refuted},
	},
}

// Attempts is the number of times that an operation may pass line 2.8.
var Attempts = model.Param[int]{
	Name: "attempts", Meaning: "attempts at ordering for each operation", Least: 1, Most: 1000, Default: 2,
}

// tries bounds the contend of Figure 1. The abstract contend does not use it.
var tries = backoff.Tries.WithDefault(0)

// The traces of findings.
var (
	//go:embed findings/lemma-4-1.json
	lemma41Refuted []byte
	//go:embed findings/lemma-4-2.json
	lemma42Refuted []byte
	//go:embed findings/sequence-numbers.json
	sequenceNumbersRefuted []byte
	//go:embed findings/theorem-2.json
	theorem2Refuted []byte
)

// build returns a system of n servers, of which the last b are Byzantine, and the clients. If n is not set, it is the
// smallest n of the paper.
func build(c model.Config) (*model.System, error) {
	q, err := quorums(&c)
	if err != nil {
		return nil, err
	}
	clients, attempts := model.Clients.Of(c), Attempts.Of(c)
	servers := make([]model.NodeID, c.N)
	for i := range servers {
		servers[i] = model.NodeID(i)
	}
	cfg := printed(servers, clients, q, c.B)
	s := &model.System{
		Config:  c,
		Network: model.Network{Delay: model.By(model.Delay.Of(c))},
		Forge:   cfg.forge,
		Types:   slices.Concat(types, object.Types),
		Renamed: object.Renamed,
		Setup:   cfg,
		Cuts:    []model.Cut{{Name: Attempts.Name, Beyond: func(n model.Node) bool { return passages(n) > attempts }}},
	}
	for i := range c.N {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("s%d", i+1), Role: model.Server, Byzantine: i >= c.N-c.B,
			New: func() model.Node { return cfg.server() },
		})
	}
	for i := range clients {
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("c%d", i+1), Role: model.Client,
			New: func() model.Node { return &Client{cfg: cfg} },
		})
	}
	work(object.Appends)(s)
	return s, nil
}

// server returns a server in the initial state of the history: with "the complete propose and commit invocations with
// the initial object state σ⁰ and the rank 0" (§7).
func (c *Config) server() *Server { return &Server{cfg: c} }

// passages returns how often a client's ordering thread has passed line 2.8. The thread may call contend once more, and
// wait there forever. Messages that arrive then are stale.
func passages(n model.Node) int {
	at, ok := n.(interface{ client() *Client })
	if !ok {
		return 0
	}
	c := at.client()
	if c.Phase == Contending {
		return c.Passages - 1
	}
	return c.Passages
}

// quorums sets n and the quorum size where they are 0. It returns an error if they violate the paper's bound.
func quorums(c *model.Config) (quorum.Threshold, error) {
	if c.N == 0 {
		c.N = quorum.Ordering.MinServers(c.B)
	}
	q := quorum.Threshold{N: c.N, Size: model.Quorum.Of(*c)}
	if c.N <= 6*c.B && !c.Beyond {
		return q, fmt.Errorf("n is %d with b = %d, but the protocol needs n > 6b (Chockler–Malkhi–Reiter §6.2); --beyond-bounds checks it all the same", c.N, c.B)
	}
	if q.Size == 0 {
		q = quorum.Ordering.Smallest(c.N, c.B)
		q.Size = min(q.Size, c.N)
		*c = c.With(model.Quorum.Is(q.Size))
	}
	if err := quorum.Ordering.Check(q, c.B); err != nil && !c.Beyond {
		return q, err
	}
	if q.Size > c.N || c.B > c.N {
		return q, fmt.Errorf("quorum is %d and b is %d, but there are only n = %d servers", q.Size, c.B, c.N)
	}
	return q, nil
}

// checks are for the default run. Checks that begin midway reach states that a search from the initial state does not
// reach. Each of them catches an edit of the handlers that no other row catches.
var checks = []model.Check{
	{Config: model.Config{N: 1}.With(Attempts.Is(1)), Claims: slices.Concat(safety, names(causal))},
	{Config: model.Config{N: 1}.With(Attempts.Is(2)), Claims: safety},
	{Config: model.Config{N: 2}.With(Attempts.Is(1)), Claims: safety},
	{Config: liarAgain.Config, Variant: "seeded", Claims: carried},
	{Config: model.Config{N: 3}.With(Attempts.Is(1)), Variant: "seeded", Claims: safety},
	{Config: liar.Config, Variant: "seeded", Claims: safety},
	{Config: behind.Config, Variant: "lagging", Claims: safety},
	{Config: returned.Config, Variant: "lagging-returns", Claims: []string{"Theorem 1", "Line 2.25"}},
	{Config: lone.Config, Variant: "alone", Claims: safety},
	{Config: race.Config, Variant: "racing", Claims: theorem1},
	{Config: overdue.Config, Variant: "late-answer", Claims: theorem1},
	{Config: belated.Config, Variant: "late-commit", Claims: theorem1},
	{Config: once.Config, Variant: "register", Claims: safety},
	{Config: once.Config, Variant: "counter", Claims: safety},
	{Config: once.Config, Variant: "map", Claims: safety},
	{Config: once.Config, Variant: "cards", Claims: safety},
	{Config: model.Config{N: 2}.With(Attempts.Is(1)), Variant: "stabilizing", Claims: progress},
	{Config: model.Config{N: 2}.With(model.Clients.Is(1), backoff.Section.Is(6)), Reading: model.Grid, Variant: "composed", Claims: timedProgress},
	{Config: model.Config{N: 1, Faults: model.Faults{Crashes: 1}}.With(model.Clients.Is(1), backoff.Section.Is(6), Attempts.Is(4)), Reading: model.Grid, Variant: "composed-truncated", Claims: append(slices.Clip(timedProgress), "Theorem 2, adaptive")},
	{Config: model.Config{N: 1, Faults: model.Faults{Loss: 1}}.With(model.Clients.Is(1), backoff.Section.Is(6)), Reading: model.Grid, Variant: "composed", Claims: []string{"Theorem 2"}},
	{Config: model.Config{N: 7, B: 1}.With(model.Ops.Is(2)), Variant: "absurd", Schedules: 200, Claims: safety},
}

// deep takes a minute or two.
var deep = []model.Check{
	{Config: model.Config{N: 1}.With(model.Clients.Is(3), Attempts.Is(1)), Claims: safety},
	{Config: model.Config{N: 2}.With(Attempts.Is(1)), Variant: "seeded", Claims: corrected},
	{Config: model.Config{N: 1, Faults: model.Faults{Crashes: 1}}.With(backoff.Section.Is(6), Attempts.Is(4)), Reading: model.Grid, Variant: "composed-truncated", Claims: timedProgress},
	{Config: model.Config{N: 1}.With(backoff.Section.Is(6), Attempts.Is(4)), Reading: model.Grid, Variant: "composed-truncated", Claims: []string{"Theorem 2, adaptive"}},
	{Config: model.Config{N: 1}.With(Attempts.Is(2)), Claims: []string{"Lemma 4 (1)"}},
	{Config: tryAgain.Config, Claims: safety},
	{Config: liar.Config, Variant: "seeded", Claims: corrected},
	{Config: model.Config{N: 7, B: 1}.With(model.Ops.Is(2)), Variant: "absurd", Schedules: 10_000, Claims: safety},
}

// corrected are the causal claims that hold.
var corrected = slices.DeleteFunc(names(causal), func(name string) bool { return name == "Lemma 4 (1)" || name == "Lemma 4 (2)" })

// carried are the claims about one client with two operations. The client remembers complete versions between them.
var carried = []string{"Lemma 4 (1), by rank", "Lemma 4 (3), by rank"}

var theorem1 = []string{"Theorem 1"}

func names(claims []model.Claim) []string {
	var names []string
	for _, c := range claims {
		names = append(names, c.Name)
	}
	return names
}

// Config is shared by the clients and servers of one system. Its numbers are the paper's, except where variants edit
// them.
type Config struct {
	Servers     []model.NodeID // U
	FirstClient model.NodeID
	RankBits    int // the low-order bits of a rank that hold the client
	Byzantine   int // b: the number of servers that may lie; mutants change only Least

	// Quorums is 𝒬. A mutant may use smaller quorums in one phase.
	Quorums              quorum.Threshold
	Get, Propose, Commit quorum.Threshold
	Submit               quorum.Threshold // the set from which Q₁ is drawn
	Least                Least

	// Highest is true in the option reflects-highest: for claims, a state reflects all operations up to the highest
	// number performed for a client.
	Highest bool
	// Begun has, by client, the servers to which it submitted its first operation before boot: see [seed]. The messages
	// are in flight.
	Begun map[model.NodeID][]model.NodeID

	// Lies are extreme values that Byzantine servers also report.
	Lies Lies
}

// Least is the number of servers that must agree: b+1, so that one of them is correct.
type Least struct {
	Result    int // line 2.5
	Committed int // 2.14
	Proposed  int // 2.44
	Completed int // 2.18
	Pending   int // 2.24
	Refusals  int // §6.2
}

// Lies are ranks and versions that Byzantine servers report.
type Lies struct {
	Ranks    []Rank
	Versions []int
}

// printed returns the configuration of the protocol as printed.
func printed(servers []model.NodeID, clients int, q quorum.Threshold, b int) *Config {
	c := &Config{
		Servers: servers, FirstClient: model.NodeID(len(servers)), Byzantine: b,
		Quorums: q, Get: q, Propose: q, Commit: q, Submit: q,
		Least: Least{b + 1, b + 1, b + 1, b + 1, b + 1, b + 1},
		Begun: map[model.NodeID][]model.NodeID{},
	}
	for 1<<c.RankBits < clients {
		c.RankBits++
	}
	return c
}
