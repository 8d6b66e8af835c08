package ordering

import (
	"cmp"
	"maps"
	"slices"

	"contend/impl/ordering/object"
	"contend/model"
	"contend/model/quorum"
)

var variants = slices.Concat(options(slices.Concat(workloads, contends, readings, harmless)), mutants)

// options do not claim what is a finding for the protocol as printed: what stands
// beside it they claim.
func options(all []model.Variant) []model.Variant {
	for i := range all {
		all[i].Unclaimed = append(slices.Clone(all[i].Unclaimed), "Lemma 4 (1)", "Lemma 4 (2)")
	}
	return all
}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

// Readings and harmless changes are tried with two servers, with a second operation,
// or with three servers of which one lies, intersection kept and availability given up.
var (
	tryAgain = model.Check{Config: model.Config{N: 1}.With(model.Ops.Is(2), Attempts.Is(1)), Claims: safety}
	try      = model.Check{Config: model.Config{N: 2}.With(Attempts.Is(1)), Claims: safety}
	tryLiar  = model.Check{Config: model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), Attempts.Is(1)), Claims: safety}
	safety   = []string{"Theorem 1", "Theorem 1, linearizable", "Line 2.25"}
)

// readings are what else the printed pseudo-code may mean: docs/proofs/ordering.md
// has the table.
var readings = []model.Variant{
	{
		Name: "rank-kept", Show: model.Check{Config: oneTwice.Config, Claims: safety}, Title: "reading: a client keeps its rank until b+1 RankExceptions report a higher one; channels are at most once",
		Edit: tune(func(c *Config) {
			raise := c.Raise
			c.Raise = func(own, told Rank, client model.NodeID) Rank {
				if own > 0 && told == 0 {
					return own
				}
				return raise(own, told, client)
			}
		}),
	},
	{
		Name: "modest-ranks", Show: tryLiar, Title: "a client goes above the (b+1)-th highest rank that RankExceptions report, not the highest",
		Edit: tune(func(c *Config) { c.Told = c.credible }),
	},
	{
		Name: "more-answers", Show: tryLiar, Title: "reading: a client may go on collecting answers when it has heard from a quorum",
		Edit: tune(func(c *Config) {
			enough := c.Enough
			c.Enough = func(env model.Env, q quorum.Threshold, heard int) bool {
				return enough(env, q, heard) && (heard == q.N || env.Choose(2) == 0)
			}
		}),
	},
	{
		Name: "exceptions-kept", Show: tryLiar, Title: "reading: RankExceptions count over all phases of a passage",
		Edit: edit(model.Client, func(n model.Node) model.Node { return &countingClient{Client: *n.(*Client)} }),
	},
	{
		Name: "nothing-pending", Show: try, Title: "reading: with nothing new pending, no version is made and a new passage begins",
		Edit: tune(func(c *Config) { c.Skips = func(fresh int) bool { return fresh == 0 } }),
	},
	{
		Name: "submit-restarts", Show: tryAgain, Title: "reading: a submit abandons the running passage and begins its own",
		Edit: around(func(c *Client, env model.Env, event any, handle func()) {
			_, submits := event.(object.Call)
			running := c.Phase > Contending
			handle()
			if submits && running {
				c.abort(env)
			}
		}),
	},
	{
		Name: "stops-when-served", Show: try, Title: "reading: an aborted passage is the last when waiting = false",
		Edit: around(func(c *Client, env model.Env, _ any, handle func()) {
			running := c.Phase > Contending
			handle()
			if running && c.Phase == Contending && !c.Waiting {
				env.Cancel(contended{})
				c.Passages--
				c.enter(0)
			}
		}),
	},
	{
		Name: "completed-forgotten", Show: tryAgain, Title: "reading: completed is reset with each submit",
		Edit: around(func(c *Client, _ model.Env, event any, handle func()) {
			if _, submits := event.(object.Call); submits && c.Phase == 0 {
				c.Completed = 0
			}
			handle()
		}),
	},
	{
		Name: "completed-unknown", Show: try, Title: "reading: at first it is not known that σ⁰ is complete",
		Edit: edit(model.Client, func(n model.Node) model.Node {
			n.(*Client).Completed = Undefined.Version
			return n
		}),
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
		Edit: tune(func(c *Config) {
			c.Reach = func(model.Env, Op) []model.NodeID { return c.Servers }
		}),
	},
	{
		Name: "reflects-highest", Show: tryAgain, Title: "reading: a state reflects the operations up to the highest number performed for a client",
		Edit: tune(func(c *Config) { c.Reflects = reflectsHighest }),
	},
	{
		Name: "responses-kept", Show: tryAgain, Title: "reading: responses of earlier versions stay in a state",
		Edit: tune(func(c *Config) {
			c.Successor = func(s State) State {
				next := s.successor()
				maps.Copy(next.Responses, s.Responses)
				return next
			}
		}),
	},
}

// reflectsHighest is σ.reflects(o) by "the highest operation sequence number already
// performed for each client" (§6.1).
func reflectsHighest(s State, o Label) bool {
	for p := range s.Performed {
		if p.Client == o.Client && p.Seq >= o.Seq {
			return true
		}
	}
	return false
}

// credible is the highest rank that a correct server surely has reached: b+1 servers
// report as much.
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
	Earlier map[model.NodeID]Rank // of the phases before
}

// Receive takes what a server returns or throws.
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

// harmless are changes that look like bugs but are not. docs/proofs/ordering.md says
// why. They are tried where a server may be outside every quorum that is heard from.
var harmless = []model.Variant{
	notOne("ranks-shared", "clients take the same ranks", tune(func(c *Config) {
		raise := c.Raise
		c.Raise = func(own, told Rank, _ model.NodeID) Rank { return raise(own, told, c.FirstClient) }
	})),
	notOne("pending-kept", "line 3.23 is left out: operations stay pending", taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		kept := maps.Clone(s.Pending)
		s.Receive(env, c, m)
		maps.Copy(s.Pending, kept)
	})),
	notOne("get-at-least", "get accepts a rank equal to maxRank: ≥ instead of > in line 3.6", taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		if m, ok := m.(Get); ok && m.Rank == s.MaxRank {
			s.MaxRank--
		}
		s.Receive(env, c, m)
	})),
	notOne("choose-by-proposer", "choose sorts by proposer alone", tune(func(c *Config) {
		c.Order = func(a, b Got) int { return cmp.Compare(a.Proposer, b.Proposer) }
	})),
	notOne("quorums-apart", "get waits for all servers, and propose and commit wait for 2b+1, which need not meet", tune(func(c *Config) {
		c.Get.Size = len(c.Servers)
		c.Propose.Size, c.Commit.Size = 2*c.Byzantine+1, 2*c.Byzantine+1
	})),
}

// notOne is a change that is no bug: Theorem 1 stands, though not every step of its
// proof.
func notOne(name, title string, change func(*model.System)) model.Variant {
	return model.Variant{
		Name: name, Title: title + "; seeded", Edit: all(change, seed), Unclaimed: names(causal),
		Show: model.Check{Config: three.Config, Claims: safety},
	}
}

// An editedServer is a server with another way to take a message.
type editedServer struct {
	Server
	take func(s *Server, env model.Env, c model.NodeID, m any)
}

// Receive takes a message the other way.
func (s *editedServer) Receive(env model.Env, c model.NodeID, m any) { s.take(&s.Server, env, c, m) }

// taking replaces servers by edited ones.
func taking(take func(s *Server, env model.Env, c model.NodeID, m any)) func(*model.System) {
	return edit(model.Server, func(n model.Node) model.Node {
		if s, ok := n.(*Server); ok {
			return &editedServer{*s, take}
		}
		return n
	})
}

// An editedClient is a client to which something is done around each event.
type editedClient struct {
	Client
	around func(c *Client, env model.Env, event any, handle func())
}

// Invoke, Timeout and Receive are the client's own, with something around them. The
// event is the call, the alarm's key or the message.
func (c *editedClient) Invoke(env model.Env, call any) {
	c.around(&c.Client, env, call, func() { c.Client.Invoke(env, call) })
}

// Timeout see Invoke.
func (c *editedClient) Timeout(env model.Env, key any) {
	c.around(&c.Client, env, key, func() { c.Client.Timeout(env, key) })
}

// Receive see Invoke.
func (c *editedClient) Receive(env model.Env, u model.NodeID, m any) {
	c.around(&c.Client, env, m, func() { c.Client.Receive(env, u, m) })
}

// around replaces clients by edited ones.
func around(do func(c *Client, env model.Env, event any, handle func())) func(*model.System) {
	return edit(model.Client, func(n model.Node) model.Node { return &editedClient{*n.(*Client), do} })
}

// edit replaces the nodes of a role.
func edit(r model.Role, f func(model.Node) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			if n := &s.Nodes[i]; n.Role == r {
				make := n.New
				n.New = func() model.Node { return f(make()) }
			}
		}
	}
}

// tune edits what clients and servers share.
func tune(f func(*Config)) func(*model.System) {
	return func(s *model.System) { f(setup(s)) }
}

// all makes edits one after another. Those of contend come last: they hold the nodes
// that the others made.
func all(edits ...func(*model.System)) func(*model.System) {
	return func(s *model.System) {
		for _, e := range edits {
			e(s)
		}
	}
}
