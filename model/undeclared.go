package model

import (
	"fmt"
	"reflect"
)

// probeN is an N that no protocol is likely to work out by itself.
const probeN = 13

// readsN reports an error if Build reads [Config.N] although the protocol does not declare [N]. Nobody
// can set N then, so Build sees 0, which later makes an empty quorum or a division by zero. A field
// read leaves no trace, so the system is built once more with another N and compared. built is the
// first system; nil if Build failed or panicked.
func (p *Protocol) readsN(c Config, built *System) error {
	if _, declared := p.Declared(N.Name); declared || c.N != 0 {
		return nil
	}
	c.N = probeN
	again, err := p.made(c)
	if err != nil && built == nil || err == nil && built != nil && sameSystem(built, again) {
		return nil
	}
	return fmt.Errorf("protocol %s: Build reads Config.N, but Params does not list model.N, so it is 0: list model.N, or read a parameter of your own by its Of", p.Name)
}

// sameSystem compares what Build works out: the nodes and their scripts, Setup, and the windows.
func sameSystem(a, b *System) bool {
	if len(a.Nodes) != len(b.Nodes) {
		return false
	}
	s := sameness{map[[2]uintptr]bool{}}
	for i := range a.Nodes {
		x, y := a.Nodes[i], b.Nodes[i]
		if m, n := x.fresh(), y.fresh(); !s.values(reflect.ValueOf(m), reflect.ValueOf(n)) {
			return false
		}
		if !s.values(reflect.ValueOf(x), reflect.ValueOf(y)) {
			return false
		}
	}
	return s.values(reflect.ValueOf(a.Setup), reflect.ValueOf(b.Setup)) &&
		s.values(reflect.ValueOf(a.Network), reflect.ValueOf(b.Network)) &&
		s.values(reflect.ValueOf(a.Returned), reflect.ValueOf(b.Returned))
}

// fresh is a new node; nil if New is missing or panics, which is told elsewhere.
func (n NodeSpec) fresh() (node Node) {
	defer func() {
		if recover() != nil {
			node = nil
		}
	}()
	if n.New == nil {
		return nil
	}
	return n.New()
}

// A sameness compares values like [reflect.DeepEqual], except that it takes any two functions, channels
// and configurations for equal, and does not look behind a pointer with a method Opaque, which a
// library may change meanwhile.
type sameness struct {
	seen map[[2]uintptr]bool // pairs of pointers that are equal unless the comparison says otherwise
}

var configType = reflect.TypeFor[Config]()

func (s sameness) values(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	if a.Type() == configType {
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

func (s sameness) pointers(a, b reflect.Value) bool {
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

// maps compares maps by their keys. Keys that are or hold pointers never match: such maps are compared by
// their lengths alone.
func (s sameness) maps(a, b reflect.Value) bool {
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
