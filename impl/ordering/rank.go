package ordering

import "contend/model"

// A Rank orders the passages of all ordering threads. "Each client's rank is formed
// with its identifier in the low-order bits" (§6.2), so no two clients ever have the
// same; 0 is the rank of σ⁰.
type Rank int64

// Absurd is the least rank that a client does not go above: a computer's integers
// end, the paper's do not. A server that reports as much lies, or has met a client
// that was lied to. A client that was told of a rank just below may still take it, and
// then outranks the others for good: see the option modest-ranks.
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

// highest is "the maximum of all ranks reported" (§6.2), of those that there is room
// above.
func highest(reported []Rank) Rank {
	told := Rank(0)
	for _, r := range reported {
		if r < Absurd {
			told = max(told, r)
		}
	}
	return told
}
