package backoff

import "contend/model"

var variants = append([]model.Variant{
	{
		Name: "truncated", Title: "the backoff stops growing after --tries broadcasts, as on an Ethernet: finite without a cut",
		Edit: truncate, Unclaimed: []string{"Lemma 1, grants"}, // it tells tries apart only while messages are timely
		Joins: true,
	},
	finite,
	{
		Name: "asynchronous", Title: "truncated, and messages take as long as they like: q = n, where no answer outlives its try",
		Edit: asynchronous, Unclaimed: []string{"Lemma 1, grants"},
		Show: model.Check{Config: model.Config{N: 2}, Reading: model.Grid, Claims: []string{"Instability, nonadaptive"}},
	},
	{
		Name: "whole-ticks", Title: "a grant locks a server for one tick more than Δ+2δ, as a clock of whole ticks must",
		Edit: func(s *model.System) { setup(s).Lease.At++ }, Joins: true,
	},
	{
		Name: "margin", Title: "a grant locks a server for (1+ρ)(Δ+2δ) of its own time, the next whole tick: at least Δ+2δ of real time",
		Edit: func(s *model.System) {
			rho, lease := model.Ticks(s.Config.Drift), &setup(s).Lease
			lease.At = (lease.At*(1000+rho) + 999) / 1000
		},
		Joins: true,
	},
	{
		Name: "any-backoff", Title: "a client sleeps for as long as it likes, or not at all: Lemma 1 rests on no sleep",
		Edit: func(s *model.System) { setup(s).Sleep = func(int) model.Window { return model.Anytime() } },
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
	polynomial("quadratic", 2),
	polynomial("cubic", 3),
	{
		Name: "lease-delta", Title: "a grant locks a server for Δ, not Δ+2δ",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 1}),
		Edit: func(s *model.System) { setup(s).Lease = model.Through(s.Config.Section) },
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
		Breaks: "Lemma 1", Show: grid(model.Config{N: 1, Tries: 1}),
		Edit: func(s *model.System) { setup(s).B++ },
	},
	{
		Name: "small-quorum", Title: "a quorum is one server too small",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 2, Tries: 1}),
		Edit: func(s *model.System) { setup(s).Quorums.Size-- },
	},
	{
		Name: "earlier-try", Title: "an answer to an earlier try is counted",
		Breaks: "Lemma 1, grants", Show: model.Check{Config: model.Config{N: 3, Clients: 1, Ops: 2, Tries: 1}},
		Edit: replaceClients(func(c Client) model.Node { return &lateClient{c} }),
	},
	{
		Name: "counted-twice", Title: "one server's repeated answer is counted twice",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 2, Tries: 1, Faults: model.Faults{Duplication: 2}}),
		Edit: replaceClients(func(c Client) model.Node { return &doubleClient{Client: c} }),
	},
	{
		Name: "forgetful", Title: "a server forgets lastGranted",
		Breaks: "Lemma 1", Show: grid(model.Config{N: 1, Tries: 1}),
		Edit: replaceServers(func(s Server) model.Node { return &forgetfulServer{s} }),
	},
	{
		Name: "gives-up", Title: "a client that was denied does not try again",
		Breaks: "Corollary 2", Show: grid(model.Config{N: 2, Tries: 1}),
		Edit: func(s *model.System) {
			replaceClients(func(c Client) model.Node { return &meekClient{c} })(s)
			s.Cuts = nil // there is no second try
		},
	},
	{
		Name: "metronome", Title: "truncated, and a client sleeps for Δ+4δ each time, without a draw",
		Breaks: "Corollary 2, adaptive", Show: grid(model.Config{N: 2}),
		Edit: func(s *model.System) {
			truncate(s)
			cfg := setup(s)
			cfg.Sleep = func(int) model.Window { return model.Exactly(cfg.Section + 2*cfg.Round) }
		},
	},
}, improvements...)

// tight is the smallest configuration found in which a lease below Δ+2δ is too
// short: it takes a third client to lock a server that neither of the others needs.
var tight = model.Check{Config: model.Config{N: 3, Clients: 3, Tries: 1}, Reading: model.Dense}

func grid(c model.Config) model.Check { return model.Check{Config: c, Reading: model.Grid} }

func setup(s *model.System) *Config { return s.Setup.(*Config) }

func replaceClients(f func(Client) model.Node) func(*model.System) {
	return replace(model.Client, func(s *model.System) model.Node { return f(Client{cfg: setup(s)}) })
}

func replaceServers(f func(Server) model.Node) func(*model.System) {
	return replace(model.Server, func(s *model.System) model.Node { return f(Server{cfg: setup(s)}) })
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

// A rememberingClient never resets status_u within a contend, as Figure 1a is
// printed, so a LOCKED of an earlier try counts against this one.
type rememberingClient struct {
	Client
	Statuses map[model.NodeID]Status
}

// Invoke starts a contend.
func (c *rememberingClient) Invoke(env model.Env, op any) {
	c.Statuses = map[model.NodeID]Status{}
	c.Client.Invoke(env, op)
}

// Receive takes a server's answer.
func (c *rememberingClient) Receive(env model.Env, u model.NodeID, m any) {
	a := m.(Answer)
	if _, answered := c.Answers[u]; answered || !c.Waiting || a.Try != c.Try {
		return
	}
	c.Answers[u], c.Statuses[u] = a.Status, a.Status
	c.decide(env, len(c.Answers), c.Statuses)
}

// A lockedServer has just granted, as it were, when it boots.
type lockedServer struct{ Server }

// Start locks the server.
func (s *lockedServer) Start(env model.Env) { env.Hold(lease{}, s.cfg.Lease) }

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
		c.decide(env, len(c.Answers)+c.Repeats, c.Answers)
		return
	}
	c.Client.Receive(env, u, m)
}

type forgetfulServer struct{ Server }

func (*forgetfulServer) Receive(env model.Env, c model.NodeID, m any) {
	env.Note(Granted{c, m.(Try)})
	env.Send(c, Answer{m.(Try), Free})
}

type meekClient struct{ Client }

func (*meekClient) Timeout(model.Env, any) {}
