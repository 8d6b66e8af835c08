package ordering

import "contend/model"

// A Rank orders the passages of all ordering threads. "Each client's rank is formed
// with its identifier in the low-order bits" (§6.2), so no two clients ever have the
// same; 0 is the rank of σ⁰.
type Rank int64

// Absurd is the least rank that no client takes: a computer's integers end, the
// paper's do not. A server that reports it lies, or has met a client that was lied
// to; there is nothing to go above.
const Absurd Rank = 1 << 62

// above returns a client's least rank above r.
func (c *Config) above(r Rank, client model.NodeID) Rank {
	id := Rank(client - c.FirstClient)
	next := r>>c.RankBits<<c.RankBits | id
	if next <= r {
		next += 1 << c.RankBits
	}
	return next
}
