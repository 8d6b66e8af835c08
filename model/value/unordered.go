package value

import (
	"bytes"
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
	all := make([][]byte, v.Len())
	for i := range all {
		all[i] = c.append(nil, v.Index(i), ren)
	}
	slices.SortFunc(all, bytes.Compare)
	return append(dst, bytes.Join(all, nil)...)
}
