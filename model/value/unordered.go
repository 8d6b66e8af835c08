package value

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
)

// Unordered is a type of slices whose order says nothing: two are equal when they have the same
// elements, each as often. It is what a set of values is kept in that cannot be keys of a map.
type Unordered interface{ Unordered() }

var unorderedType = reflect.TypeFor[Unordered]()

func isUnordered(t reflect.Type) bool { return t.NumMethod() > 0 && t.Implements(unorderedType) }

// appendUnordered writes elements in the order of their bytes, as they are when they are renamed.
func (c *Codec) appendUnordered(dst []byte, v reflect.Value, ren Renaming) []byte {
	pieces := make([]piece, v.Len())
	for i := range pieces {
		from := len(dst)
		dst = c.append(dst, v.Index(i), ren)
		pieces[i] = piece{from, len(dst), len(dst)}
	}
	return inOrder(dst, pieces)
}

// A piece is where an element lies among encoded bytes, or the key of an entry, up to mid, and its value.
type piece struct{ from, mid, to int }

// inOrder sorts pieces that end dst, one after another: by their elements or keys, and then by their values.
func inOrder(dst []byte, pieces []piece) []byte {
	order := func(p, q piece) int {
		return cmp.Or(bytes.Compare(dst[p.from:p.mid], dst[q.from:q.mid]), bytes.Compare(dst[p.mid:p.to], dst[q.mid:q.to]))
	}
	if slices.IsSortedFunc(pieces, order) {
		return dst
	}
	begin := pieces[0].from
	slices.SortFunc(pieces, order)
	sorted := make([]byte, 0, len(dst)-begin)
	for _, p := range pieces {
		sorted = append(sorted, dst[p.from:p.to]...)
	}
	return append(dst[:begin], sorted...)
}
