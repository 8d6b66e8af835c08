package backoff

import "contend/model"

// A contender is a client of this protocol or of one of its variants.
type contender interface {
	contending() (t Try, waiting bool)
}

func (c *Client) contending() (Try, bool) { return c.Try, c.Waiting }

// Forge is what a Byzantine server may answer: anything, to this try or an earlier
// one. To a try that was not made it cannot answer, since a client's tries are
// numbered by the client.
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
