package ordering

import (
	"maps"

	"contend/model"
)

// harmless are changes that look like bugs, and are none. docs/proofs/ordering.md says
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
	notOne("get-at-least", "get lets the rank be maxRank: ≥ for > in line 3.6", taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		if m, ok := m.(Get); ok && m.Rank == s.MaxRank {
			s.MaxRank--
		}
		s.Receive(env, c, m)
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
