package guest

import "math/bits"

// Random draws numbers: xoshiro256++ by Blackman and Vigna, a small generator whose state is plain.
type Random [4]uint64

// Seeded begins with a seed, spread by splitmix64.
func Seeded(seed uint64) (r Random) {
	for i := range r {
		seed += 0x9e3779b97f4a7c15
		x := seed
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		r[i] = x ^ x>>31
	}
	return r
}

func (r *Random) next() uint64 {
	is := bits.RotateLeft64(r[0]+r[3], 23) + r[0]
	t := r[1] << 17
	r[2] ^= r[0]
	r[3] ^= r[1]
	r[1] ^= r[2]
	r[0] ^= r[3]
	r[2] ^= t
	r[3] = bits.RotateLeft64(r[3], 45)
	return is
}

// Fill fills a slice.
func (r *Random) Fill(b []byte) {
	for len(b) > 0 {
		x := r.next()
		for i := 0; i < 8 && len(b) > 0; i++ {
			b[0] = byte(x >> (8 * i))
			b = b[1:]
		}
	}
}
