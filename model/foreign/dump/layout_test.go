package dump

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// gapped has a gap between its fields, and tailed one behind the last.
type (
	gapped struct {
		a uint8
		b uint64
	}
	tailed struct {
		b uint64
		a uint8
	}
)

// mixed has its plain field last, where what precedes is none.
type mixed struct {
	to *int
	n  uint64
}

// waiter has a lock by a condition.
type waiter struct {
	mu   sync.Mutex
	cond *sync.Cond
}

// Padding between fields is no part of an object, and neither is an address.
func TestGapsAndAddressesAreNotDumped(t *testing.T) {
	c := New(nil)
	var g gapped
	var l tailed
	for i := range unsafe.Sizeof(g) {
		*(*byte)(unsafe.Add(unsafe.Pointer(&g), i)), *(*byte)(unsafe.Add(unsafe.Pointer(&l), i)) = 0xff, 0xff
	}
	g.a, g.b, l.a, l.b = 1, 2, 1, 2
	assert.Equal(t, named(c, &gapped{1, 2}), named(c, &g))
	assert.Equal(t, named(c, &tailed{2, 1}), named(c, &l))
	x, y := 5, 5
	assert.Equal(t, named(c, &mixed{&x, 1}), named(c, &mixed{&y, 1}))
	y++
	assert.NotEqual(t, named(c, &mixed{&x, 1}), named(c, &mixed{&y, 1}))
}

// Conditions are equal, wherever they are, if their locks are equal. Past waiters on a condition are no part
// of it.
func TestConditions(t *testing.T) {
	c := New(nil)
	fresh := func() *waiter {
		w := &waiter{}
		w.cond = sync.NewCond(&w.mu)
		return w
	}
	used, locked := fresh(), fresh()
	used.cond.Signal()
	done := make(chan struct{})
	used.mu.Lock()
	go func() { used.mu.Lock(); used.cond.Signal(); used.mu.Unlock(); close(done) }()
	used.cond.Wait()
	used.mu.Unlock()
	<-done
	assert.Equal(t, named(c, fresh()), named(c, used))
	assert.Equal(t, c.Lines(fresh(), false), c.Lines(used, false))
	assert.Contains(t, told(fresh()), "cond.L.(type) = *sync.Mutex")
	locked.mu.Lock()
	assert.NotEqual(t, named(c, fresh()), named(c, locked))
	assert.NotEqual(t, c.Lines(fresh(), false), c.Lines(locked, false))
	one, other := &waiter{cond: sync.NewCond(new(sync.Mutex))}, &waiter{cond: sync.NewCond(new(sync.Mutex))}
	assert.Equal(t, named(c, one), named(c, other))
	other.cond.L.Lock() // nothing else leads to this lock
	assert.NotEqual(t, named(c, one), named(c, other))
}

// As many pointers as may be follow each other, and any number lie side by side.
func TestDeepAndWide(t *testing.T) {
	list := func(n int) *thing {
		var top *thing
		for range n {
			top = &thing{next: top}
		}
		return top
	}
	c := New(nil)
	wide := &thing{}
	for range 2 * deepest {
		wide.list = append(wide.list, &thing{})
	}
	assert.NotPanics(t, func() { named(c, wide) })
	rows := make([][]int, 2*deepest)
	for i := range rows {
		rows[i] = []int{}
	}
	assert.NotPanics(t, func() { named(c, rows) })
	use := func([]byte) {}
	assert.True(t, c.encoded(list(deepest), use))
	assert.False(t, c.encoded(list(deepest+1), use))
	assert.NotPanics(t, func() { named(c, list(deepest)) })
}

// A value that is refused because it is too deep, after pointers, slices, arrays and maps, has no text
// either. All other values have a text.
func TestTheSameDepthIsTold(t *testing.T) {
	type chain struct {
		to   *chain
		held any
	}
	for n := deepest - 3; n <= deepest; n++ {
		for name, held := range map[string]any{
			"nothing": nil, "bytes": []byte("x"), "pointers": []*knot{{}}, "none": []*knot{}, "a pointer": &pair{}, "a part": part2{},
			"a map": map[string]*pair{"x": {}}, "keys": map[*knot]*pair{{}: {}}, "arrays": &[2][1]int{}, "words": []string{"x"}, "no bytes": new(struct{}),
		} {
			object := &chain{held: held}
			for range n - 1 {
				object = &chain{to: object}
			}
			c := New(nil)
			if c.encoded(object, func([]byte) {}) {
				assert.NotPanics(t, func() { c.Lines(object, false) }, "%s behind %d", name, n)
			} else {
				assert.Contains(t, refusalOf(func() { c.Lines(object, false) }), "nested more than 1000 deep", "%s behind %d", name, n)
				assert.Contains(t, refusalOf(func() { named(c, object) }), "nested more than 1000 deep", "%s behind %d", name, n)
			}
		}
	}
}

// The depth of a map's target depends only on this map, whatever other maps there are.
func TestEachMapHasItsDepth(t *testing.T) {
	type chain struct {
		to *chain
		of map[*int]int
	}
	deep, flat := &chain{of: map[*int]int{new(int): 1}}, &chain{}
	for range deepest - 10 {
		deep = &chain{to: deep}
	}
	for range 20 {
		flat = &chain{to: flat}
	}
	assert.NotPanics(t, func() {
		named(New(nil), &struct {
			deep *chain
			flat map[*chain]int
		}{deep, map[*chain]int{flat: 1}})
	})
	like := func() *chain { return &chain{to: &chain{to: &chain{}}} }
	deep = &chain{of: map[*int]int{new(int): 1, new(int): 1}}
	for range deepest - 4 {
		deep = &chain{to: deep}
	}
	for range 5 { // maps come in another order each time
		assert.NotPanics(t, func() {
			named(New(nil), &struct {
				flat map[[2]*chain]int // of which the first are written while the other map waits
				deep *chain
			}{map[[2]*chain]int{{like(), like()}: 1, {like(), like()}: 1}, deep})
		})
	}
}
