// Package purity detects code of a protocol's author that is not a pure function: handlers that change the
// configuration of a node (configuration.go), or nodes of earlier calls (relics.go). impure.go has the errors.
package purity

import (
	"contend/model/shape"
	"encoding/binary"
	"hash/maphash"
	"maps"
	"math"
	"reflect"
)

var seed = maphash.MakeSeed()

// An Opaque is a value that unexported fields of a node may point to, other than its configuration: a cache of
// results that may grow, and on which no result depends. It is identified by its address.
type Opaque interface{ Opaque() }

var opaqueType = reflect.TypeFor[Opaque]()

// Configuration returns a hash of a node's unexported fields and everything that they point to. Functions
// count by address, so the hash is valid within one process only.
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

// node adds the unexported fields of a node and of the nodes within it.
func (w *configWalk) node(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case !f.IsExported():
			w.value(v.Field(i))
		case shape.IsInner(f):
			w.node(v.Field(i))
		case shape.IsWatched(v.Type(), f):
			w.node(shape.Watched(v.Field(i)))
		}
	}
}

func (w *configWalk) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || w.seen[v.Pointer()] {
			return
		}
		if v.Type().Implements(opaqueType) {
			w.number(uint64(v.Pointer()))
			return
		}
		w.seen[v.Pointer()] = true
		w.value(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			w.text(v.Elem().Type().String())
			w.value(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			w.value(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		w.number(uint64(v.Len()))
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Map:
		w.mapEntries(v)
	default:
		w.scalar(v)
	}
}

func (w *configWalk) scalar(v reflect.Value) {
	switch {
	case v.Kind() == reflect.String:
		w.text(v.String())
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			w.number(1)
		} else {
			w.number(0)
		}
	case v.CanInt():
		w.number(uint64(v.Int()))
	case v.CanUint():
		w.number(v.Uint())
	case v.CanFloat():
		w.number(math.Float64bits(v.Float()))
	case v.CanComplex():
		c := v.Complex()
		w.number(math.Float64bits(real(c)))
		w.number(math.Float64bits(imag(c)))
	default: // a func, a channel or an unsafe pointer
		w.number(uint64(v.Pointer()))
	}
}

func (w *configWalk) text(s string) {
	w.number(uint64(len(s)))
	w.h.WriteString(s)
}

func (w *configWalk) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	w.h.Write(b[:])
}

// mapEntries adds the sum of the entries' hashes, since a map has no order.
func (w *configWalk) mapEntries(v reflect.Value) {
	var sum uint64
	for it := v.MapRange(); it.Next(); {
		e := configWalk{seen: maps.Clone(w.seen)} // an entry's hash must not depend on other entries
		e.h.SetSeed(seed)
		e.value(it.Key())
		e.value(it.Value())
		sum += e.h.Sum64()
	}
	w.number(uint64(v.Len()))
	w.number(sum)
}
