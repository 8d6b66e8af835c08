// Package memo is the hash table with which a worker remembers answers: from two small numbers
// to one.
package memo

// Table remembers, for a pair of interned ids, a number, mostly an index into a list of results. It
// is open-addressed, so that a lookup on the hot path touches one line of memory, and
// belongs to one worker.
type Table struct {
	Slots []remembered // as many as a power of two
	shift uint8        // of a scattered key, to the number of a slot
	Used  int          // slots that are taken
}

type remembered struct {
	Key uint64 // 0: empty; no pair is (0, 0)
	Val uint32 // what is remembered
}

// New makes an empty table.
func New() Table { return Table{Slots: make([]remembered, 256), shift: 64 - 8} }

// Pair is the key of a pair, of which one is not 0.
func Pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

// Get returns what is remembered for a key, and whether anything is.
func (c *Table) Get(key uint64) (uint32, bool) {
	mask := uint64(len(c.Slots) - 1)
	for i := c.first(key); ; i++ {
		switch s := &c.Slots[i&mask]; s.Key {
		case key:
			return s.Val, true
		case 0:
			return 0, false
		}
	}
}

// first is where a key belongs: the upper bits of its product with 2⁶⁴ over the golden ratio,
// on which all of its bits bear.
func (c *Table) first(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> (c.shift & 63) }

// Put remembers a number for a key.
func (c *Table) Put(key uint64, val uint32) {
	if 2*c.Used >= len(c.Slots) {
		old := c.Slots
		c.Slots, c.Used, c.shift = make([]remembered, 2*len(old)), 0, c.shift-1
		for _, s := range old {
			if s.Key != 0 {
				c.Put(s.Key, s.Val)
			}
		}
	}
	mask := uint64(len(c.Slots) - 1)
	i := c.first(key)
	for c.Slots[i].Key != 0 && c.Slots[i].Key != key {
		i = (i + 1) & mask
	}
	if c.Slots[i].Key == 0 {
		c.Used++
	}
	c.Slots[i] = remembered{key, val}
}
