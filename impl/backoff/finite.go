package backoff

import (
	"slices"

	"contend/model"
)

// finite is the option truncated for a network that is stable or becomes stable. On such a network the tries in flight
// of a slow pair have no bound, and names without bound tell live tries from dead tries. So the option replaces these
// tries by their possible effects:
//
//   - A client does not ask the servers that are slow to it. For each such server, a node
//     may answer the client's current try FREE or LOCKED at
//     any moment. A correct server need not answer.
//   - The same node may send the server an old try of that client at any moment.
//   - In an eventually stable run the messages of each client's first try may take any time,
//     as if sent before the network was stable. Every server may receive
//     old tries.
//
// These are moves of the environment. So every state of the real system has a state here
// with at most its steps. A goal that is possible from every state here is possible in the real system. That is
// the purpose of the option. It does not claim Lemma 1. See docs/proofs/section5.md.
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
		panic(err) // the places were validated before
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

// stormy is the number of the contend whose first try is sent before the network is stable.
const stormy = 1

// calmed gives later tries another number.
func calmed(c *Client, _ model.Env) {
	if c.Try.Contend == stormy && !c.Waiting {
		c.Try.Contend++
	}
}

// name returns the try of a message.
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

// haunt adds the nodes that send slow and old messages.
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
