package raft

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/variant"
)

// The bounds of a check. Terms and logs have no bound, so cuts end the search.
var (
	Terms = model.Param[int]{
		Name: "terms", Meaning: "the term that no server exceeds", Least: 1, Most: 100, Default: 2,
	}
	Entries = model.Param[int]{
		Name: "entries", Meaning: "the length that no log exceeds", Most: 100, Default: 1,
	}
	Values = model.Param[int]{
		Name: "values", Meaning: "among how many commands a client may choose", Least: 1, Most: 10, Default: 1,
	}
	Candidates = model.Param[int]{
		Name: "candidates", Meaning: "how many servers time out: the first ones", Most: 32, All: true,
	}
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "raft",
	Title:  "a replicated log by elected leaders",
	Source: "Ongaro–Ousterhout 2014, Figure 2; Ongaro, raft.tla",
	Params: []model.Parameter{model.N.WithDefault(3), Terms, Entries, Values, Candidates},
	Build:  build,
	Claims: slices.Concat(claimed, readClaims, changeClaims, []model.Claim{progress}), Costs: costed, Variants: slices.Concat(options, readOptions, changeOptions, mutants, readMutants, changeMutants), Checks: checks, Deep: deep,
}

// Config is shared by the servers of one cluster.
type Config struct {
	Servers []model.NodeID
	Values  int
}

func build(c model.Config) (*model.System, error) {
	if Candidates.Of(c) > c.N {
		return nil, fmt.Errorf("candidates is %d, but must be at most n = %d", Candidates.Of(c), c.N)
	}
	cfg := &Config{Values: Values.Of(c)}
	s := &model.System{
		Config:  c,
		Network: model.Network{Channel: model.Set, Once: true, Delay: model.Anytime()},
		Faults:  c.Faults,
		Types: []any{
			Asked{}, Adopted{}, Missed{}, Appended{},
			RequestVoteRequest{}, RequestVoteResponse{}, AppendEntriesRequest{}, AppendEntriesResponse{},
			timeout{}, clientRequest{}, appendEntries{}, Elected{}, Committed{}, Removed{}, Moved{}, Applied{},
		},
		Cuts: []model.Cut{
			{Name: "terms", Beyond: func(n model.Node) bool { return server(n).CurrentTerm > Terms.Of(c) }},
			{Name: "entries", Beyond: func(n model.Node) bool { return len(server(n).Log) > Entries.Of(c) }},
		},
		Setup: cfg,
	}
	for i := range c.N {
		cfg.Servers = append(cfg.Servers, model.NodeID(i))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: fmt.Sprintf("s%d", i+1), Role: model.Server,
		})
	}
	replace(func(s Server) model.Node { return &s })(s)
	return s, nil
}

// server returns the server of a node. A variant's node may embed it.
func server(n model.Node) *Server { return n.(interface{ server() *Server }).server() }

func (s *Server) server() *Server { return s }

// define returns an edit that gives all servers these definitions.
func define(spec Definitions) func(*model.System) {
	return replace(func(s Server) model.Node {
		s.spec = spec
		return &s
	})
}

// replace returns an edit that makes each node from its server by f. The checker calls f for each new node. It may
// change the server that it gets.
func replace(f func(Server) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			patient := Candidates.Of(s.Config) > 0 && i >= Candidates.Of(s.Config)
			s.Nodes[i].New = func() model.Node {
				return f(Server{cfg: s.Setup.(*Config), spec: Spec{}, patient: patient})
			}
		}
	}
}

func sized(n, terms, entries int) model.Config {
	return model.Config{N: n}.With(Terms.Is(terms), Entries.Is(entries))
}

// votes are the claims of elections without entries.
var votes = []string{"Election Safety", adopted, current, backed}

var checks = []model.Check{
	{Config: sized(3, 1, 2)},
	{Config: sized(3, 2, 0).With(Candidates.Is(2)), Claims: votes},
	{Config: sized(2, 3, 2)},
	{Config: sized(3, 2, 1).With(Candidates.Is(2))},
	{Config: variant.Faulty(sized(3, 1, 1), model.Faults{Restarts: 1})},
	{Config: variant.Faulty(sized(1, 2, 0), model.Faults{Restarts: 1}), Claims: votes},
	{Config: variant.Faulty(sized(2, 1, 2).With(Values.Is(2), Candidates.Is(1)), model.Faults{Duplication: 1})},
	{Config: variant.Faulty(sized(4, 2, 0).With(Candidates.Is(1)), model.Faults{Duplication: 1}), Claims: votes},
	{Variant: "from-figure-8", Config: sized(3, 3, 2).With(Candidates.Is(2)), Claims: []string{"Election Safety", "Leader Append-Only", "Log Matching", "State Machine Safety", durable, monotonic}},
	{Variant: "from-figure-8c", Config: sized(3, 4, 2).With(Candidates.Is(2))},
	{Variant: "from-idle-leader", Config: sized(3, 4, 1).With(Candidates.Is(2))},
	{Variant: "heartbeats", Config: sized(3, 4, 1).With(Candidates.Is(2))},
	{Variant: "timely", Config: sized(3, 2, 2), Reading: model.Grid, Claims: []string{progress.Name}},
	{Variant: "led-again", Config: sized(5, 3, 2).With(Candidates.Is(1)), Claims: []string{"State Machine Safety", matched}},
	{Variant: "read-index", Config: sized(2, 2, 3)},
	{Variant: "read-index-led", Config: sized(3, 2, 2).With(Candidates.Is(1))},
	{Variant: "follower-reads", Config: sized(2, 1, 2).With(Candidates.Is(1))},
	{Variant: "membership", Config: sized(2, 2, 3)},
	{Variant: "membership", Config: sized(2, 1, 3).With(Candidates.Is(1)), Claims: []string{"a change can be committed"}},
	{Variant: "membership-led", Config: sized(3, 2, 3).With(Candidates.Is(2))},
	{Variant: "membership-superseded", Config: sized(4, 3, 2).With(Candidates.Is(1)), Claims: []string{"Election Safety", "State Machine Safety"}},
}

var deep = []model.Check{
	{Config: sized(3, 2, 1)},
	{Config: variant.Faulty(sized(3, 2, 1).With(Candidates.Is(2)), model.Faults{Restarts: 1})},
	{Variant: "from-figure-8", Config: sized(3, 4, 2).With(Candidates.Is(2))},
	{Variant: "membership", Config: sized(3, 2, 2).With(Candidates.Is(2))},
	{Variant: "membership-2015", Config: sized(3, 3, 2).With(Candidates.Is(2))},
	{Variant: "membership-when-committed", Config: sized(3, 2, 2).With(Candidates.Is(2))},
	{Config: variant.Faulty(sized(5, 6, 4), model.Faults{Restarts: 2, Loss: 2}), Schedules: 2_000},
}
