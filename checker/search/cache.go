package search

// cache remembers, for a pair of interned ids, an index into a list of results. It
// is open-addressed, so that a lookup on the hot path touches one line of memory.
type cache struct {
	keys []uint64 // 0: empty; no pair is (0, 0)
	vals []uint32
	used int
}

func newCache() cache { return cache{keys: make([]uint64, 1024), vals: make([]uint32, 1024)} }

func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

func (c *cache) slot(key uint64) int {
	mask := len(c.keys) - 1
	i := int(scramble(key)) & mask
	for c.keys[i] != 0 && c.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (c *cache) get(key uint64) (uint32, bool) {
	i := c.slot(key)
	return c.vals[i], c.keys[i] == key
}

func (c *cache) put(key uint64, val uint32) {
	if 2*c.used >= len(c.keys) {
		old := *c
		c.keys, c.vals, c.used = make([]uint64, 2*len(old.keys)), make([]uint32, 2*len(old.keys)), 0
		for i, k := range old.keys {
			if k != 0 {
				c.put(k, old.vals[i])
			}
		}
	}
	i := c.slot(key)
	c.keys[i], c.vals[i] = key, val
	c.used++
}

// scramble is the finaliser of splitmix64.
func scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
