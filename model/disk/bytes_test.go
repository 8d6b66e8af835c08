package disk

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A content has the bytes of a slice that is written and cut alike. Its sum depends on its bytes alone, and a copy keeps its own bytes.
func TestContent(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		var c, copied content
		var want, before []byte
		for range 60 {
			at := r.IntN(3 * pageSize)
			switch r.IntN(4) {
			case 0:
				c.resize(int64(at))
				want = append(want, make([]byte, max(0, at-len(want)))...)[:at]
			case 1:
				copied, before = c.clone(), append([]byte{}, want...)
			default:
				b := make([]byte, 1+r.IntN(2*pageSize))
				if r.IntN(3) > 0 {
					for i := range b {
						b[i] = byte(r.Uint32())
					}
				}
				c.writeAt(b, int64(at))
				want = append(want, make([]byte, max(0, at+len(b)-len(want)))...)
				copy(want[at:], b)
			}
			require.Equal(t, string(want), string(bytesOf(&c)))
			require.Equal(t, string(before), string(bytesOf(&copied)))
			var again content
			again.resize(int64(len(want)))
			for end := len(want); end > 0; { // from the end
				begin := max(0, end-1-r.IntN(5000))
				again.writeAt(want[begin:end], int64(begin))
				end = begin
			}
			require.Equal(t, again.summed(nil), c.summed(nil))
		}
		other := c.clone()
		if c.size > 0 {
			at := r.Int64N(c.size)
			other.writeAt([]byte{want[at] + 1}, at)
			require.NotEqual(t, c.summed(nil), other.summed(nil))
		}
	}
}

// bytesOf returns all bytes, read in parts.
func bytesOf(c *content) (all []byte) {
	for b := make([]byte, 1000); int64(len(all)) < c.size; {
		all = append(all, b[:c.readAt(b, int64(len(all)))]...)
	}
	return all
}
