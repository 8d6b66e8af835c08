package search

// cache remembers, for a pair of interned ids, a number, mostly an index into a list of results. It
// is open-addressed, so that a lookup on the hot path touches one line of memory, and
// belongs to one worker.
type cache struct {
	slots []remembered // a power of two
	used  int
}

type remembered struct {
	key uint64 // 0: empty; no pair is (0, 0)
	val uint32
}

func newCache() cache { return cache{slots: make([]remembered, 256)} }

func pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

func (c *cache) get(key uint64) (uint32, bool) {
	mask := uint64(len(c.slots) - 1)
	for i := scramble(key) & mask; ; i = (i + 1) & mask {
		switch s := &c.slots[i&mask]; s.key {
		case key:
			return s.val, true
		case 0:
			return 0, false
		}
	}
}

func (c *cache) put(key uint64, val uint32) {
	if 2*c.used >= len(c.slots) {
		old := c.slots
		c.slots, c.used = make([]remembered, 2*len(old)), 0
		for _, s := range old {
			if s.key != 0 {
				c.put(s.key, s.val)
			}
		}
	}
	mask := uint64(len(c.slots) - 1)
	i := scramble(key) & mask
	for c.slots[i].key != 0 && c.slots[i].key != key {
		i = (i + 1) & mask
	}
	if c.slots[i].key == 0 {
		c.used++
	}
	c.slots[i] = remembered{key, val}
}
