package backoff

import (
	"fmt"

	"contend/model"
)

// timely gives a system the network that its configuration names. What the paper calls
// a synchronous run is [model.StableNetwork]: stable from the start (§3, line 59).
//
// A server's processing stands between its handling of a request and the leaving of the
// answer, so that an answer may take δ + processing. Handlers stay atomic.
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

// distance is how many times δ a message takes on the constant network: 0 and 1 in turn, so that
// no two clients are as far from the first server as from the second.
func distance(a, b model.NodeID) model.Ticks { return model.Ticks(a+b) % 2 }

// A pair is a client and a server.
type pair struct{ client, server model.NodeID }

// slowPairs returns, for a stable network, between whom nothing is timely: each correct
// client and as many correct servers as are left beside a quorum, in a row from its place
// on; and a client that is to crash, and all servers.
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
