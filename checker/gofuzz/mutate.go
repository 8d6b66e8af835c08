package gofuzz

import (
	"math/rand/v2"
	"slices"
)

// mostBytes is the maximum size of a mutated input.
const mostBytes = 1 << 12

// Mutated returns an input with a few changes. Bytes are replaced, removed, inserted or doubled; the end is
// removed or replaced by another input's. A run reads its input in order, so the part before the first change
// retains its meaning.
func Mutated(r *rand.Rand, data, other []byte) []byte {
	data = slices.Clone(data)
	for more := true; more; more = r.IntN(3) > 0 {
		if len(data) == 0 {
			data = append(data, byte(r.Uint32()))
		}
		at := r.IntN(len(data))
		end := min(at+1+r.IntN(8), len(data))
		switch r.IntN(7) {
		case 0, 1:
			data[at] = byte(r.Uint32())
		case 2:
			data[at] ^= 1 << r.IntN(8)
		case 3:
			data = slices.Delete(data, at, end)
		case 4:
			data = slices.Insert(data, at, slices.Clone(data[at:end])...)
		case 5:
			for range end - at {
				data = slices.Insert(data, at, byte(r.Uint32()))
			}
		default:
			data = append(data[:at], other[min(at, len(other)):]...)
		}
	}
	return data[:min(len(data), mostBytes)]
}
