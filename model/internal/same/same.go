// Package same compares the systems that a protocol builds.
package same

import "reflect"

// A Comparison compares values like [reflect.DeepEqual], with exceptions. Any two functions, channels, or
// values of one given type are equal. Pointers with a method Opaque are equal, since a library may change their
// targets at any time.
type Comparison struct {
	equal reflect.Type        // all values of this type are equal
	seen  map[[2]uintptr]bool // pairs of pointers that are being compared, and count as equal
}

// Comparing returns a comparison. It treats all values of the given type as equal.
func Comparing(equal reflect.Type) Comparison { return Comparison{equal, map[[2]uintptr]bool{}} }

// Values reports whether two values are equal.
func (s Comparison) Values(a, b any) bool { return s.values(reflect.ValueOf(a), reflect.ValueOf(b)) }

func (s Comparison) values(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	if a.Type() == s.equal {
		return true
	}
	switch a.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Pointer:
		return s.pointers(a, b)
	case reflect.Interface:
		return s.values(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !s.values(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !s.values(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return s.maps(a, b)
	}
	return a.Equal(b)
}

func (s Comparison) pointers(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil()
	}
	if _, opaque := a.Type().MethodByName("Opaque"); opaque {
		return true
	}
	pair := [2]uintptr{a.Pointer(), b.Pointer()}
	if pair[0] == pair[1] || s.seen[pair] {
		return true
	}
	s.seen[pair] = true
	return s.values(a.Elem(), b.Elem())
}

// maps compares maps by their keys. Keys with pointers never match, so maps with such keys are compared by
// length only.
func (s Comparison) maps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for _, key := range a.MapKeys() {
		if other := b.MapIndex(key); other.IsValid() && !s.values(a.MapIndex(key), other) {
			return false
		}
	}
	return true
}
