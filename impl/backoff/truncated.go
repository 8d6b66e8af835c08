package backoff

import "contend/model"

// Truncate lets backoffs grow no more after so many retries.
func (c *Config) Truncate(last int) {
	sleep := c.Sleep
	c.Sleep = func(retry int) model.Window { return sleep(min(retry, last)) }
}

// Truncated returns a client that numbers its tries … last−1, last, last−1, last, …,
// as it starts, by itself or within another node.
func (c *Config) Truncated(last int) *TruncatedClient { return &TruncatedClient{Client{cfg: c}, last} }

// A TruncatedClient is finite without a cut. On a synchronous network no answer
// outlives two tries, so that it takes none for another's.
type TruncatedClient struct {
	Client
	last int
}

// Receive takes a server's answer.
func (c *TruncatedClient) Receive(env model.Env, u model.NodeID, m any) {
	c.Client.Receive(env, u, m)
	if c.Try.Retry > c.last {
		c.Try.Retry -= 2
	}
}
