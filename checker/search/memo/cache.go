// Package memo is a worker's memo table: a hash table from pairs of small numbers to numbers.
package memo

// A Table maps pairs of interned numbers to numbers, mostly indexes into a list of results. It uses open
// addressing, so that a lookup on the hot path touches one cache line. It is not safe for concurrent use.
type Table struct {
	Slots []slot // a power of two many
	shift uint8  // shift of a hashed key to a slot's index
	Used  int    // number of keys
}

type slot struct {
	Key uint64 // 0: empty; no pair is (0, 0)
	Val uint32
}

// New returns an empty table.
func New() Table { return Table{Slots: make([]slot, 256), shift: 64 - 8} }

// Pair returns the key of a pair; a and b are not both 0.
func Pair(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

// Get returns the value of a key, and whether the table has the key.
func (c *Table) Get(key uint64) (uint32, bool) {
	mask := uint64(len(c.Slots) - 1)
	for i := c.home(key); ; i++ {
		switch s := &c.Slots[i&mask]; s.Key {
		case key:
			return s.Val, true
		case 0:
			return 0, false
		}
	}
}

// home returns the slot at which the search for a key begins: the upper bits of the key's product with 2⁶⁴ over
// the golden ratio. All bits of the key affect them.
func (c *Table) home(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> (c.shift & 63) }

// Put sets the value of a key.
func (c *Table) Put(key uint64, val uint32) {
	if 2*c.Used >= len(c.Slots) {
		old := c.Slots
		c.Slots, c.Used, c.shift = make([]slot, 2*len(old)), 0, c.shift-1
		for _, s := range old {
			if s.Key != 0 {
				c.Put(s.Key, s.Val)
			}
		}
	}
	mask := uint64(len(c.Slots) - 1)
	i := c.home(key)
	for c.Slots[i].Key != 0 && c.Slots[i].Key != key {
		i = (i + 1) & mask
	}
	if c.Slots[i].Key == 0 {
		c.Used++
	}
	c.Slots[i] = slot{key, val}
}
