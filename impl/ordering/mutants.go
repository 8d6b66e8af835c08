package ordering

import (
	"cmp"
	"slices"

	"contend/model"
)

// A setting is where a mutant shows: a start, and the smallest configuration found.
type setting struct {
	begin func(*model.System) // nil: nothing has happened yet
	title string
	model.Config
}

var (
	one      = setting{Config: model.Config{N: 1}.With(Attempts.Is(1))}
	oneTwice = setting{Config: model.Config{N: 1}.With(Attempts.Is(2))}
	twoTwice = setting{Config: model.Config{N: 2}.With(Attempts.Is(2))}
	three    = setting{seed, "seeded", model.Config{N: 3}.With(Attempts.Is(1))}
	// again lets one client go on to a second operation at servers that lag.
	again = setting{seed, "seeded", model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(2), Attempts.Is(2))}
	// liar keeps the intersection of quorums and gives up their availability.
	liar      = setting{seed, "seeded", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), Attempts.Is(1))}
	liarTwice = setting{seed, "seeded", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), Attempts.Is(2))}
	lone      = setting{all(seed, onlyFirst), "alone", model.Config{N: 3}.With(Attempts.Is(2))}
	// liarAgain lets one client go on to a second operation among liars.
	liarAgain = setting{seed, "seeded", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), model.Clients.Is(1), model.Ops.Is(2), Attempts.Is(2))}
	loneLiar  = setting{all(seed, onlyFirst), "alone", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), Attempts.Is(2))}
	divided   = setting{split, "split", model.Config{N: 3}.With(model.Clients.Is(3), Attempts.Is(1))}
	behind    = setting{lagging, "lagging", model.Config{N: 5, B: 1, Beyond: true}.With(model.Quorum.Is(4), model.Clients.Is(3), Attempts.Is(1))}
	returned  = setting{laggingReturns, "lagging-returns", model.Config{N: 5, B: 1, Beyond: true}.With(model.Quorum.Is(4), model.Clients.Is(3), Attempts.Is(1))}
	stable    = setting{stabilize, "stabilizing", model.Config{N: 1}.With(Attempts.Is(1))}
	// stableLiar is a client alone among servers of which one lies.
	stableLiar = setting{stabilize, "stabilizing", model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), model.Clients.Is(1), Attempts.Is(1))}
	race       = setting{racing, "racing", model.Config{N: 3}.With(Attempts.Is(2))}
	overdue    = setting{lateAnswer, "late-answer", model.Config{N: 3}.With(model.Clients.Is(3), Attempts.Is(1))}
	belated    = setting{lateCommit, "late-commit", model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(2), Attempts.Is(1))}
	silent     = setting{all(unanswered, stabilize), "unanswered, stabilizing", model.Config{N: 3}.With(Attempts.Is(1))}
)

// mutant is a bug with the claim that it must break and where that shows.
func mutant(name, title, breaks string, in setting, bug func(*model.System)) model.Variant {
	v := model.Variant{Name: name, Title: title, Breaks: breaks, Show: model.Check{Config: in.Config}, Edit: bug}
	if in.begin != nil {
		v.Title += "; " + in.title
		v.Edit = all(bug, in.begin)
	}
	return v
}

var mutants = []model.Variant{
	mutant("propose-skipped", "line 2.26–28 is left out: get is followed by commit", "Theorem 1", three, following(Getting, Committing)),
	mutant("propose-unawaited", "commit follows propose at once", "Theorem 1", three, around(func(c *Client, env model.Env, _ any, handle func()) {
		handle()
		if c.Phase == Proposing {
			c.advance(env)
		}
	})),
	mutant("get-unchecked", "get does not check the rank", "Theorem 1", one, taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		if m, ok := m.(Get); ok {
			s.MaxRank = m.Rank - 1
		}
		s.Receive(env, c, m)
	})),
	mutant("propose-unchecked", "propose does not check the rank", "Theorem 1", one, taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		if _, ok := m.(Propose); ok {
			s.MaxRank = 0
		}
		s.Receive(env, c, m)
	})),
	mutant("commit-unchecked", "commit does not check the rank", "Theorem 1", oneTwice, taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		if _, ok := m.(Commit); ok {
			s.MaxRank = 0
		}
		s.Receive(env, c, m)
	})),
	mutant("get-does-not-raise", "get does not raise maxRank", "Theorem 1", one, keepingRank[Get]()),
	mutant("propose-does-not-raise", "propose does not raise maxRank", "Theorem 1", race, keepingRank[Propose]()),
	mutant("commit-does-not-raise", "commit does not raise maxRank", "Theorem 1", again, keepingRank[Commit]()),
	mutant("get-quorum-small", "get waits for one server fewer", "Theorem 1", lone, tune(func(c *Config) { c.Get.Size-- })),
	mutant("propose-quorum-small", "propose waits for one server fewer", "Theorem 1", three, tune(func(c *Config) { c.Propose.Size-- })),
	mutant("commit-quorum-small", "commit waits for one server fewer", "Theorem 1", lone, tune(func(c *Config) { c.Commit.Size-- })),
	mutant("choose-by-version", "choose sorts by version alone", "Theorem 1", divided, tune(func(c *Config) {
		c.Order = func(a, b Got) int { return cmp.Compare(a.Proposed.Version, b.Proposed.Version) }
	})),
	mutant("choose-counts-versions", "choose counts versions, not states", "Theorem 1", behind, tune(func(c *Config) { c.Count = (*votes).addVersion })),
	mutant("choose-set", "S in choose is a set, so servers that report the same pair count once", "Theorem 1", liar, tune(func(c *Config) { c.Pairs = distinct })),
	mutant("b-committed", "b servers are enough for σᶜ", "Theorem 1", loneLiar, tune(func(c *Config) { c.Least.Committed-- })),
	mutant("b-proposed", "b servers are enough for choose", "Theorem 1", loneLiar, tune(func(c *Config) { c.Least.Proposed-- })),
	mutant("b-completed", "b servers are enough for completed", "Theorem 1", liar, tune(func(c *Config) { c.Least.Completed-- })),
	mutant("b-pending", "b servers are enough for an operation to be pending", "Theorem 1", loneLiar, tune(func(c *Config) { c.Least.Pending-- })),
	mutant("b-result", "b servers are enough for a result", "Theorem 1, linearizable", loneLiar, tune(func(c *Config) { c.Least.Result-- })),
	mutant("results-set", "V₁ is a set of results, so servers with the same result count once", "Theorem 2, bounded", stableLiar, tune(func(c *Config) {
		c.Votes = func(same int) int { return min(same, 1) }
	})),
	mutant("completed-at-least", "line 2.18 has ≥ v instead of > v", "Theorem 1", three, tune(func(c *Config) { c.Below = func(v int) int { return v } })),
	mutant("completed-not-kept", "line 2.17 forgets what was known to be complete", "Theorem 2, bounded", stable, tune(func(c *Config) {
		c.Learned = func(_, version int) int { return max(0, version) }
	})),
	mutant("completed-early", "completed is set when commit begins", "Line 2.25", liarTwice, around(func(c *Client, _ model.Env, _ any, handle func()) {
		handle()
		if c.Phase == Committing {
			c.Completed = max(c.Completed, c.State.Version)
		}
	})),
	mutant("completed-very-early", "completed is set when propose begins", "Theorem 1", liarTwice, around(func(c *Client, _ model.Env, _ any, handle func()) {
		handle()
		if c.Phase >= Proposing {
			c.Completed = max(c.Completed, c.State.Version)
		}
	})),
	mutant("completed-not-raised", "line 2.32 is left out", "Theorem 2, bounded", stable, tune(func(c *Config) {
		c.Concluded = func(completed, _ int) int { return completed }
	})),
	mutant("branches-swapped", "lines 2.19–20 and 2.21–22 are swapped", "Theorem 1", behind, deciding(func(σᶜ, σᵖᶜ State, completed int) (State, bool) {
		if σ, extend := decide(Undefined, σᵖᶜ, completed); !extend {
			return σ, false
		}
		return decide(σᶜ, Undefined, completed)
	})),
	mutant("no-committed-branch", "lines 2.19–20 are left out", "Theorem 1", behind, deciding(func(σᶜ, σᵖᶜ State, completed int) (State, bool) {
		if σ, extend := decide(Undefined, σᵖᶜ, completed); !extend {
			return σ, false
		}
		return σᶜ, true
	})),
	mutant("no-proposed-branch", "lines 2.21–22 are left out", "Theorem 1", three, deciding(func(σᶜ, _ State, completed int) (State, bool) {
		return decide(σᶜ, Undefined, completed)
	})),
	mutant("extends-proposed", "line 2.25 applies operations to σᵖᶜ", "Theorem 1", returned, deciding(extendingProposed)),
	mutant("applies-again", "line 2.47 does not check whether σ′ reflects o", "Theorem 1", twoTwice, edit(model.Client, func(n model.Node) model.Node {
		c := n.(*Client)
		careless := *c.cfg
		careless.Reflects = func(State, Label) bool { return false }
		return &Client{cfg: &careless}
	})),
	mutant("earlier-acks", "propose and commit count answers to an earlier passage", "Line 2.25", liarTwice, takingEarlierAcks),
	mutant("acks-mixed", "commit counts the answers to propose", "Theorem 1", lone, edit(model.Client, func(n model.Node) model.Node {
		return &carelessClient{*n.(*Client), func(d Done, c *Client) Done { return Done{c.Phase, d.Rank} }}
	})),
	mutant("responses-overwritten", "line 3.24 keeps only the latest responses", "Theorem 2, bounded", silent, taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		if m, ok := m.(Commit); ok && m.Rank >= s.MaxRank {
			clear(s.Responses)
		}
		s.Receive(env, c, m)
	})),
	mutant("responds-early", "a server responds as soon as a state is proposed", "Theorem 1", one, taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		s.Receive(env, c, m)
		if m, ok := m.(Propose); ok && s.Proposer == m.Rank {
			for o, r := range m.State.Responses {
				s.Responses[o] = r
			}
			s.wake(env)
		}
	})),
	mutant("never-aborts", "a client keeps waiting, however many RankExceptions it gets", "Theorem 2, reliable", stable, tune(func(c *Config) { c.Least.Refusals = len(c.Servers) + 1 })),
}

func following(p, q Phase) func(*model.System) {
	return tune(func(c *Config) {
		follow := c.Following
		c.Following = func(phase Phase) Phase {
			if phase == p {
				return q
			}
			return follow(phase)
		}
	})
}

func deciding(d func(σᶜ, σᵖᶜ State, completed int) (State, bool)) func(*model.System) {
	return tune(func(c *Config) { c.Decide = d })
}

func extendingProposed(σᶜ, σᵖᶜ State, completed int) (State, bool) {
	σ, extend := decide(σᶜ, σᵖᶜ, completed)
	if extend && σᵖᶜ.Defined() {
		σ = σᵖᶜ
	}
	return σ, extend
}

func takingEarlierAcks(s *model.System) {
	edit(model.Client, func(n model.Node) model.Node {
		return &carelessClient{*n.(*Client), func(d Done, c *Client) Done { return Done{d.Phase, c.Rank} }}
	})(s)
}

// keepingRank lets a method leave maxRank as it was.
func keepingRank[M any]() func(*model.System) {
	return taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		was := s.MaxRank
		s.Receive(env, c, m)
		if _, ok := m.(M); ok {
			s.MaxRank = was
		}
	})
}

// addVersion counts a state as any other of its version.
func (v *votes) addVersion(s State) {
	i := slices.IndexFunc(*v, func(is vote) bool { return is.state.Version == s.Version })
	if i < 0 {
		v.add(s)
		return
	}
	(*v)[i].count++
}

// A carelessClient mistakes one acknowledgement for another.
type carelessClient struct {
	Client
	take func(d Done, c *Client) Done
}

// Receive takes what a server returns or throws.
func (c *carelessClient) Receive(env model.Env, u model.NodeID, m any) {
	if d, ok := m.(Done); ok {
		m = c.take(d, &c.Client)
	}
	c.Client.Receive(env, u, m)
}

// distinct drops repeated pairs.
func distinct(S []Got) []Got {
	var set []Got
	for _, g := range S {
		if !slices.ContainsFunc(set, func(h Got) bool { return g.Proposer == h.Proposer && g.Proposed.Equal(h.Proposed) }) {
			set = append(set, g)
		}
	}
	return set
}
