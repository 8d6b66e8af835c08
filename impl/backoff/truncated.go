package backoff

import (
	"slices"

	"contend/model"
)

// Truncate stops the growth of backoffs after a number of retries.
func (c *Config) Truncate(last int) { c.Last = last }

// Truncated returns a new client that numbers its tries … last−1, last, last−1, last, …, for use by itself or within
// another node.
func (c *Config) Truncated(last int) *TruncatedClient {
	return &TruncatedClient{EditedClient{Client: Client{cfg: c}}, last}
}

// A TruncatedClient is finite without a cut. On a synchronous network no answer arrives two tries later. So no answer
// counts for another try with its name.
type TruncatedClient struct {
	EditedClient
	last int
}

// Receive handles a server's answer.
func (c *TruncatedClient) Receive(env model.Env, u model.NodeID, m any) {
	c.EditedClient.Receive(env, u, m)
	if c.Try.Retry > c.last {
		c.Try.Retry -= 2
	}
}

// truncate makes every client finite without a cut.
func truncate(s *model.System) {
	if m := s.Config.Network.Model(); m != model.SynchronousNetwork && m != model.ConstantNetwork {
		model.Misused("network is %s, but answers may arrive after their try there; use the option finite", s.Config.Network)
	}
	truncateOn(s)
}

func truncateOn(s *model.System) {
	last := max(Tries.Of(s.Config)-1, 1)
	setup(s).Truncate(last)
	setup(s).Cyclic = true
	editNodes(model.Client, func(_ *model.System, _ model.NodeID, n model.Node) model.Node {
		if c, ok := n.(*Client); ok {
			return &TruncatedClient{EditedClient{Client: *c}, last}
		}
		c := improved(n)
		c.habits = append(slices.Clone(c.habits), truncating(last))
		return c
	})(s)
	s.Cuts = nil
}

// truncating returns the habit of a [TruncatedClient].
func truncating(last int) habit {
	return habit{after: func(c *Client, _ model.Env) {
		if c.Try.Retry > last {
			c.Try.Retry -= 2
		}
	}}
}

// asynchronous makes every client finite, with messages of any delay. A client waits for all servers, so no answer is
// late, and names of tries may be reused.
func asynchronous(s *model.System) {
	if q := setup(s).Quorums; q.Size != q.N {
		model.Misused("quorum is %d, but must be all n = %d servers, so that no answer arrives after its try", q.Size, q.N)
	}
	if m := s.Config.Network.Model(); m != model.SynchronousNetwork && m != model.AsynchronousNetwork {
		model.Misused("network is %s, but the option is for one that is asynchronous", s.Config.Network)
	}
	truncateOn(s)
	s.Config.Network, s.Network.Delays = model.AsynchronousNetwork, nil
	if err := timely(s); err != nil {
		panic(err) // an asynchronous network has no places to read
	}
}
