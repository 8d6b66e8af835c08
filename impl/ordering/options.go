package ordering

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/variant"
)

var variants = slices.Concat(options(slices.Concat(workloads, contends, readings, harmless)), mutants)

// options do not claim the findings of the protocol as printed. They make the corrected claims.
func options(all []model.Variant) []model.Variant {
	for i := range all {
		all[i].Unclaimed = append(slices.Clone(all[i].Unclaimed), "Lemma 4 (1)", "Lemma 4 (2)")
	}
	return all
}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

// Readings and harmless changes are checked with two servers, with a second operation, and with three servers of which
// one lies. In the last check quorums intersect, but may be unavailable.
var (
	tryAgain = model.Check{Config: model.Config{N: 1}.With(model.Ops.Is(2), Attempts.Is(1)), Claims: safety}
	try      = model.Check{Config: model.Config{N: 2}.With(Attempts.Is(1)), Claims: safety}
	tryLiar  = model.Check{Config: model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), Attempts.Is(1)), Claims: safety}
	safety   = []string{"Theorem 1", "Theorem 1, linearizable", "Line 2.25"}
)

// readings are other meanings of the printed pseudo-code: docs/proofs/ordering.md has the table.
var readings = []model.Variant{
	{
		Name: "rank-kept", Show: model.Check{Config: oneTwice.Config, Claims: safety}, Title: "reading: a client keeps its rank until b+1 RankExceptions report a higher one; channels are at most once",
		Edit: page.Edit(`c.Rank = c.cfg.above(max(c.Rank, told), env.Self())`,
			`if c.Rank == 0 || told > 0 { c.Rank = c.cfg.above(max(c.Rank, told), env.Self()) }`),
	},
	{
		Name: "modest-ranks", Show: tryLiar, Title: "a client goes above the (b+1)-th highest rank that RankExceptions report, not the highest",
		Edit: page.Edit(`highest(slices.Sorted(maps.Values(c.Refusals)))`, `c.cfg.credible(slices.Sorted(maps.Values(c.Refusals)))`),
	},
	{
		Name: "more-answers", Show: tryLiar, Title: "reading: a client may go on collecting answers when it has heard from a quorum",
		Edit: page.Edit(`q.Contained(heard)`, `q.Contained(heard) && (heard == q.N || env.Choose(2) == 0)`),
	},
	{
		Name: "exceptions-kept", Show: tryLiar, Title: "reading: RankExceptions count over all phases of a passage",
		Edit: variant.Nodes(func(c Client) model.Node { return &countingClient{Client: c} }),
	},
	{
		Name: "nothing-pending", Show: try, Title: "reading: with nothing new pending, no version is made and a new passage begins",
		Edit: page.Edit(`return c.apply(env, c.cfg.pending(c.Answers), σ), true`, `pending := c.cfg.pending(c.Answers)
			if c.fresh(pending, σ) == 0 {
				return σ, false
			}
			return c.apply(env, pending, σ), true`),
	},
	{
		Name: "submit-restarts", Show: tryAgain, Title: "reading: a submit abandons the running passage and begins its own",
		Edit: page.Edit(`c.Phase == 0 { c.pass(env) }`, `c.Phase == 0 { c.pass(env) } else if c.Phase > Contending { c.abort(env) }`),
	},
	{
		Name: "stops-when-served", Show: try, Title: "reading: an aborted passage is the last when waiting = false",
		Edit: page.Edit(`c.State = State{}; c.pass(env)`, `c.State = State{}; c.pass(env); c.rest(env)`,
			`if !ok { c.pass(env)`, `if !ok { c.pass(env); c.rest(env)`),
	},
	{
		Name: "completed-forgotten", Show: tryAgain, Title: "reading: completed is reset with each submit",
		Edit: page.Edit(`c.Seq++`, `if c.Phase == 0 { c.Completed = 0 }; c.Seq++`),
	},
	{
		Name: "completed-unknown", Show: try, Title: "reading: at first it is not known that σ⁰ is complete",
		Edit: variant.Nodes(func(c Client) model.Node { c.Completed = Undefined.Version; return &c }),
	},
	{
		Name: "initial-quorum", Show: try, Title: "reading: the history begins with σ⁰ complete at one quorum and ⊥ elsewhere",
		Edit: func(s *model.System) {
			for _, n := range setup(s).Servers[setup(s).Quorums.Size:] {
				make := s.Nodes[n].New
				s.Nodes[n].New = func() model.Node {
					at := make()
					srv := at.(interface{ server() *Server }).server()
					srv.Committed, srv.Proposed = Undefined, Undefined
					return at
				}
			}
		},
	},
	{
		Name: "submit-to-all", Show: try, Title: "reading: an operation is submitted to U, not to a random quorum",
		Edit: variant.Setup(func(c *Config) { c.Submit.Size = len(c.Servers) }),
	},
	{
		Name: "reflects-highest", Show: tryAgain, Title: "reading: a state reflects the operations up to the highest number performed for a client",
		Edit: variant.All(variant.Setup(func(c *Config) { c.Highest = true }), page.Edit(
			`next.Reflects(o.Label)`, `reflectsHighest(next, o.Label)`, `m.State.Reflects(o)`, `reflectsHighest(m.State, o)`)),
	},
	{
		Name: "responses-kept", Show: tryAgain, Title: "reading: responses of earlier versions stay in a state",
		Edit: page.Edit(`next := σ.successor()`, `next := σ.successor(); maps.Copy(next.Responses, σ.Responses)`),
	},
}

// reflectsHighest implements σ.reflects(o) by "the highest operation sequence number already performed for each client"
// (§6.1).
func reflectsHighest(s State, o Label) bool {
	for p := range s.Performed {
		if p.Client == o.Client && p.Seq >= o.Seq {
			return true
		}
	}
	return false
}

// reflects returns σ.reflects(o), for claims.
func (c *Config) reflects() func(State, Label) bool {
	if c.Highest {
		return reflectsHighest
	}
	return State.Reflects
}

// fresh returns the number of operations that a state does not reflect.
func (c *Client) fresh(pending []Op, σ State) int {
	n := 0
	for _, o := range pending {
		if !σ.Reflects(o.Label) {
			n++
		}
	}
	return n
}

// rest ends the ordering thread after it has begun a passage, if no operation waits.
func (c *Client) rest(env model.Env) {
	if !c.Waiting {
		env.Cancel(contended{})
		c.Passages--
		c.enter(0)
	}
}

// credible returns the highest rank that a correct server has certainly reached: b+1 servers report at least this rank.
func (c *Config) credible(reported []Rank) Rank {
	if len(reported) <= c.Byzantine {
		return 0
	}
	slices.Sort(reported)
	return reported[len(reported)-c.Byzantine-1]
}

// A countingClient counts RankExceptions over a passage.
type countingClient struct {
	Client
	Earlier map[model.NodeID]Rank // by server: its rank in earlier phases
}

// Receive handles a server's return or exception.
func (c *countingClient) Receive(env model.Env, u model.NodeID, m any) {
	phase, rank, refusals := c.Phase, c.Rank, maps.Clone(c.Refusals)
	c.Client.Receive(env, u, m)
	switch {
	case c.Rank != rank || c.Phase == 0:
		c.Earlier = nil
	case c.Phase != phase:
		maps.Copy(c.Earlier, refusals)
	default:
		all := maps.Clone(c.Refusals)
		maps.Copy(all, c.Earlier)
		if len(all) >= c.cfg.Least.Refusals && c.Phase > Contending {
			c.Earlier, c.Refusals = nil, all
			c.abort(env)
		}
	}
}

// harmless are changes that look like bugs but are not: docs/proofs/ordering.md has the reasons. In their checks, a
// server may be outside every quorum that answers.
var harmless = []model.Variant{
	notOne("ranks-shared", "clients take the same ranks", page.Edit(`max(c.Rank, told), env.Self()`, `max(c.Rank, told), c.cfg.FirstClient`)),
	notOne("pending-kept", "line 3.23 is left out: operations stay pending",
		page.Edit(`maps.DeleteFunc(s.Pending, func(o Label, _ any) bool { return m.State.Reflects(o) })`, ``)),
	notOne("get-at-least", "get accepts a rank equal to maxRank: ≥ instead of > in line 3.6", page.Edit(`m.Rank <= s.MaxRank`, `m.Rank < s.MaxRank`)),
	notOne("choose-by-proposer", "choose sorts by proposer alone", page.Edit(`byProposer(b, a)`, `cmp.Compare(b.Proposer, a.Proposer)`,
		`byProposer(s, S[i+1]) == 0`, `s.Proposer == S[i+1].Proposer`)),
	notOne("quorums-apart", "get waits for all servers, and propose and commit wait for 2b+1, which need not meet", variant.Setup(func(c *Config) {
		c.Get.Size = len(c.Servers)
		c.Propose.Size, c.Commit.Size = 2*c.Byzantine+1, 2*c.Byzantine+1
	})),
}

// notOne returns a harmless change: Theorem 1 is true, but some step of its proof may fail.
func notOne(name, title string, change func(*model.System)) model.Variant {
	return model.Variant{
		Name: name, Title: title + "; seeded", Edit: variant.All(change, seed), Unclaimed: names(causal),
		Show: model.Check{Config: three.Config, Claims: safety},
	}
}
