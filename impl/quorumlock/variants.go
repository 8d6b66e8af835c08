package quorumlock

import (
	"contend/model"
	"contend/model/quorum"
)

var variants = []model.Variant{
	{
		Name: "small-quorum", Title: "a quorum is one server too small",
		Breaks: "mutual exclusion", Show: model.Check{Config: model.Config{N: 4, B: 1}},
		Edit: tune(func(c *Config, _ model.Config) { c.Quorum-- }),
	},
	{
		Name: "majority", Title: "any majority is a quorum, as if no server lied",
		Breaks: "mutual exclusion", Show: model.Check{Config: model.Config{N: 5, B: 1}},
		Edit: tune(func(c *Config, is model.Config) { c.Quorum = quorum.Backoff.Smallest(is.N, 0).Size }),
	},
	{
		Name: "tolerates-more", Title: "b+1 LOCKED answers are tolerated",
		Breaks: "mutual exclusion", Show: model.Check{Config: model.Config{N: 4, B: 1}},
		Edit: tune(func(c *Config, _ model.Config) { c.B++ }),
	},
	{
		Name: "grants-twice", Title: "an honest server answers FREE to two clients",
		Breaks: "mutual exclusion", Show: one,
		Edit: tune(func(c *Config, _ model.Config) { c.Grants++ }),
	},
	{
		Name: "silent-lock", Title: "an honest server that has granted the lock does not answer LOCKED",
		Breaks: "decision", Show: one,
		Edit: func(s *model.System) {
			for _, id := range setup(s).Honest {
				s.Nodes[id].New = func() model.Node { return &silentServer{Server{cfg: setup(s)}} }
			}
		},
	},
	{
		Name: "tolerates-less", Title: "b LOCKED answers are too many: those of liars suffice",
		Breaks: "failure is due", Show: model.Check{Config: model.Config{N: 4, B: 1}.With(model.Clients.Is(1))},
		Edit: tune(func(c *Config, _ model.Config) { c.B-- }),
	},
	{
		Name: "decides-again", Title: "a client keeps counting after it has decided",
		Breaks: "a decision is final", Show: model.Check{Config: model.Config{N: 3}},
		Edit: func(s *model.System) {
			for i, n := range s.Nodes {
				if n.Role == model.Client {
					s.Nodes[i].New = func() model.Node { return &restlessClient{Client{cfg: setup(s)}} }
				}
			}
		},
	},
	{
		Name: "forgetful", Title: "an honest server forgets whom it granted",
		Breaks: "mutual exclusion", Show: one,
		Edit: func(s *model.System) {
			for _, id := range setup(s).Honest {
				s.Nodes[id].New = func() model.Node { return &forgetfulServer{Server{cfg: setup(s)}} }
			}
		},
	},
}

// one is a check with one server.
var one = model.Check{Config: model.Config{N: 1}}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

func tune(f func(c *Config, is model.Config)) func(*model.System) {
	return func(s *model.System) { f(setup(s), s.Config) }
}

type forgetfulServer struct{ Server }

func (s *forgetfulServer) Receive(env model.Env, c model.NodeID, m any) {
	s.Server.Receive(env, c, m)
	s.Granted = nil
}

type silentServer struct{ Server }

func (s *silentServer) Receive(env model.Env, c model.NodeID, m any) {
	if len(s.Granted) < s.cfg.Grants {
		s.Server.Receive(env, c, m)
	}
}

type restlessClient struct{ Client }

func (c *restlessClient) Receive(env model.Env, from model.NodeID, m any) {
	if c.Phase != Idle {
		c.Phase = Waiting
	}
	c.Client.Receive(env, from, m)
}
