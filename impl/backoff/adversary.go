package backoff

import "contend/model"

// A contender is a client of this protocol or of one of its variants.
type contender interface {
	contending() (t Try, waiting bool)
}

func (c *Client) contending() (Try, bool) { return c.Try, c.Waiting }

// Forge returns the answers that a Byzantine server may send: FREE or LOCKED, to the current try or an earlier try. The
// checker calls it for each state of the receiver. A server cannot answer a try that was not made, because the client
// numbers its tries.
func Forge(receiver model.Node, _, _ model.NodeID) []any {
	c, ok := receiver.(contender)
	if !ok {
		return nil
	}
	var out []any
	latest, _ := c.contending()
	for t := latest; t.Retry >= 0; t.Retry-- {
		out = append(out, Answer{t, Free}, Answer{t, Locked})
	}
	return out
}
