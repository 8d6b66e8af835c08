package ordering

import "contend/model"

// harmless are changes that look like bugs, and are none. docs/proofs/ordering.md says
// why.
var harmless = []model.Variant{
	{Name: "commit-does-not-raise", Show: try, Title: "commit does not raise maxRank", Edit: keepingRank[Commit]()},
	{Name: "ranks-shared", Show: try, Title: "clients take the same ranks", Edit: tune(func(c *Config) {
		raise := c.Raise
		c.Raise = func(own, told Rank, _ model.NodeID) Rank { return raise(own, told, c.FirstClient) }
	})},
	{Name: "pending-kept", Show: try, Title: "line 3.23 is left out: operations stay pending", Edit: taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		kept := map[Label]any{}
		for o, call := range s.Pending {
			kept[o] = call
		}
		s.Receive(env, c, m)
		for o, call := range kept {
			s.Pending[o] = call
		}
	})},
	{Name: "get-at-least", Show: try, Title: "get lets the rank be maxRank: ≥ for > in line 3.6", Edit: taking(func(s *Server, env model.Env, c model.NodeID, m any) {
		if m, ok := m.(Get); ok && m.Rank == s.MaxRank {
			s.MaxRank--
		}
		s.Receive(env, c, m)
	})},
}
