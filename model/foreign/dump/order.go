package dump

import (
	"bytes"
	"reflect"
	"slices"
	"unsafe"
)

// A map whose keys hold pointers has no order of its own: two keys may look alike, and differ in what else
// leads to them. Such maps are written last, when most of what they lead to has a number. Their entries are
// sorted by trial dumps, in which whatever was met before is its number, so that they depend on no address:
// by that of the key, and where keys are alike that of the value. Entries that stand alone are written, which
// gives numbers to what they lead to, and the rest is sorted again. When all that are left are alike to another, one
// of the first that are alike is written first, and all goes on.
//
// Which of them is first is a choice, and the dump of the object is the least of those that come of all
// choices: two objects that are the same but for where they lie have the same choices, and so the same least
// dump, and each dump tells its object. Trying all takes a factorial of time, but when a choice leads to a
// dump that another choice in its place led to, an automorphism of the object exchanges the two, and all that
// comes of the one comes of the other: it is not followed further. So k keys that are alike in every respect cost
// about k²/2 dumps. This is the search tree of canonical labelling (McKay 1981) in its simplest form.
//
// Most keys that are alike have to themselves what they lead to, such as those of a set of equal objects that
// nothing else points to. To exchange two of those is an automorphism, whatever else there is, and they are
// written in any order, without a choice.

// mostOrders is how many dumps are made of an object to find its least, and mostTrials how many trial dumps
// of entries for that, until it is refused.
var mostOrders = 1000

const mostTrials = 100_000

// givenUp reports whether too much was tried. The order of maps does not wait for what is refused for another reason: the lines of an
// object need it that tell also what is left out.
func (e *encoder) givenUp() bool { return e.tried > mostOrders || e.trials > mostTrials }

// entriesOf are the entries of a map, in an order that stays while a dump is made.
type entriesOf struct {
	keys, vals reflect.Value // slices
}

// A waiting map is written in part.
type waiting struct {
	id        unsafe.Pointer
	all       *entriesOf
	key, elem *plan
	left      []int // entries that are not written yet
	depth     int
}

func (w *waiting) keyAt(i int) unsafe.Pointer {
	return unsafe.Add(w.all.keys.UnsafePointer(), uintptr(i)*w.key.size)
}

func (w *waiting) valAt(i int) unsafe.Pointer {
	return unsafe.Add(w.all.vals.UnsafePointer(), uintptr(i)*w.elem.size)
}

// later puts a map off.
func (e *encoder) later(v reflect.Value, id unsafe.Pointer, key, elem *plan) {
	if e.trying > 0 {
		e.puts++
		return
	}
	all := e.entries[id]
	if all == nil {
		n := v.Len()
		all = &entriesOf{reflect.MakeSlice(reflect.SliceOf(key.of), n, n), reflect.MakeSlice(reflect.SliceOf(elem.of), n, n)}
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
		w.left = append(w.left, i)
	}
	e.waits = append(e.waits, w)
}

// rest writes the maps that were put off.
func (e *encoder) rest() {
	for {
		first, moved := -1, false
		for i := 0; i < len(e.waits); i++ {
			moved = e.alone(i) || moved
			if first < 0 && len(e.waits[i].left) > 0 {
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

// alone writes the entries of a map that are like no other.
func (e *encoder) alone(i int) (wrote bool) {
	w := e.waits[i]
	groups := e.groups(w)
	w.left = w.left[:0]
	for _, g := range groups {
		if len(g) > 1 {
			w.left = append(w.left, g...)
			continue
		}
		e.entry(i, g[0])
		wrote = true
	}
	return wrote
}

// choose writes the first entries of a map that are alike: those that have to themselves what they lead to,
// or else one of them.
func (e *encoder) choose(i int) {
	w := e.waits[i]
	g := slices.Sorted(slices.Values(e.groups(w)[0]))
	if own := e.apart(w, g); len(own) > 0 {
		w.left = slices.DeleteFunc(w.left, func(j int) bool { return slices.Contains(own, j) })
		for _, j := range own {
			e.entry(i, j)
		}
		return
	}
	is := 0
	if len(e.chosen) < len(e.choices) {
		is = e.choices[len(e.chosen)]
	} else if len(e.chosen) == 0 {
		e.stuck = w.id
	}
	e.chosen, e.among = append(e.chosen, is), append(e.among, len(g))
	w.left = slices.DeleteFunc(w.left, func(j int) bool { return j == g[is] })
	e.entry(i, g[is])
}

// apart lists those of some entries of a map that lead to nothing new that any other entry leads to, of this
// map or another. What is dumped already is not new, and there is nothing else.
func (e *encoder) apart(of *waiting, entries []int) (apart []int) {
	type owner struct {
		of *waiting
		is int
	}
	var regions []region
	var owners []owner
	first, shares := map[met]owner{}, map[owner]bool{}
	for _, w := range e.waits {
		for _, i := range w.left {
			own := owner{w, i}
			puts := e.puts
			look := func(numbered []met, led []region) {
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
			shares[own] = shares[own] || e.puts > puts // another map, of which nothing is known yet
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

// entry writes an entry of a map.
func (e *encoder) entry(i, entry int) {
	w := e.waits[i]
	e.depth = w.depth
	e.number(uint64(i))
	w.key.dump(e, w.keyAt(entry))
	w.elem.dump(e, w.valAt(entry))
	if e.orders != nil {
		e.orders[w.id] = append(e.orders[w.id], entry)
	}
}

// groups sorts the entries of a map that are left, those that are alike together.
func (e *encoder) groups(w *waiting) (groups [][]int) {
	for _, g := range grouped(w.left, func(i int) []byte { return e.trial(w, w.key, w.keyAt(i)) }) {
		if len(g) == 1 {
			groups = append(groups, g)
			continue
		}
		groups = append(groups, grouped(g, func(i int) []byte { return e.trial(w, w.elem, w.valAt(i)) })...)
	}
	return groups
}

// grouped sorts by texts and puts what has one text together.
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

// trial is the dump that a value in a map would have now.
func (e *encoder) trial(w *waiting, p *plan, at unsafe.Pointer) (own []byte) {
	out := len(e.out)
	e.tryOut(w, p, at, func([]met, []region) { own = slices.Clone(e.out[out:]) })
	return own
}

// tryOut makes a trial dump, shows what is new in it, and leaves nothing of it behind.
func (e *encoder) tryOut(w *waiting, p *plan, at unsafe.Pointer, look func([]met, []region)) {
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

// A labelling is a dump with the choices that it comes of.
type labelling struct {
	dump          []byte
	chosen, among []int
	orders        map[unsafe.Pointer][]int
}

func (e *encoder) labelling() labelling {
	return labelling{slices.Clone(e.out), slices.Clone(e.chosen), slices.Clone(e.among), e.orders}
}

// least finds the least dump of those that begin with the first choices of one, the leftmost of them.
func (e *encoder) least(p *plan, at unsafe.Pointer, first labelling, fixed int) labelling {
	best := first
	for d := len(first.chosen) - 1; d >= fixed; d-- {
		known := []labelling{first}
		for i := 1; i < first.among[d]; i++ {
			choices := append(slices.Clone(first.chosen[:d]), i)
			if e.tried++; e.givenUp() {
				return best
			}
			e.whole(p, at, choices)
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
