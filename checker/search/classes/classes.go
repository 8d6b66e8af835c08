// Package classes is to dense time what package visited is to the other readings: the set of
// state classes that a search has met.
//
// A class is a state with a zone, the set of all that may be left until each pending event is
// due. What the searchers find in a layer is put together by state; of its zones those that
// others contain are left out, and those whose union is convex become one.
package classes

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/zone"
)

// A Set is the set of state classes met so far: a class is a state with a zone, both in
// their frame, and stands for all real-valued runs that come there.
type Set struct {
	Merging bool                         // says that classes in others are left out, and convex unions merged
	index   map[fingerprint.Print]uint32 // of states, by key
	States  []timeless                   // in the order in which they were met
	List    []class                      // of all classes, by number
	zones   zoneSet                      // of all classes: equal ones share their matrix
	Size    int64                        // bytes of zones and vectors
}

// New makes an empty set.
func New(merging bool) *Set {
	return &Set{Merging: merging, index: map[fingerprint.Print]uint32{}, zones: zoneSet{}}
}

// timeless is a state without its zones.
type timeless struct {
	Key       fingerprint.Print
	V         []uint32
	Exchanges [][]int  // of rows, that leave the state as it is
	live      []uint32 // its classes, but those that a later one contains
}

type class struct {
	State uint32 // its number among States
	Zone  zone.Zone
	From  *[]uint32 // classes of the layer before, one of which leads to each point of it
}

// NoClass stands for what is before the beginning.
const NoClass uint32 = 1<<32 - 1

// finds are successors of one state that a searcher met in a layer.
type finds struct {
	v       []uint32
	zones   []zone.Zone
	index   map[uint64][]uint32 // of zones, by hash
	parents []uint32
}

// Findings are what one searcher met in a layer, by state.
type Findings map[fingerprint.Print]*finds

// Add notes a zone of a state, come from a class; false when it was known.
func (all Findings) Add(key fingerprint.Print, v []uint32, z zone.Zone, parent uint32) bool {
	known := all[key]
	if known == nil {
		known = &finds{v: slices.Clone(v), index: map[uint64][]uint32{}}
		all[key] = known
	}
	h := z.Hash()
	if n := len(known.parents); n == 0 || known.parents[n-1] != parent {
		known.parents = append(known.parents, parent)
	}
	for _, k := range known.index[h] {
		if known.zones[k].Equal(z) {
			return false
		}
	}
	known.index[h] = append(known.index[h], uint32(len(known.zones)))
	known.zones = append(known.zones, z.Clone())
	return true
}

// Has reports whether a class of an earlier layer contains a zone.
func (c *Set) Has(key fingerprint.Print, z zone.Zone) bool {
	i, ok := c.index[key]
	if !ok {
		return false
	}
	return slices.ContainsFunc(c.States[i].live, func(id uint32) bool {
		if !c.Merging {
			return z.Equal(c.List[id].Zone)
		}
		return z.Within(c.List[id].Zone)
	})
}

// A batch is what was found of one state, by all searchers.
type batch struct {
	key     fingerprint.Print
	V       []uint32
	zones   []zone.Zone
	parents []uint32
	known   *timeless // nil when the state is new
	made    timeless
	merged  []zone.Zone
}

// Batches puts together what the searchers found, in the order of the keys, and clears it.
func (c *Set) Batches(found []Findings) []batch {
	var all []batch
	at := map[fingerprint.Print]int{}
	for _, some := range found {
		for key, f := range some {
			k, ok := at[key]
			if !ok {
				k = len(all)
				at[key] = k
				all = append(all, batch{key: key, V: f.v})
				if i, ok := c.index[key]; ok {
					all[k].known = &c.States[i]
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

// Merge merges the zones of a batch. Batches may be merged at once, each by a merger of its
// own.
func (c *Set) Merge(b *batch, m *Merger, exchanges func(v []uint32) [][]int) {
	if b.known == nil {
		b.made = timeless{Key: b.key, V: b.V, Exchanges: exchanges(b.V)}
		b.known = &b.made
	}
	var old []zone.Zone
	for _, id := range b.known.live {
		old = append(old, c.List[id].Zone)
	}
	b.merged = m.merge(b.zones, old, b.known.Exchanges)
}

// Commit adds the classes of a batch, and returns their numbers; fresh says that the state is
// new, and not just its zones.
func (c *Set) Commit(b *batch) (ids []uint32, fresh bool) {
	if len(b.merged) == 0 {
		return nil, false
	}
	i, ok := c.index[b.key]
	if !ok {
		i = uint32(len(c.States))
		c.index[b.key] = i
		c.States = append(c.States, b.made)
		c.Size += int64(len(b.V)*4 + 120)
	}
	state := &c.States[i]
	if c.Merging {
		state.live = slices.DeleteFunc(state.live, func(id uint32) bool {
			return anyWithin([]zone.Zone{c.List[id].Zone}, b.merged)
		})
	}
	slices.Sort(b.parents)
	from := slices.Compact(b.parents)
	c.Size += int64(len(from) * 4)
	for _, z := range b.merged {
		id := uint32(len(c.List))
		z, known := c.zones.intern(z)
		if !known {
			c.Size += int64(len(z.M)*4 + 60)
		}
		c.List = append(c.List, class{i, z, &from})
		ids, state.live = append(ids, id), append(state.live, id)
		c.Size += 48
	}
	return ids, !ok
}
