package dump

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A desk has memory in common with itself.
type desk struct {
	first *drawer
	whole *cabinet
	a, b  []int
	any   []any
	at    *int
}

type drawer struct{ n int }

type cabinet struct {
	drawer
	rest int
}

// Shared memory, and the extent of slices in it, is part of a dump. All desks of a list differ.
func TestMemory(t *testing.T) {
	all := map[string]func() *desk{
		"a struct by its first field":      func() *desk { c := &cabinet{rest: 1}; c.n = 0; return &desk{first: &c.drawer, whole: c} },
		"another by its first field":       func() *desk { c := &cabinet{rest: 2}; return &desk{first: &c.drawer, whole: c} },
		"a struct, and another's field":    func() *desk { c, d := &cabinet{rest: 1}, &cabinet{}; return &desk{first: &d.drawer, whole: c} },
		"two slices, end to end":           func() *desk { s := make([]int, 2); return &desk{a: s[:1:1], b: s[1:]} },
		"a slice that grows into the next": func() *desk { s := make([]int, 2); return &desk{a: s[:1:2], b: s[1:]} },
		"both from the first on":           func() *desk { s := make([]int, 2); return &desk{a: s[:1:1], b: s[:1:1]} },
		"both, with room for one":          func() *desk { s := make([]int, 2); return &desk{a: s[:1:2], b: s[:1:1]} },
		"both, the other with room":        func() *desk { s := make([]int, 2); return &desk{a: s[:1:1], b: s[:1:2]} },
		"a pointer into it":                func() *desk { s := make([]int, 2); return &desk{a: s, b: []int{0}, at: &s[0]} },
		"a pointer further on":             func() *desk { s := make([]int, 2); return &desk{a: s, b: []int{0}, at: &s[1]} },
		"a pointer elsewhere":              func() *desk { s := make([]int, 2); return &desk{a: s, b: []int{0}, at: new(int)} },
		"the first two share, after an empty slice with room": func() *desk {
			s := make([]int, 1)
			return &desk{any: []any{make([]int, 0, 1), s, s, make([]int, 1)}}
		},
		"the last two share, after an empty slice without": func() *desk {
			s := make([]int, 1)
			return &desk{any: []any{make([]int, 0), make([]int, 1), s, s}}
		},
		"a bit twice":        func() *desk { b := new(bool); return &desk{any: []any{b, b}} },
		"a bit, and a bit":   func() *desk { return &desk{any: []any{new(bool), new(bool)}} },
		"a byte twice":       func() *desk { b := make([]byte, 1); return &desk{any: []any{b, b}} },
		"a byte, and a byte": func() *desk { return &desk{any: []any{make([]byte, 1), make([]byte, 1)}} },
		"three of a slice": func() *desk {
			s := make([]int, 4)
			return &desk{any: []any{s[:2:2], s[1:3:3], s[2:4]}}
		},
		"three of a slice, otherwise": func() *desk {
			s := make([]int, 4)
			return &desk{any: []any{s[:2:2], s[2:4], s[1:3:3]}}
		},
	}
	c := New(nil)
	names, texts := map[[sha256.Size]byte]string{}, map[string]string{}
	for what, made := range all {
		is, text := named(c, made()), fmt.Sprint(c.Lines(made(), false))
		assert.Equal(t, is, named(c, made()), what)
		assert.Empty(t, names[is], what)
		assert.Empty(t, texts[text], what)
		names[is], texts[text] = what, what
	}
	assert.Equal(t, named(c, &desk{a: make([]int, 1, 8)}), named(c, &desk{a: make([]int, 1)}), "a capacity that nothing shares")
	shared := make([]int, 2)
	assert.Equal(t, named(c, &desk{any: []any{make([]int, 0, 1), shared, shared}}), named(c, &desk{any: []any{[]int{}, shared, shared}}),
		"a capacity that nothing shares, before what is shared")
	assert.Equal(t, []string{".len = 3", "[0].len = 2", "[0][0] = 0", "[0][1] = 0", "[1].len = 1", "[1][0] = 0", "[2].len = 1", "[2][0] = 0",
		"[1].(memory) = 8 bytes, 8 bytes from where the 16 of [0] begin"}, told([][]int{shared, shared[1:], {0}}))
	type empty struct {
		in []int
		n  int
	}
	places := func(a, b []int) *desk {
		return &desk{a: []int{0}, b: shared, any: []any{map[*empty]int{{in: a}: 1, {in: b, n: 1}: 2}}}
	}
	assert.Equal(t, named(c, places(shared[:0:0], []int{})), named(c, places([]int{}, shared[1:1:1])), "where empty slices lie")
}

// A sync.Map is visited once, whatever leads to it, and its content counts.
func TestSyncMap(t *testing.T) {
	type maps struct {
		inline sync.Map
		a, b   *sync.Map
	}
	made := func(shared, inline bool, word string) *maps {
		m := &maps{a: &sync.Map{}, b: &sync.Map{}}
		if inline {
			m.a = &m.inline
		}
		if shared {
			m.b = m.a
		}
		m.a.Store(word, 1)
		if m.b != m.a {
			m.b.Store(word, 1)
		}
		return m
	}
	c, names := New(nil), map[[sha256.Size]byte]bool{}
	for _, shared := range []bool{false, true} {
		for _, inline := range []bool{false, true} {
			for _, word := range []string{"x", "y"} {
				is := named(c, made(shared, inline, word))
				assert.Equal(t, is, named(c, made(shared, inline, word)))
				assert.False(t, names[is], "%v %v %v", shared, inline, word)
				names[is] = true
			}
		}
	}
}
