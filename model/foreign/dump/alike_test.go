package dump

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// adjacent returns a set of knots with maps to their neighbors, in rings of the given sizes.
func adjacent(sizes ...int) *knots {
	k := &knots{set: map[*knot]int{}}
	for _, n := range sizes {
		all := make([]*knot, n)
		for i := range all {
			all[i] = &knot{of: map[*knot]int{}}
		}
		for i, one := range all {
			one.of[all[(i+1)%n]], one.of[all[(i+n-1)%n]] = 0, 0
			k.set[one] = 0
		}
	}
	return k
}

// Keys may look alike and differ in how they lead to each other. They have one dump, whichever comes first.
func TestKeysThatOnlyLookAlike(t *testing.T) {
	c := New(nil)
	is := named(c, adjacent(3, 4))
	for range 20 { // maps come in another order each time
		assert.Equal(t, is, named(c, adjacent(3, 4)))
		assert.Equal(t, is, named(c, adjacent(4, 3)))
	}
	assert.NotEqual(t, is, named(c, adjacent(7)))
}

// It makes no difference where a pointer leads behind which there is nothing.
func TestPointersToNothing(t *testing.T) {
	type two struct {
		a, b *struct{}
		n    [2]struct {
			n    int
			none struct{}
		}
	}
	c := New(nil)
	one, other := &two{a: new(struct{}), b: new(struct{})}, &two{a: new(struct{})}
	other.b = &other.n[0].none
	assert.Equal(t, named(c, one), named(c, other))
	assert.Equal(t, c.Lines(one, false), c.Lines(other, false))
	assert.NotEqual(t, named(c, one), named(c, &two{a: one.a}))
}
