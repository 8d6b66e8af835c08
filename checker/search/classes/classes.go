// Package classes holds the set of state classes that a search in dense time has met, as package visited does
// for the other readings.
//
// A class is a state with a zone: the set of the possible remaining times of the pending events. The findings
// of a layer are grouped by state. Zones within other zones are dropped, and zones with a convex union are
// merged.
package classes

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/zone"
)

// A Set is the set of state classes met so far. A class is a state with a zone, both in the state's frame. It
// stands for all real-valued runs that lead to a point of the zone.
type Set struct {
	Merging bool                         // drop classes within other classes, and merge convex unions
	index   map[fingerprint.Print]uint32 // of states, by key
	States  []timeless                   // in the order of discovery
	List    []class                      // of all classes, by number
	zones   zoneSet                      // of all classes: equal zones share a matrix
	Size    int64                        // bytes of zones and vectors
}

// New returns an empty set.
func New(merging bool) *Set {
	return &Set{Merging: merging, index: map[fingerprint.Print]uint32{}, zones: zoneSet{}}
}

// A timeless is a state without its zones.
type timeless struct {
	Key       fingerprint.Print
	V         []uint32
	Exchanges [][]int  // row orders that leave the state unchanged
	live      []uint32 // its classes, without classes within later classes
}

type class struct {
	State uint32 // index in States
	Zone  zone.Zone
	From  *[]uint32 // predecessors in the previous layer: together they lead to each point
}

// NoClass is the predecessor of an initial class.
const NoClass uint32 = 1<<32 - 1

// A stateFindings holds the zones of one state that a searcher met in a layer.
type stateFindings struct {
	v       []uint32
	zones   []zone.Zone
	index   map[uint64][]uint32 // indexes of zones, by hash
	parents []uint32
}

// A Findings holds the zones that one searcher met in a layer, by state.
type Findings map[fingerprint.Print]*stateFindings

// Add records a zone of a state and its parent class. It returns false if the zone was recorded before. It
// copies v and z.
func (all Findings) Add(key fingerprint.Print, v []uint32, z zone.Zone, parent uint32) bool {
	known := all[key]
	if known == nil {
		known = &stateFindings{v: slices.Clone(v), index: map[uint64][]uint32{}}
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

// Has reports whether a class of an earlier layer contains a zone; without Merging, whether it equals the zone.
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

// A batch holds the findings of all searchers for one state.
type batch struct {
	key     fingerprint.Print
	V       []uint32
	zones   []zone.Zone
	parents []uint32
	known   *timeless // nil if the state is new
	fresh   timeless
	merged  []zone.Zone
}

// Batches groups the findings of all searchers by state, in the order of the keys, and clears found.
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

// Merge merges the zones of a batch. Different goroutines may merge different batches, each with its own
// merger. If the state is new, Merge calls exchanges to get its row orders.
func (c *Set) Merge(b *batch, m *Merger, exchanges func(v []uint32) [][]int) {
	if b.known == nil {
		b.fresh = timeless{Key: b.key, V: b.V, Exchanges: exchanges(b.V)}
		b.known = &b.fresh
	}
	var old []zone.Zone
	for _, id := range b.known.live {
		old = append(old, c.List[id].Zone)
	}
	b.merged = m.merge(b.zones, old, b.known.Exchanges)
}

// Commit adds the classes of a batch and returns their numbers. If the state is new, fresh is true. The caller
// commits the batches one after another.
func (c *Set) Commit(b *batch) (ids []uint32, fresh bool) {
	if len(b.merged) == 0 {
		return nil, false
	}
	i, ok := c.index[b.key]
	if !ok {
		i = uint32(len(c.States))
		c.index[b.key] = i
		c.States = append(c.States, b.fresh)
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
