package backoff

import (
	"slices"

	"contend/model"
)

// finite is the option truncated on a network that is stable or becomes so. There the
// tries that a slow pair has in flight are without number, and live tries are told from
// dead ones by names without end. It replaces them by what they can come to:
//
//   - A client does not ask the servers that are slow to it. For each there is a node
//     with a voice of its own, which may answer the client's present try FREE or LOCKED at
//     any moment, as no correct server would have to.
//   - The same node may bring the server an old try of that client at any moment.
//   - In an eventually stable run the messages of each client's first try may take as long
//     as they like, as if sent before the network was stable; and old tries may be
//     brought to every server.
//
// These are moves of the environment. So every state of the real system has one here
// that can do no more than it, and a goal that is possible from everywhere here is so there. That is
// what the option is for; Lemma 1 it does not claim. See docs/proofs/section5.md.
var finite = model.Variant{
	Name: "finite", Title: "truncated, for networks that are stable or become stable: slow messages are moves of the environment",
	Edit: makeFinite, Unclaimed: []string{"Lemma 1", "Lemma 1, grants"}, Joins: true,
	Show: model.Check{
		Config: model.Config{N: 1, Network: model.EventuallyStableNetwork}, Reading: model.Grid, Claims: []string{"Corollary 2"},
	},
}

func makeFinite(s *model.System) {
	m := s.Config.Network.Model()
	if m == model.AsynchronousNetwork {
		model.Misused("network is asynchronous, but no liveness is claimed for it")
	}
	truncateOn(s)
	setup(s).Slack = 1
	if m != model.StableNetwork && m != model.EventuallyStableNetwork {
		return
	}
	slow, err := slowPairs(s)
	if err != nil {
		panic(err) // the places were read before
	}
	if m == model.EventuallyStableNetwork {
		taught(func(*Setup, model.NodeID) habit { return habit{after: calmed} })(s)
		δ, processing := model.Delay.Of(s.Config), Processing.Of(s.Config)
		s.Network.Messages = func(from, _ model.NodeID, msg any) model.Window {
			if name(msg).Contend == stormy {
				return model.Anytime()
			}
			if s.Nodes[from].Role == model.Server {
				return model.By(δ + processing)
			}
			return model.By(δ)
		}
	}
	editNodes(model.Client, func(_ *model.System, id model.NodeID, n model.Node) model.Node {
		c := improved(n)
		own := *c.cfg
		own.Servers = slices.DeleteFunc(slices.Clone(own.Servers), func(u model.NodeID) bool { return slow[pair{id, u}] })
		c.cfg = &own
		return c
	})(s)
	haunt(s, slow, m == model.EventuallyStableNetwork)
}

// stormy numbers the contend whose first try is sent before the network is stable.
const stormy = 1

// calmed gives the tries after it another number.
func calmed(c *Client, _ model.Env) {
	if c.Try.Contend == stormy && !c.Waiting {
		c.Try.Contend++
	}
}

// name is the try that a message is of.
func name(m any) Try {
	switch m := m.(type) {
	case Try:
		return m
	case Request:
		return m.Try
	case Answer:
		return m.Try
	}
	return Try{}
}

// haunt adds the nodes through which slow and old messages come.
func haunt(s *model.System, slow map[pair]bool, everywhere bool) {
	cfg, forge, voices := setup(s), s.Forge, map[model.NodeID]pair{}
	clients := s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Client })
	servers := s.IDs(func(n model.NodeSpec) bool { return n.Role == model.Server && !n.Byzantine })
	for _, c := range clients {
		for _, u := range servers {
			if at := (pair{c, u}); everywhere || slow[at] {
				id := model.NodeID(len(s.Nodes))
				voices[id], cfg.Stands[id] = at, c
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: s.Name(c) + "~" + s.Name(u), Role: model.Server, Byzantine: true})
			}
		}
	}
	s.Forge = func(receiver model.Node, to, from model.NodeID) []any {
		at, haunted := voices[from]
		if !haunted {
			return forge(receiver, to, from)
		}
		switch to {
		case at.server:
			if len(cfg.Wanted) > 0 {
				return []any{Request{Want: cfg.wanted(at.client)}}
			}
			return []any{Try{}}
		case at.client:
			if t, waiting := receiver.(contender).contending(); waiting && slow[at] {
				return []any{Answer{t, Free}, Answer{t, Locked}}
			}
		}
		return nil
	}
}
