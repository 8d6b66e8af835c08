package value

import (
	"fmt"
	"hash/maphash"
	"maps"
	"reflect"
)

var seed = maphash.MakeSeed()

// Configuration returns a fingerprint of a node's unexported fields and all they
// point to, so that a handler that changes its configuration is found out. Funcs
// count by identity. It means something within one process only.
func Configuration(n any) uint64 {
	w := configWalk{seen: map[uintptr]bool{}}
	w.h.SetSeed(seed)
	w.node(reflect.ValueOf(n).Elem())
	return w.h.Sum64()
}

type configWalk struct {
	h    maphash.Hash
	seen map[uintptr]bool
}

// node visits the unexported fields of a node and of the nodes within it.
func (w *configWalk) node(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case !f.IsExported():
			w.value(v.Field(i))
		case f.Type.Kind() == reflect.Struct && IsNode(f.Type):
			w.node(v.Field(i))
		}
	}
}

func (w *configWalk) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || w.seen[v.Pointer()] {
			return
		}
		w.seen[v.Pointer()] = true
		w.value(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			fmt.Fprint(&w.h, v.Elem().Type(), ":")
			w.value(v.Elem())
		}
	case reflect.String:
		fmt.Fprintf(&w.h, "%q;", v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			w.value(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprint(&w.h, v.Len(), ";")
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Map:
		w.mapEntries(v)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprint(&w.h, v.Pointer(), ";")
	default:
		fmt.Fprintf(&w.h, "%v;", v)
	}
}

// mapEntries adds up the entries' hashes, since a map has no order.
func (w *configWalk) mapEntries(v reflect.Value) {
	var sum uint64
	for it := v.MapRange(); it.Next(); {
		e := configWalk{seen: maps.Clone(w.seen)} // what one entry has seen must not depend on another
		e.h.SetSeed(seed)
		e.value(it.Key())
		e.value(it.Value())
		sum += e.h.Sum64()
	}
	fmt.Fprint(&w.h, v.Len(), sum, ";")
}
