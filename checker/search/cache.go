package search

// cache remembers, for a pair of interned ids, a number, mostly an index into a list of results. It
// is open-addressed, so that a lookup on the hot path touches one line of memory, and
// belongs to one worker.
type cache struct {
	slots []remembered // a power of two
	shift uint8        // of a scattered key, to the number of a slot
	used  int
}

type remembered struct {
	key uint64 // 0: empty; no pair is (0, 0)
	val uint32
}

func newCache() cache { return cache{slots: make([]remembered, 256), shift: 64 - 8} }

func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

func (c *cache) get(key uint64) (uint32, bool) {
	mask := uint64(len(c.slots) - 1)
	for i := c.first(key); ; i++ {
		switch s := &c.slots[i&mask]; s.key {
		case key:
			return s.val, true
		case 0:
			return 0, false
		}
	}
}

// first is where a key belongs: the upper bits of its product with 2⁶⁴ over the golden ratio,
// on which all of its bits bear.
func (c *cache) first(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> (c.shift & 63) }

func (c *cache) put(key uint64, val uint32) {
	if 2*c.used >= len(c.slots) {
		old := c.slots
		c.slots, c.used, c.shift = make([]remembered, 2*len(old)), 0, c.shift-1
		for _, s := range old {
			if s.key != 0 {
				c.put(s.key, s.val)
			}
		}
	}
	mask := uint64(len(c.slots) - 1)
	i := c.first(key)
	for c.slots[i].key != 0 && c.slots[i].key != key {
		i = (i + 1) & mask
	}
	if c.slots[i].key == 0 {
		c.used++
	}
	c.slots[i] = remembered{key, val}
}
