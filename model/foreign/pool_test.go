package foreign

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A pool hands out each object once, the oldest and the latest of a state in turn, and forgets the
// oldest of all when it has too many.
func TestPool(t *testing.T) {
	p := pool{at: map[Name][]*object{}}
	put := func(is uint64, bytes int) *object {
		o := &object{is: Name{is}, bytes: bytes}
		p.put(o)
		return o
	}
	a, b, c := put(1, 10), put(1, 10), put(1, 10)
	assert.Same(t, a, p.take(Name{1}))
	assert.Nil(t, p.take(Name{2}))
	got := []*object{p.take(Name{1}), p.take(Name{1})}
	assert.ElementsMatch(t, []*object{b, c}, got)
	assert.Nil(t, p.take(Name{1}))
	assert.Zero(t, p.bytes+p.count)

	put(3, most/2)
	last := put(4, most/2)
	put(5, most/4)
	assert.Nil(t, p.take(Name{3}), "forgotten")
	assert.Same(t, last, p.take(Name{4}))
	for range 1000 {
		put(6, 1)
		p.take(Name{6})
	}
	assert.Less(t, len(p.queue), 100, "what is taken is forgotten")
	assert.Equal(t, 1, p.count)
}
