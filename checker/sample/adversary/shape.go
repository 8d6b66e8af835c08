package adversary

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"

	"contend/model"
)

// A shape is a message's fields at any depth, ordered by path.
type shape []field

// A field is a number, a text or a flag within a message. Paths and contents are hashes, equal on every
// machine.
type field struct {
	path, content uint64
	number        int64
	isNumber      bool // no flag and no node's name
}

// shape returns the shape of an offer's message.
func (k *Cast) shape(o Offer) shape { return k.cachedShape(o.Key(), o.Value) }

// cachedShape returns the cached shape of a message.
func (k *Cast) cachedShape(key uint64, value func() any) shape {
	if s, ok := k.shapes.Load(key); ok {
		return s.(shape)
	}
	s := shapeOf(value())
	k.shapes.Store(key, s)
	return s
}

// shapeOf returns the shape of a message.
func shapeOf(v any) (s shape) {
	s.add("", reflect.ValueOf(v))
	slices.SortFunc(s, func(a, b field) int { return cmp.Compare(a.path, b.path) })
	return s
}

func hashed(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// add appends the fields of a value at a path. The type of an interface's value is a field, too.
func (s *shape) add(path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		s.leaf(path, "nil")
	case reflect.Interface, reflect.Pointer:
		s.add(path, v.Elem())
	case reflect.Struct:
		s.leaf(path, v.Type().String())
		for i := range v.NumField() {
			s.add(path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			s.add(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			s.add(fmt.Sprintf("%s[%v]", path, key), v.MapIndex(key))
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		*s = append(*s, field{hashed(path), uint64(v.Int()), v.Int(), v.Type() != reflect.TypeFor[model.NodeID]()})
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		*s = append(*s, field{hashed(path), v.Uint(), int64(v.Uint()), true})
	default:
		s.leaf(path, fmt.Sprint(v))
	}
}

func (s *shape) leaf(path, content string) {
	*s = append(*s, field{path: hashed(path), content: hashed(content)})
}

// number returns the number at a path; false if the path has none.
func (s shape) number(path uint64) (int64, bool) {
	i, ok := slices.BinarySearchFunc(s, path, func(f field, path uint64) int { return cmp.Compare(f.path, path) })
	if !ok || !s[i].isNumber {
		return 0, false
	}
	return s[i].number, true
}

// distance returns the number of fields in which two messages differ.
func (s shape) distance(o shape) (n int) {
	for len(s) > 0 && len(o) > 0 {
		switch {
		case s[0].path < o[0].path:
			n, s = n+1, s[1:]
		case s[0].path > o[0].path:
			n, o = n+1, o[1:]
		default:
			if s[0].content != o[0].content {
				n++
			}
			s, o = s[1:], o[1:]
		}
	}
	return n + len(s) + len(o)
}

// nearest returns the offers whose messages differ from another in the fewest fields, but at least in least
// fields. It returns all offers if no message qualifies.
func (k *Cast) nearest(offers []Offer, to shape, least int) []Offer {
	distances := make([]int, len(offers))
	near := -1
	for i, o := range offers {
		distances[i] = k.shape(o).distance(to)
		if d := distances[i]; d >= least && (near < 0 || d < near) {
			near = d
		}
	}
	if near < 0 {
		return offers
	}
	result := offers[:0]
	for i, o := range offers {
		if distances[i] == near {
			result = append(result, o)
		}
	}
	return result
}

// varying returns the sorted paths of numbers in which offers differ.
func (k *Cast) varying(offers []Offer) []uint64 {
	first := map[uint64]int64{}
	var paths []uint64
	for _, o := range offers {
		for _, f := range k.shape(o) {
			switch n, met := first[f.path]; {
			case !f.isNumber:
			case !met:
				first[f.path] = f.number
			case n != f.number && !slices.Contains(paths, f.path):
				paths = append(paths, f.path)
			}
		}
	}
	slices.Sort(paths)
	return paths
}
