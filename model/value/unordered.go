package value

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
)

// Unordered is a type of slices that are multisets: two are equal if they have the same elements, each as
// often. It takes the place of a map if the elements cannot be keys.
type Unordered interface{ Unordered() }

var unorderedType = reflect.TypeFor[Unordered]()

func isUnordered(t reflect.Type) bool { return t.NumMethod() > 0 && t.Implements(unorderedType) }

// appendUnordered appends the elements sorted by their encodings after renaming.
func (c *Codec) appendUnordered(dst []byte, v reflect.Value, ren Renaming) []byte {
	pieces := make([]piece, v.Len())
	for i := range pieces {
		from := len(dst)
		dst = c.append(dst, v.Index(i), ren)
		pieces[i] = piece{from, len(dst), len(dst)}
	}
	return inOrder(dst, pieces)
}

// A piece is the range of an encoded element, or of an entry with its key up to mid.
type piece struct{ from, mid, to int }

// inOrder sorts the pieces at the end of dst by their elements or keys, and then by their values.
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
