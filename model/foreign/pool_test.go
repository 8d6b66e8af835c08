package foreign

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A pool returns each object once, and alternates between the oldest and the latest object of a state. If it
// has too many objects it drops the oldest of all.
func TestPool(t *testing.T) {
	p := pool{objects: map[Name][]*object{}}
	put := func(value string, is uint64, bytes int) { p.put(&object{value: value, name: Name{is}, bytes: bytes}) }
	take := func(is uint64) any {
		o := p.get(Name{is})
		if o == nil {
			return nil
		}
		return o.value
	}
	put("a", 1, 10)
	put("b", 1, 10)
	put("c", 1, 10)
	assert.Equal(t, "a", take(1))
	assert.Nil(t, take(2))
	assert.ElementsMatch(t, []any{"b", "c"}, []any{take(1), take(1)})
	assert.Nil(t, take(1))
	assert.Zero(t, p.bytes+p.count)

	put("d", 3, maxBytes/2)
	put("e", 4, maxBytes/2)
	put("f", 5, maxBytes/4)
	assert.Nil(t, take(3), "forgotten")
	assert.Equal(t, "e", take(4))
	for range 1000 {
		put("g", 6, 1)
		take(6)
	}
	assert.Less(t, len(p.queue), 100, "what is taken is forgotten")
	assert.Equal(t, 1, p.count)
}

// The more there is in a dump, the more the object takes up.
func TestWeight(t *testing.T) {
	assert.Positive(t, weight(0))
	for dump := range 100 {
		assert.Greater(t, weight(dump+1), weight(dump))
	}
}

// An object that was taken may be put back, and is forgotten then as any other.
func TestPutBack(t *testing.T) {
	p := pool{objects: map[Name][]*object{}}
	for is := range uint64(3) {
		p.put(&object{name: Name{is}, bytes: maxBytes / 4})
		p.put(p.get(Name{is}))
	}
	p.put(&object{name: Name{9}, bytes: maxBytes})
	assert.Equal(t, 1, p.count)
	assert.Equal(t, maxBytes, p.bytes)
	assert.Len(t, p.objects, 1)
	assert.Nil(t, p.get(Name{0}), "forgotten")
	assert.NotNil(t, p.get(Name{9}))
}
