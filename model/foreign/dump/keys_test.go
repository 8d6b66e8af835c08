package dump

import (
	"crypto/sha256"
	"fmt"
	"go/token"
	"math/rand/v2"
	"slices"
	"testing"
	"text/template/parse"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// A knot is a target of keys of maps and of other pointers.
type knot struct {
	n    int
	next *knot
	of   map[*knot]int
}

type knots struct {
	set   map[*knot]int
	any   map[any]bool
	pairs map[[2]*knot]bool
	list  []*knot
	row   []knot
	boxes map[box]bool
	to    map[*knot]*knot
}

// A box holds a pointer as a struct does.
type box struct {
	n    int
	at   *knot
	more int
}

// ring returns a set of rings of knots, in a random order of insertion.
func ring(sizes ...int) *knots {
	k := &knots{set: map[*knot]int{}}
	for _, n := range sizes {
		var first, last *knot
		for range n {
			one := &knot{next: last}
			if last = one; first == nil {
				first = one
			}
			k.set[one] = 0
		}
		first.next = last
	}
	return k
}

// sharing returns a set of knots in groups of the given sizes. The knots of a group point to the same target.
func sharing(sizes ...int) *knots {
	k := &knots{set: map[*knot]int{}}
	for _, n := range sizes {
		one := &knot{}
		for range n {
			k.set[&knot{next: one}] = 0
		}
	}
	return k
}

// sharingMaps returns a set of keys in groups of the given sizes. The keys of a group have the same map.
func sharingMaps(sizes ...int) *knots {
	k := &knots{any: map[any]bool{}}
	for _, n := range sizes {
		one := map[int]int{}
		for range n {
			k.any[&struct{ of map[int]int }{one}] = true
		}
	}
	return k
}

// Keys of maps are numbered, too: pointers to them from elsewhere, and their targets, count. Each pair of
// objects differs only in this.
func TestKeys(t *testing.T) {
	for name, both := range map[string][2]func() *knots{
		"rings of keys": {func() *knots { return ring(3, 3) }, func() *knots { return ring(2, 4) }},
		"a key that is led to, and another": {
			func() *knots { a := &knot{}; return &knots{set: map[*knot]int{a: 1, {}: 2}, list: []*knot{a}} },
			func() *knots { a := &knot{}; return &knots{set: map[*knot]int{a: 2, {}: 1}, list: []*knot{a}} },
		},
		"keys that an interface holds": {
			func() *knots { a := &knot{}; return &knots{any: map[any]bool{a: true}, list: []*knot{a}} },
			func() *knots { return &knots{any: map[any]bool{&knot{}: true}, list: []*knot{{}}} },
		},
		"arrays of pointers": {
			func() *knots {
				a, b := &knot{}, &knot{}
				return &knots{pairs: map[[2]*knot]bool{{a, b}: true, {b, a}: true}}
			},
			func() *knots {
				a, b := &knot{}, &knot{}
				return &knots{pairs: map[[2]*knot]bool{{a, b}: true, {b, b}: true}}
			},
		},
		"structs that hold pointers": {
			func() *knots { a := &knot{}; return &knots{boxes: map[box]bool{{0, a, 0}: true, {1, a, 0}: true}} },
			func() *knots { return &knots{boxes: map[box]bool{{0, &knot{}, 0}: true, {1, &knot{}, 0}: true}} },
		},
		"a struct that holds a pointer, and another": {
			func() *knots {
				a := &knot{}
				return &knots{boxes: map[box]bool{{0, a, 0}: true, {0, &knot{}, 0}: false}, list: []*knot{a}}
			},
			func() *knots {
				a := &knot{}
				return &knots{boxes: map[box]bool{{0, a, 0}: false, {0, &knot{}, 0}: true}, list: []*knot{a}}
			},
		},
		"a map in the key of a map": {
			func() *knots {
				a := &knot{of: map[*knot]int{}}
				a.of[a] = 1
				return &knots{set: map[*knot]int{a: 0, {}: 0}}
			},
			func() *knots { return &knots{set: map[*knot]int{{of: map[*knot]int{{}: 1}}: 0, {}: 0}} },
		},
		"pointers into a slice": {
			func() *knots {
				s := make([]knot, 3)
				return &knots{any: map[any]bool{&s[0]: true, &s[1]: true, &s[2]: true, &s: true}, list: []*knot{&s[0]}}
			},
			func() *knots {
				s := make([]knot, 3)
				return &knots{any: map[any]bool{&s[0]: true, &s[1]: true, &s[2]: true, &s: true}, list: []*knot{&s[1]}}
			},
		},
		"keys that share what they lead to": {
			func() *knots { return sharing(2, 2) },
			func() *knots { return sharing(3, 1) },
		},
		"keys that share maps": {
			func() *knots { return sharingMaps(2, 2) },
			func() *knots { return sharingMaps(3, 1) },
		},
		"keys whose memory overlaps": {
			func() *knots {
				s := make([]int, 4)
				return &knots{any: map[any]bool{(*[2]int)(s): true, (*[2]int)(s[1:]): true, (*[2]int)(s[2:]): true}}
			},
			func() *knots {
				s := make([]int, 4)
				return &knots{any: map[any]bool{(*[2]int)(s): true, (*[2]int)(s[1:]): true, new([2]int): true}}
			},
		},
		"keys that lead to memory that overlaps": {
			func() *knots {
				s := make([]int, 4)
				return &knots{any: map[any]bool{&[1][]int{s[:2:2]}: true, &[1][]int{s[1:3:3]}: true, &[1][]int{s[2:]}: true}}
			},
			func() *knots {
				s := make([]int, 4)
				return &knots{any: map[any]bool{&[1][]int{s[:2:2]}: true, &[1][]int{s[1:3:3]}: true, &[1][]int{make([]int, 2)}: true}}
			},
		},
		"values that two keys share": {
			func() *knots { a := &knot{}; return &knots{to: map[*knot]*knot{{}: a, {n: 0}: a, {of: nil}: {}}} },
			func() *knots { return &knots{to: map[*knot]*knot{{}: {}, {n: 0}: {}, {of: nil}: {}}} },
		},
		"the same values for other keys": {
			func() *knots { a, b := &knot{n: 1}, &knot{n: 2}; return &knots{set: map[*knot]int{a: 1, b: 2}} },
			func() *knots { a, b := &knot{n: 1}, &knot{n: 2}; return &knots{set: map[*knot]int{a: 2, b: 1}} },
		},
	} {
		c := New(nil)
		for range 20 { // maps come in another order each time
			x, y := both[0](), both[1]()
			assert.Equal(t, named(c, x), named(c, both[0]()), name)
			assert.Equal(t, named(c, y), named(c, both[1]()), name)
			assert.NotEqual(t, named(c, x), named(c, y), name)
			assert.Equal(t, c.Lines(x, false), c.Lines(both[0](), false), name)
			assert.NotEqual(t, c.Lines(x, false), c.Lines(y, false), name)
		}
	}
}

// Keys that are alike in every respect are accepted, unless there are too many.
func TestAlikeKeys(t *testing.T) {
	c := New(nil)
	set := func(n int) *knots {
		k := &knots{set: map[*knot]int{}}
		for range n {
			k.set[&knot{}] = 0
		}
		return k
	}
	assert.Equal(t, named(c, set(100)), named(c, set(100)))
	assert.NotEqual(t, named(c, set(100)), named(c, set(101)))
	pairs := func(n int) *knots {
		k := &knots{set: map[*knot]int{}}
		for range n {
			a, b := &knot{}, &knot{}
			a.next, b.next = b, a
			k.set[a], k.set[b] = 0, 0
		}
		return k
	}
	assert.Equal(t, named(c, pairs(5)), named(c, pairs(5)))
	assert.NotEqual(t, named(c, pairs(4)), named(c, ring(2, 2, 4)))
	assert.Equal(t, named(c, ring(30)), named(c, ring(30)), "one choice gives all others their places")
	further := func() *knots { // the rest is in another map
		k, one := ring(30), &knot{}
		k.any = map[any]bool{&knot{next: one}: true, &knot{next: one}: true}
		return k
	}
	assert.Equal(t, named(c, further()), named(c, further()))
	row := func(from int) *knots { // pointers have an order within a slice
		s := make([]knot, 40)
		k := &knots{set: map[*knot]int{}, row: s}
		for i := range 20 {
			k.set[&s[from+i]] = 0
		}
		return k
	}
	assert.Equal(t, named(c, row(10)), named(c, row(10)))
	assert.NotEqual(t, named(c, row(10)), named(c, row(11)))
	bytes := func() any { // and so do pointers to single bytes
		all := struct {
			row []byte
			set map[*byte]bool
		}{make([]byte, 40), map[*byte]bool{}}
		for i := range 20 {
			all.set[&all.row[i]] = true
		}
		return &all
	}
	assert.Equal(t, named(c, bytes()), named(c, bytes()))
	laps := func() *knots { // each has memory in common with itself
		k := &knots{any: map[any]bool{}}
		for range 60 {
			s := make([]int, 2)
			k.any[&[2][]int{s[:1], s}] = true
		}
		return k
	}
	assert.Equal(t, named(c, laps()), named(c, laps()))
	assert.PanicsWithValue(t, model.Refused{Text: `foreign: set is a map (map[*dump.knot]int) with so many keys that look alike that no order of them is found; ` +
		`name the state by a Snapshot, or have Omit leave it out: Omit: []string{"set"}`}, func() { named(c, pairs(60)) })
}

// For keys that are alike and have their own targets, only their values, their number and their map count.
func TestSetsOfLikeKeys(t *testing.T) {
	c, r := New(nil), rand.New(rand.NewPCG(5, 6))
	names, sets := map[[sha256.Size]byte]string{}, map[string][sha256.Size]byte{}
	for range 3000 {
		var maps [2]map[*knot]int
		var all [2][]int
		for i := range maps {
			maps[i] = map[*knot]int{}
			for range r.IntN(6) {
				n, is := r.IntN(2), r.IntN(4)/3
				maps[i][&knot{n: n}] = is
				all[i] = append(all[i], 2*n+is)
			}
			slices.Sort(all[i])
		}
		set, name := fmt.Sprint(all), named(c, &maps)
		if other, met := names[name]; met && other != set {
			t.Fatalf("%s and %s have one name", set, other)
		}
		if other, met := sets[set]; met && other != name {
			t.Fatalf("%s has two names", set)
		}
		names[name], sets[set] = set, name
	}
}

// Keys may lead to the object that contains their map.
func TestKeysThatLeadBack(t *testing.T) {
	type object struct {
		a, b int
		of   map[**int]bool
	}
	made := func(different bool) *object {
		o := &object{}
		x, y := &o.a, &o.a
		if different {
			y = &o.b
		}
		o.of = map[**int]bool{&x: true, &y: true}
		return o
	}
	c := New(nil)
	for range 10 {
		assert.Equal(t, named(c, made(false)), named(c, made(false)))
		assert.Equal(t, named(c, made(true)), named(c, made(true)))
		assert.NotEqual(t, named(c, made(true)), named(c, made(false)))
	}
}

// The memory of a key may begin before that which leads into it.
func TestKeysAroundWhatWasMet(t *testing.T) {
	type object struct {
		first []int
		set   map[any]bool
	}
	c := New(nil)
	made := func() *object {
		s := make([]int, 3)
		return &object{s[2:], map[any]bool{&[1][]int{s}: true, &[1][]int{make([]int, 3)}: true}}
	}
	for range 20 { // maps come in another order each time
		assert.Equal(t, named(c, made()), named(c, made()))
	}
}

// Two types without a visible difference are refused, when both are visited.
func TestTypesOfOneName(t *testing.T) {
	one := func() any {
		type T struct{ n int }
		return &T{n: 0}
	}
	other := func() any {
		type T struct{ n int }
		return &T{n: 0}
	}
	c := New(nil)
	assert.Equal(t, named(c, &thing{held: one()}), named(c, &thing{held: one()}))
	assert.PanicsWithValue(t, model.Refused{Text: `foreign: an object holds values of two types that are both called *dump.T, of package contend/model/foreign/dump, ` +
		`and have the same fields, so that a dump cannot tell them apart; give one of them another name`},
		func() { named(c, &thing{held: other()}) })
	assert.NotEqual(t, named(c, &thing{held: token.Pos(1)}), named(c, &thing{held: parse.Pos(1)}), "of two packages")
	assert.NotEqual(t, c.Lines(&thing{held: 1}, false), c.Lines(&thing{held: int8(1)}, false))
}

func generic[T any]() int { return 0 }

// The instances of a generic function are several functions.
func TestGenericFunctions(t *testing.T) {
	c := New(nil)
	assert.Equal(t, named(c, &thing{note: generic[int]}), named(c, &thing{note: generic[int]}))
	assert.NotEqual(t, named(c, &thing{note: generic[int]}), named(c, &thing{note: generic[string]}))
	assert.NotEqual(t, c.Lines(&thing{note: generic[int]}, false), c.Lines(&thing{note: generic[string]}, false))
}

// All values that no dump can contain are reported at once, in the form of Omit.
func TestAllIsRefusedAtOnce(t *testing.T) {
	c := New([]string{"Unseen"})
	type peer struct{ wake chan int }
	object := &struct {
		Peers  []*peer
		Done   chan bool
		Unseen chan bool
	}{[]*peer{{wake: make(chan int)}, {wake: make(chan int)}}, make(chan bool), make(chan bool)}
	assert.Contains(t, refusalOf(func() { named(c, &struct{ By []map[chan int]int }{[]map[chan int]int{{make(chan int): 1}}}) }),
		`By[0][a chan int].(key) is a channel`)
	assert.Contains(t, refusalOf(func() { named(c, &struct{ By []map[chan int]int }{[]map[chan int]int{{make(chan int): 1}}}) }), `Omit: []string{"By[]"}`)
	assert.Regexp(t, `Omit: \[\]string{"By\[\]"}$`, refusalOf(func() {
		named(c, &struct{ By []map[[2]chan int]int }{[]map[[2]chan int]int{{{make(chan int), make(chan int)}: 1}}})
	}))
	assert.Regexp(t, `(?s)no dump can hold 2 fields of the object:\nPeers\[0\].wake is a channel .*;\nDone is a channel .*Omit: \[\]string{"Peers\[\].wake", "Done"}$`,
		refusalOf(func() { named(c, object) }))
}
