package search

import (
	"cmp"
	"slices"
	"sync/atomic"

	"contend/checker/zone"
)

// classes are the state classes of a search in dense time: a class is a state with a zone,
// both in their frame, and stands for all real-valued runs that come there.
type classes struct {
	x      *explorer
	index  map[print]uint32 // of states, by key
	states []timeless
	list   []class
	zones  zoneSet  // of all classes: equal ones share their matrix
	layer  []uint32 // the classes to expand
	size   int64    // bytes of zones and vectors
	merges []*merger
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

func newClasses(x *explorer) *classes {
	c := &classes{x: x, index: map[print]uint32{}, zones: zoneSet{}}
	for _, s := range x.workers {
		s.emit = s.foundClass
		s.finds = map[print]*finds{}
		c.merges = append(c.merges, &merger{off: !x.opt.Merge})
	}
	return c
}

// foundClass is told of each successor.
func (s *searcher) foundClass(v []uint32) {
	s.transitions++
	if s.move.witness != 0 || len(s.move.broken) > 0 {
		s.report()
	}
	f := s.framed(v, s.sum)
	s.arranged.Arrange(s.zones.made, f.order)
	if s.x.classes.has(f.key, s.arranged) {
		return
	}
	known := s.finds[f.key]
	if known == nil {
		known = &finds{v: slices.Clone(f.v), index: map[uint64][]uint32{}}
		s.finds[f.key] = known
		s.x.held.Add(int64(len(f.v)*4) + 200)
	}
	h := s.arranged.Hash()
	parent := uint32(s.present.A)
	if s.rooted {
		parent = noClass
	}
	if n := len(known.parents); n == 0 || known.parents[n-1] != parent {
		known.parents = append(known.parents, parent)
	}
	for _, k := range known.index[h] {
		if known.zones[k].Equal(s.arranged) {
			return
		}
	}
	known.index[h] = append(known.index[h], uint32(len(known.zones)))
	known.zones = append(known.zones, s.arranged.Clone())
	s.x.fresh.Add(1)
	s.x.held.Add(int64(len(s.arranged.M)*4) + 100)
}

// has reports whether a class of an earlier layer contains a zone.
func (c *classes) has(key print, z zone.Zone) bool {
	i, ok := c.index[key]
	if !ok {
		return false
	}
	return slices.ContainsFunc(c.states[i].live, func(id uint32) bool {
		if !c.x.opt.Merge {
			return z.Equal(c.list[id].zone)
		}
		return z.Within(c.list[id].zone)
	})
}

// expand expands the classes of the present layer.
func (c *classes) expand() {
	x := c.x
	x.stop.Store(false)
	x.look()
	var taken atomic.Int64
	x.inParallel(len(c.layer) >= 16, func(s *searcher) {
		for !x.stop.Load() {
			from := int(taken.Add(someClasses)) - someClasses
			if from >= len(c.layer) {
				break
			}
			for _, id := range c.layer[from:min(from+someClasses, len(c.layer))] {
				s.expandClass(id)
			}
			if s == x.workers[0] {
				x.look()
			}
		}
		x.generated.Add(s.transitions)
		s.transitions = 0
	})
}

// someClasses is how many classes a worker takes at once.
const someClasses = 8

func (s *searcher) expandClass(id uint32) {
	c := &s.x.classes.list[id]
	s.present = print{A: uint64(id)}
	s.zones.at = c.zone
	s.expandState(s.x.classes.states[c.state].v)
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

// gather makes classes of what was found in a layer, and makes them the next.
func (c *classes) gather() {
	batches := c.batches()
	x := c.x
	c.share(len(batches), func(s, k int) {
		b := &batches[k]
		if b.known == nil {
			b.made = timeless{key: b.key, v: b.v, exchanges: x.workers[s].exchanges(b.v)}
			b.known = &b.made
		}
		var old []zone.Zone
		for _, id := range b.known.live {
			old = append(old, c.list[id].zone)
		}
		b.merged = c.merges[s].merge(b.zones, old, b.known.exchanges)
	})
	c.layer = c.layer[:0]
	if x.stop.Load() {
		return // what was found in this layer is not all merged, and is left
	}
	for k := range batches {
		c.commit(&batches[k])
	}
	x.states = int64(len(c.list))
	x.fresh.Store(0)
	x.held.Store(0)
}

// share does a job for each of n batches, on all workers, until a limit is hit.
func (c *classes) share(n int, job func(worker, batch int)) {
	x := c.x
	var taken atomic.Int64
	x.inParallel(n >= someBatches, func(s *searcher) {
		s.refresh()
		worker := slices.Index(x.workers, s)
		for from := int(taken.Add(someBatches)) - someBatches; from < n && !x.stop.Load(); from = int(taken.Add(someBatches)) - someBatches {
			if s == x.workers[0] {
				x.looks = 0 // merging takes longer than stepping: look around each time
				x.look()
			}
			for k := from; k < min(from+someBatches, n); k++ {
				job(worker, k)
			}
		}
	})
}

// someBatches is how many batches a worker takes at once.
const someBatches = 16

// batches puts together what the searchers found, in the order of the keys.
func (c *classes) batches() []batch {
	var all []batch
	at := map[print]int{}
	for _, s := range c.x.workers {
		for key, f := range s.finds {
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
		clear(s.finds)
	}
	slices.SortFunc(all, func(a, b batch) int {
		return cmp.Or(cmp.Compare(a.key.A, b.key.A), cmp.Compare(a.key.B, b.key.B))
	})
	return all
}

// commit adds the classes of a batch.
func (c *classes) commit(b *batch) {
	if len(b.merged) == 0 {
		return
	}
	i, ok := c.index[b.key]
	if !ok {
		i = uint32(len(c.states))
		c.index[b.key] = i
		c.states = append(c.states, b.made)
		c.size += int64(len(b.v)*4 + 120)
	}
	state := &c.states[i]
	if !c.merges[0].off {
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
		c.layer, state.live = append(c.layer, id), append(state.live, id)
		c.size += 48
	}
	if !ok {
		s := c.x.workers[0]
		s.refresh()
		s.invs.check(state.v, print{A: uint64(len(c.list) - 1)})
		if c.x.onState != nil {
			c.x.onState(state.v)
		}
	}
}
