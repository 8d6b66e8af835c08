// Package purity tells whether the code of a protocol's author is a function of what it is given: by the configuration of nodes, which
// no handler may change (configuration.go), and by the nodes that handlers had before (relics.go). It says of code that is not what it
// does (impure.go).
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

// Opaque is what a node's unexported fields may point to besides its configuration: a memory of
// answers, which grows, and on which no answer depends. It counts by identity.
type Opaque interface{ Opaque() }

var opaqueType = reflect.TypeFor[Opaque]()

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
	default: // a func, a channel, an unsafe pointer
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
	w.number(uint64(v.Len()))
	w.number(sum)
}
