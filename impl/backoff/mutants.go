package backoff

import (
	"slices"

	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, each with the claim that it breaks. The options of §5 have one more mutant.
var mutants = []model.Variant{
	{
		Name: "lease-delta", Title: "a grant locks a server for Δ, not Δ+2δ",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 1}),
		Edit: func(s *model.System) { setup(s).Lease = model.Through(Section.Of(s.Config)) },
	},
	{
		Name: "lease-short", Title: "a grant locks a server for one tick less than Δ+2δ",
		Breaks: "Lemma 1", Show: tight,
		Edit: func(s *model.System) { setup(s).Lease.At-- },
	},
	{
		Name: "lease-at-least", Title: "a server is free again when clock() − lastGranted ≥ Δ+2δ, not >",
		Breaks: "Lemma 1", Show: tight,
		Edit: func(s *model.System) { setup(s).Lease.Open = true },
	},
	{
		Name: "tolerates-more", Title: "b+1 LOCKED answers are tolerated",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 1}.With(Tries.Is(1))),
		Edit: func(s *model.System) { setup(s).B++ },
	},
	{
		Name: "small-quorum", Title: "a quorum is one server too small",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 2}.With(Tries.Is(1))),
		Edit: func(s *model.System) { setup(s).Quorums.Size-- },
	},
	{
		Name: "earlier-try", Title: "an answer to an earlier try is counted",
		Breaks: "Lemma 1, grants", Show: model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(1), model.Ops.Is(2), Tries.Is(1))},
		Edit: replaceClients(func(c Client) model.Node { return &lateClient{c} }),
	},
	{
		Name: "counted-twice", Title: "one server's repeated answer is counted twice",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 2, Faults: model.Faults{Duplication: 2}}.With(Tries.Is(1))),
		Edit: replaceClients(func(c Client) model.Node { return &doubleClient{Client: c} }),
	},
	{
		Name: "forgetful", Title: "a server forgets lastGranted",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 1}.With(Tries.Is(1))),
		Edit: page.Edit(`env.Hold(lease{}, s.cfg.Lease)`, ``),
	},
	{
		Name: "gives-up", Title: "a client does not try again after a denial",
		Breaks: "Corollary 2", Show: grid(model.Config{N: 2}.With(Tries.Is(1))),
		Edit: func(s *model.System) {
			replaceClients(func(c Client) model.Node { return &meekClient{c} })(s)
			s.Cuts = nil // there is no second try
		},
	},
	{
		Name: "first-gives-up", Title: "truncated, and the first client, which begins at boot, does not try again after a denial",
		Breaks: "Corollary 2, again", Show: grid(model.Config{N: 2}),
		Edit: func(s *model.System) {
			truncate(s)
			first := &s.Nodes[s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Client })[0]]
			first.Script = slices.Clone(first.Script)
			first.Script[0].AtBoot, first.Script[0].After = true, model.Window{}
			first.New = func() model.Node { return &meekClient{*setup(s).Client()} }
		},
	},
	{
		Name: "metronome", Title: "truncated, and a client always sleeps for Δ+4δ, with no random draw",
		Breaks: "Corollary 2, adaptive", Show: grid(model.Config{N: 2}),
		Edit: variant.All(truncate, page.Edit(`model.Uniform(c.cfg.Unit, c.cfg.Unit<<min(c.Try.Retry, c.cfg.Last))`, `model.Exactly(c.cfg.Unit)`)),
	},
}

// tight is the smallest known configuration in which a lease below Δ+2δ is too short. A third client must lock a server
// that neither of the two others needs.
var tight = model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(3), Tries.Is(1)), Reading: model.Dense}

type lateClient struct{ Client }

func (c *lateClient) Receive(env model.Env, u model.NodeID, m any) {
	c.count(env, u, m.(Answer).Status)
}

type doubleClient struct {
	Client
	Repeats int
}

func (c *doubleClient) Invoke(env model.Env, op any) { c.Repeats = 0; c.Client.Invoke(env, op) }

func (c *doubleClient) Timeout(env model.Env, key any) { c.Repeats = 0; c.Client.Timeout(env, key) }

func (c *doubleClient) Receive(env model.Env, u model.NodeID, m any) {
	if _, answered := c.Answers[u]; answered && c.Waiting && m.(Answer).Try == c.Try {
		c.Repeats++
		if c.cfg.Quorums.Contained(len(c.Answers) + c.Repeats) {
			c.conclude(env)
		}
		return
	}
	c.Client.Receive(env, u, m)
}

type meekClient struct{ Client }

func (*meekClient) Timeout(model.Env, any) {}
