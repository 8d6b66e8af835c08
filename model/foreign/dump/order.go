package dump

import (
	"bytes"
	"reflect"
	"slices"
	"unsafe"
)

// A map whose keys have pointers has no natural order: two keys may look alike and differ in what else points
// to their targets. Such maps are encoded last, when most of their targets have numbers. Their entries are
// sorted by trial dumps: by the dump of the key, and for equal keys by the dump of the value. A trial dump
// has numbers for visited targets, and so depends on no address. Unique entries are encoded. This numbers
// their targets, and the rest is sorted again. If no remaining entry is unique, an entry of the first group
// is encoded first, and so on.
//
// The choice of this entry is free, and the dump of the object is the least over all choices. Objects that
// are equal except for addresses have the same choices and so the same least dump, and each dump determines
// its object. There may be factorially many choices. But if two choices in one place result in equal dumps,
// an automorphism of the object exchanges the two, and the rest is equal. So the second choice is not
// followed further, and k keys that are alike in every respect cost about k²/2 dumps. This is the search tree
// of canonical labelling (McKay 1981) in its simplest form.
//
// Most keys that are alike have their own targets, such as a set of equal objects to which nothing else
// points. Exchanging two of them is always an automorphism, so they are encoded in any order without a
// choice.

// mostOrders and mostTrials are the largest numbers of dumps and of trial dumps of an object. An object that
// needs more is refused.
var mostOrders = 1000

const mostTrials = 100_000

// givenUp reports whether these numbers are exceeded. Another refusal does not end the search for an order,
// since the lines of an object with omitted fields need one.
func (e *encoder) givenUp() bool { return e.tried > mostOrders || e.trials > mostTrials }

// entriesOf has the entries of a map in a fixed order.
type entriesOf struct {
	keys, vals reflect.Value // slices
}

// A waiting map is encoded in part.
type waiting struct {
	id        unsafe.Pointer
	all       *entriesOf
	key, elem *plan
	rest      []int // entries that are not encoded yet
	depth     int
}

func (w *waiting) keyAt(i int) unsafe.Pointer {
	return unsafe.Add(w.all.keys.UnsafePointer(), uintptr(i)*w.key.size)
}

func (w *waiting) valAt(i int) unsafe.Pointer {
	return unsafe.Add(w.all.vals.UnsafePointer(), uintptr(i)*w.elem.size)
}

// delay adds a map to the maps that are encoded last.
func (e *encoder) delay(v reflect.Value, id unsafe.Pointer, key, elem *plan) {
	if e.trying > 0 {
		e.skipped++
		return
	}
	all := e.entries[id]
	if all == nil {
		n := v.Len()
		all = &entriesOf{reflect.MakeSlice(reflect.SliceOf(key.t), n, n), reflect.MakeSlice(reflect.SliceOf(elem.t), n, n)}
		for it, i := v.MapRange(), 0; it.Next(); i++ {
			all.keys.Index(i).SetIterKey(it)
			all.vals.Index(i).SetIterValue(it)
		}
		if e.entries == nil {
			e.entries = map[unsafe.Pointer]*entriesOf{}
		}
		e.entries[id] = all
	}
	w := &waiting{id: id, all: all, key: key, elem: elem, depth: e.depth}
	for i := range v.Len() {
		w.rest = append(w.rest, i)
	}
	e.delayed = append(e.delayed, w)
}

// encodeDelayed encodes these maps.
func (e *encoder) encodeDelayed() {
	for {
		first, moved := -1, false
		for i := 0; i < len(e.delayed); i++ {
			moved = e.encodeUnique(i) || moved
			if first < 0 && len(e.delayed[i].rest) > 0 {
				first = i
			}
		}
		switch {
		case e.givenUp() || first < 0 && !moved:
			return
		case !moved:
			e.choose(first)
		}
	}
}

// encodeUnique encodes the entries of a map that are unlike all others, and reports whether there were any.
func (e *encoder) encodeUnique(i int) (wrote bool) {
	w := e.delayed[i]
	groups := e.groups(w)
	w.rest = w.rest[:0]
	for _, g := range groups {
		if len(g) > 1 {
			w.rest = append(w.rest, g...)
			continue
		}
		e.entry(i, g[0])
		wrote = true
	}
	return wrote
}

// choose encodes the first group of entries of a map: entries with their own targets, or otherwise one entry.
func (e *encoder) choose(i int) {
	w := e.delayed[i]
	g := slices.Sorted(slices.Values(e.groups(w)[0]))
	if own := e.independent(w, g); len(own) > 0 {
		w.rest = slices.DeleteFunc(w.rest, func(j int) bool { return slices.Contains(own, j) })
		for _, j := range own {
			e.entry(i, j)
		}
		return
	}
	choice := 0
	if len(e.chosen) < len(e.choices) {
		choice = e.choices[len(e.chosen)]
	} else if len(e.chosen) == 0 {
		e.stuck = w.id
	}
	e.chosen, e.among = append(e.chosen, choice), append(e.among, len(g))
	w.rest = slices.DeleteFunc(w.rest, func(j int) bool { return j == g[choice] })
	e.entry(i, g[choice])
}

// independent returns the entries whose new targets no other entry of any map reaches.
func (e *encoder) independent(of *waiting, entries []int) (independent []int) {
	type owner struct {
		of *waiting
		is int
	}
	var regions []region
	var owners []owner
	first, shares := map[target]owner{}, map[owner]bool{}
	for _, w := range e.delayed {
		for _, i := range w.rest {
			own := owner{w, i}
			puts := e.skipped
			look := func(numbered []target, led []region) {
				for _, m := range numbered {
					if other, known := first[m]; known && other != own {
						shares[own], shares[other] = true, true
					}
					first[m] = own
				}
				for _, r := range led {
					regions, owners = append(regions, r), append(owners, own)
				}
			}
			e.tryOut(w, w.key, w.keyAt(i), look)
			e.tryOut(w, w.elem, w.valAt(i), look)
			shares[own] = shares[own] || e.skipped > puts // another map with unknown targets
		}
	}
	regions = append(regions, e.regions...)
	overlap, _ := overlaps(regions, nil)
	groups := map[int]owner{}
	for _, o := range overlap {
		own := owner{}
		if o.number < len(owners) {
			own = owners[o.number]
		}
		if other, known := groups[o.group]; known && other != own {
			shares[own], shares[other] = true, true
		}
		groups[o.group] = own
	}
	return slices.DeleteFunc(slices.Clone(entries), func(i int) bool { return shares[owner{of, i}] })
}

// entry encodes an entry of a map.
func (e *encoder) entry(i, entry int) {
	w := e.delayed[i]
	e.depth = w.depth
	e.number(uint64(i))
	w.key.dump(e, w.keyAt(entry))
	w.elem.dump(e, w.valAt(entry))
	if e.orders != nil {
		e.orders[w.id] = append(e.orders[w.id], entry)
	}
}

// groups returns the remaining entries of a map, sorted, with equal ones grouped.
func (e *encoder) groups(w *waiting) (groups [][]int) {
	for _, g := range grouped(w.rest, func(i int) []byte { return e.trial(w, w.key, w.keyAt(i)) }) {
		if len(g) == 1 {
			groups = append(groups, g)
			continue
		}
		groups = append(groups, grouped(g, func(i int) []byte { return e.trial(w, w.elem, w.valAt(i)) })...)
	}
	return groups
}

// grouped sorts entries by their texts and groups those with equal texts.
func grouped(all []int, text func(int) []byte) (groups [][]int) {
	texts := map[int][]byte{}
	for _, i := range all {
		texts[i] = text(i)
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(i, j int) int { return bytes.Compare(texts[i], texts[j]) })
	for i, one := range sorted {
		if i > 0 && bytes.Equal(texts[one], texts[sorted[i-1]]) {
			last := len(groups) - 1
			groups[last] = append(groups[last], one)
			continue
		}
		groups = append(groups, []int{one})
	}
	return groups
}

// trial returns the dump that a value in a map would have now.
func (e *encoder) trial(w *waiting, p *plan, at unsafe.Pointer) (own []byte) {
	out := len(e.out)
	e.tryOut(w, p, at, func([]target, []region) { own = slices.Clone(e.out[out:]) })
	return own
}

// tryOut makes a trial dump, calls look with its new targets and regions, and undoes it.
func (e *encoder) tryOut(w *waiting, p *plan, at unsafe.Pointer, look func([]target, []region)) {
	out, numbered, regions := len(e.out), len(e.numbered), len(e.regions)
	e.trials++
	e.depth = w.depth
	e.trying++
	p.dump(e, at)
	e.trying--
	look(e.numbered[numbered:], e.regions[regions:])
	for _, m := range e.numbered[numbered:] {
		delete(e.seen, m)
	}
	e.out, e.numbered, e.regions = e.out[:out], e.numbered[:numbered], e.regions[:regions]
}

// A labelling is a dump with its choices.
type labelling struct {
	dump          []byte
	chosen, among []int
	orders        map[unsafe.Pointer][]int
}

func (e *encoder) labelling() labelling {
	return labelling{slices.Clone(e.out), slices.Clone(e.chosen), slices.Clone(e.among), e.orders}
}

// least returns the least dump with the given number of first choices fixed, starting from the first dump of
// these.
func (e *encoder) least(p *plan, at unsafe.Pointer, first labelling, fixed int) labelling {
	best := first
	for d := len(first.chosen) - 1; d >= fixed; d-- {
		known := []labelling{first}
		for i := 1; i < first.among[d]; i++ {
			choices := append(slices.Clone(first.chosen[:d]), i)
			if e.tried++; e.givenUp() {
				return best
			}
			e.encode(p, at, choices)
			one := e.labelling()
			if slices.ContainsFunc(known, func(other labelling) bool { return bytes.Equal(one.dump, other.dump) }) {
				continue // an automorphism
			}
			known = append(known, one)
			if one = e.least(p, at, one, d+1); bytes.Compare(one.dump, best.dump) < 0 {
				best = one
			}
		}
	}
	return best
}
