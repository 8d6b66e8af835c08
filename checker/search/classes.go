package search

import (
	"cmp"
	"slices"

	"contend/checker/zone"
)

// A classSet is the set of state classes met so far: a class is a state with a zone, both in
// their frame, and stands for all real-valued runs that come there.
type classSet struct {
	merging bool             // classes that others contain are left out, and convex unions merged
	index   map[print]uint32 // of states, by key
	states  []timeless
	list    []class
	zones   zoneSet // of all classes: equal ones share their matrix
	size    int64   // bytes of zones and vectors
}

func newClassSet(merging bool) *classSet {
	return &classSet{merging: merging, index: map[print]uint32{}, zones: zoneSet{}}
}

// timeless is a state without its zones.
type timeless struct {
	key       print
	v         []uint32
	exchanges [][]int
	live      []uint32 // its classes, but those that a later one contains
}

type class struct {
	state uint32
	zone  zone.Zone
	from  *[]uint32 // classes of the layer before, one of which leads to each point of it
}

// noClass stands for what is before the beginning.
const noClass uint32 = 1<<32 - 1

// finds are successors of one state that a searcher met in a layer.
type finds struct {
	v       []uint32
	zones   []zone.Zone
	index   map[uint64][]uint32 // of zones, by hash
	parents []uint32
}

// findings are what one searcher met in a layer, by state.
type findings map[print]*finds

// add notes a zone of a state, come from a class; it returns how many bytes that takes, 0 when it
// was known.
func (all findings) add(key print, v []uint32, z zone.Zone, parent uint32) (bytes int64) {
	known := all[key]
	if known == nil {
		known = &finds{v: slices.Clone(v), index: map[uint64][]uint32{}}
		all[key] = known
		bytes = int64(len(v)*4) + 200
	}
	h := z.Hash()
	if n := len(known.parents); n == 0 || known.parents[n-1] != parent {
		known.parents = append(known.parents, parent)
	}
	for _, k := range known.index[h] {
		if known.zones[k].Equal(z) {
			return bytes
		}
	}
	known.index[h] = append(known.index[h], uint32(len(known.zones)))
	known.zones = append(known.zones, z.Clone())
	return bytes + int64(len(z.M)*4) + 100
}

// has reports whether a class of an earlier layer contains a zone.
func (c *classSet) has(key print, z zone.Zone) bool {
	i, ok := c.index[key]
	if !ok {
		return false
	}
	return slices.ContainsFunc(c.states[i].live, func(id uint32) bool {
		if !c.merging {
			return z.Equal(c.list[id].zone)
		}
		return z.Within(c.list[id].zone)
	})
}

// A batch is what was found of one state, by all searchers.
type batch struct {
	key     print
	v       []uint32
	zones   []zone.Zone
	parents []uint32
	known   *timeless // nil when the state is new
	made    timeless
	merged  []zone.Zone
}

// batches puts together what the searchers found, in the order of the keys, and clears it.
func (c *classSet) batches(found []findings) []batch {
	var all []batch
	at := map[print]int{}
	for _, some := range found {
		for key, f := range some {
			k, ok := at[key]
			if !ok {
				k = len(all)
				at[key] = k
				all = append(all, batch{key: key, v: f.v})
				if i, ok := c.index[key]; ok {
					all[k].known = &c.states[i]
				}
			}
			b := &all[k]
			b.zones, b.parents = append(b.zones, f.zones...), append(b.parents, f.parents...)
		}
		clear(some)
	}
	slices.SortFunc(all, func(a, b batch) int {
		return cmp.Or(cmp.Compare(a.key.A, b.key.A), cmp.Compare(a.key.B, b.key.B))
	})
	return all
}

// merge merges the zones of a batch. Batches may be merged at once, each by a merger of its
// own.
func (c *classSet) merge(b *batch, m *merger, exchanges func(v []uint32) [][]int) {
	if b.known == nil {
		b.made = timeless{key: b.key, v: b.v, exchanges: exchanges(b.v)}
		b.known = &b.made
	}
	var old []zone.Zone
	for _, id := range b.known.live {
		old = append(old, c.list[id].zone)
	}
	b.merged = m.merge(b.zones, old, b.known.exchanges)
}

// commit adds the classes of a batch, and returns their numbers; fresh says that the state is
// new, and not just its zones.
func (c *classSet) commit(b *batch) (ids []uint32, fresh bool) {
	if len(b.merged) == 0 {
		return nil, false
	}
	i, ok := c.index[b.key]
	if !ok {
		i = uint32(len(c.states))
		c.index[b.key] = i
		c.states = append(c.states, b.made)
		c.size += int64(len(b.v)*4 + 120)
	}
	state := &c.states[i]
	if c.merging {
		state.live = slices.DeleteFunc(state.live, func(id uint32) bool {
			return anyWithin([]zone.Zone{c.list[id].zone}, b.merged)
		})
	}
	slices.Sort(b.parents)
	from := slices.Compact(b.parents)
	c.size += int64(len(from) * 4)
	for _, z := range b.merged {
		id := uint32(len(c.list))
		z, known := c.zones.intern(z)
		if !known {
			c.size += int64(len(z.M)*4 + 60)
		}
		c.list = append(c.list, class{i, z, &from})
		ids, state.live = append(ids, id), append(state.live, id)
		c.size += 48
	}
	return ids, !ok
}
