package backoff

import (
	"fmt"
	"maps"
	"slices"

	"contend/model"
)

var variants = slices.Concat(options, mutants, improvements)

// options keep all claims except those that they declare as unclaimed.
var options = []model.Variant{
	{
		Name: "truncated", Title: "the backoff stops growing after --tries broadcasts, as on an Ethernet: the state space is finite without a cut",
		Edit: truncate, Unclaimed: []string{"Lemma 1, grants"}, // it tells tries apart only while messages are timely
		Joins: true,
	},
	finite,
	{
		Name: "asynchronous", Title: "truncated, and messages take any time: q = n, so that no answer arrives after its try",
		Edit: asynchronous, Unclaimed: []string{"Lemma 1, grants"},
		Show: model.Check{Config: model.Config{N: 2}, Reading: model.Grid, Claims: []string{"Instability, nonadaptive"}},
	},
	{
		Name: "whole-ticks", Title: "a grant locks a server for one tick more than Δ+2δ, because its clock counts whole ticks",
		Edit: func(s *model.System) { setup(s).Lease.At++ }, Joins: true,
	},
	{
		Name: "margin", Title: "a grant locks a server for (1+ρ)(Δ+2δ) on its own clock, rounded up to a tick: at least Δ+2δ of real time",
		Edit: func(s *model.System) {
			rho, lease := model.Ticks(s.Config.Drift), &setup(s).Lease
			lease.At = (lease.At*(1000+rho) + 999) / 1000
		},
		Joins: true,
	},
	{
		Name: "any-backoff", Title: "a client sleeps for any time, or not at all: Lemma 1 does not depend on sleeps",
		Edit: page.Edit(`model.Uniform(c.cfg.Unit, c.cfg.Unit<<min(c.Try.Retry, c.cfg.Last))`, `model.Anytime()`),
		Show: model.Check{Config: model.Config{N: 3}, Reading: model.Dense, Claims: lemma1},
	},
	{
		Name: "old-statuses", Title: "reading: status_u of an earlier try stands until the server answers this one",
		Edit: replaceClients(func(c Client) model.Node { return &rememberingClient{Client: c} }),
	},
	{
		Name: "locked-at-boot", Title: "reading: lastGranted starts at the time of boot",
		Edit: replaceServers(func(s Server) model.Node { return &lockedServer{s} }),
	},
	leaving,
	polynomial("quadratic", 2, page.Edit(`model.Uniform(c.cfg.Unit, c.cfg.Unit<<min(c.Try.Retry, c.cfg.Last))`, `model.Uniform(c.cfg.Unit, power(c.cfg.Unit, c.Try.Retry+1, 2))`)),
	polynomial("cubic", 3, page.Edit(`model.Uniform(c.cfg.Unit, c.cfg.Unit<<min(c.Try.Retry, c.cfg.Last))`, `model.Uniform(c.cfg.Unit, power(c.cfg.Unit, c.Try.Retry+1, 3))`)),
}

func grid(c model.Config) model.Check { return model.Check{Config: c, Reading: model.Grid} }

// A Setup is the configuration of Figure 1, with the data that variants edit and options share.
type Setup struct {
	*Config
	Section model.Ticks                   // Δ
	Delay   model.Ticks                   // δ
	Round   model.Ticks                   // the longest time of a try and its answers: 2δ
	Slack   model.Ticks                   // the ticks beyond 2δ that a client waits because its clock has whole ticks: 0 or 1
	Wanted  map[model.NodeID]model.Ticks  // by client: its own Δ, if any
	Stands  map[model.NodeID]model.NodeID // by node: the client whose earlier tries it sends, in the option finite
	Cyclic  bool                          // tries of a contend reuse names, in the option truncated
}

// newSetup returns the setup of the paper.
func newSetup(cfg *Config, c model.Config) *Setup {
	δ := model.Delay.Of(c)
	return &Setup{
		Config: cfg, Section: Section.Of(c), Delay: δ, Round: 2 * δ,
		Wanted: map[model.NodeID]model.Ticks{}, Stands: map[model.NodeID]model.NodeID{},
	}
}

func setup(s *model.System) *Setup { return s.Setup.(*Setup) }

func replaceClients(f func(Client) model.Node) func(*model.System) {
	return replace(model.Client, func(s *model.System) model.Node { return f(Client{cfg: setup(s).Config}) })
}

func replaceServers(f func(Server) model.Node) func(*model.System) {
	return replace(model.Server, func(s *model.System) model.Node { return f(Server{cfg: setup(s).Config}) })
}

func replace(role model.Role, f func(*model.System) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			if s.Nodes[i].Role == role {
				s.Nodes[i].New = func() model.Node { return f(s) }
			}
		}
	}
}

// A rememberingClient never resets status_u within a contend, as Figure 1a is printed. So a LOCKED answer to an earlier
// try counts for later tries.
type rememberingClient struct {
	Client
	Statuses map[model.NodeID]Status
}

// Invoke starts a contend.
func (c *rememberingClient) Invoke(env model.Env, op any) {
	c.Statuses = map[model.NodeID]Status{}
	c.Client.Invoke(env, op)
}

// Receive handles a server's answer.
func (c *rememberingClient) Receive(env model.Env, u model.NodeID, m any) {
	a := m.(Answer)
	if _, answered := c.Answers[u]; answered || !c.Waiting || a.Try != c.Try {
		return
	}
	c.Answers[u], c.Statuses[u] = a.Status, a.Status
	if c.cfg.Quorums.Contained(len(c.Answers)) {
		c.Answers = maps.Clone(c.Statuses)
		c.conclude(env)
	}
}

// A lockedServer starts as if it had just granted a try.
type lockedServer struct{ Server }

// Start locks the server.
func (s *lockedServer) Start(env model.Env) { env.Hold(lease{}, s.cfg.Lease) }

// polynomial returns an option whose backoffs grow with a power of s instead of 2ˢ: "in practice it may be preferable
// to experiment with other backoff strategies" (§4). The paper gives no formula. Here d is from [D, (s+1)^power·D] with
// D = Δ+4δ. So the first backoff has a choice of lengths, as in Figure 1.
func polynomial(name string, exponent int, edit func(*model.System)) model.Variant {
	return model.Variant{
		Name:  name,
		Title: fmt.Sprintf("polynomial backoff: d is drawn from [Δ+4δ … (s+1)^%d·(Δ+4δ)]", exponent),
		Edit:  edit,
	}
}

// power returns unit times base to an exponent, at most [model.MaxTicks].
func power(unit model.Ticks, base, exponent int) model.Ticks {
	for range exponent {
		unit = min(unit*model.Ticks(base), model.MaxTicks)
	}
	return unit
}
