package backoff

import (
	"fmt"

	"contend/model"
)

// timely sets the network that the configuration names. A synchronous run of the paper is [model.StableNetwork]: stable
// from the start (§3, line 59).
//
// A server's processing is between its handling of a request and the sending of the answer. So an answer may take δ +
// processing. Handlers stay atomic.
func timely(s *model.System) error {
	c := s.Config
	m := c.Network.Model()
	s.Stable = m != model.AsynchronousNetwork
	s.StableFromStart = m == model.StableNetwork
	slow, err := slowPairs(s)
	if err != nil {
		return err
	}
	if m == model.EventuallyStableNetwork || m == model.AsynchronousNetwork {
		s.Network.Delay = model.Anytime()
		return nil
	}
	δ, processing := model.Delay.Of(c), Processing.Of(c)
	s.Network.Delays = func(from, to model.NodeID) model.Window {
		most := δ
		if s.Nodes[from].Role == model.Server {
			most += processing
		}
		switch {
		case slow[pair{from, to}] || slow[pair{to, from}]:
			return model.Anytime()
		case m == model.ConstantNetwork:
			return model.Exactly(most * distance(from, to))
		}
		return model.By(most)
	}
	return nil
}

// distance returns the delay of a message on the constant network, in units of δ: 0 or 1. No two clients are equally
// far from both the first and the second server.
func distance(a, b model.NodeID) model.Ticks { return model.Ticks(a+b) % 2 }

// A pair is a client and a server.
type pair struct{ client, server model.NodeID }

// slowPairs returns the pairs without timely messages on a stable network. A correct client has as many slow correct
// servers as a quorum leaves, consecutive from the client's place. For a client that will crash, all servers are slow.
func slowPairs(s *model.System) (map[pair]bool, error) {
	c, slow := s.Config, map[pair]bool{}
	if m := c.Network.Model(); m != model.StableNetwork && m != model.EventuallyStableNetwork {
		return slow, nil
	}
	correct := c.N - c.B
	each := max(correct-model.Quorum.Of(c), 0)
	places, err := c.Network.Slow(model.Clients.Of(c), each)
	if err != nil {
		return nil, err
	}
	faulty := 0
	for i, place := range places {
		client := model.NodeID(c.N + i)
		count := each
		if place == model.Faulty {
			place, count = 0, correct
			faulty++
		}
		for k := range count {
			slow[pair{client, model.NodeID((place + k) % correct)}] = true
		}
	}
	if faulty > c.Faults.Crashes {
		return nil, fmt.Errorf("network is %s, but only clients that crash may lack a timely quorum: f must be %d or more", c.Network, faulty)
	}
	return slow, nil
}
