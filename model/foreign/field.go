package foreign

import (
	"reflect"

	"contend/model"
	"contend/model/foreign/reach"
)

// Field returns the address of a field of an object, exported or not. With it, glue can read the library's
// private state, or fix a value that the library chooses at random. The path is as in [Library.Omit], but has a
// single element in place of []: an index of a slice or an array, or a key of a map as in dumps. Examples are
// "Peers[0].addr", "Progress[2].Match" and `Names["a b"].used`. Field panics with a [model.Refusal] if there is
// no such field, or if it has another type or no address. An element of a map has no address unless it is a
// pointer: use [Set].
func Field[F any](object any, path string) *F {
	s := mustField(object, path)
	if s.Is.Type() != reflect.TypeFor[F]() {
		model.Refuse("foreign: field %s of %T is a %s, not a %s", path, object, s.Is.Type(), reflect.TypeFor[F]())
	}
	if s.InMap() {
		model.Refuse("foreign: field %s of %T lies in a map, where it has no address: change it by Set", path, object)
	}
	return (*F)(s.Is.Addr().UnsafePointer())
}

// Set changes a field of an object, exported or not, to a value that can be converted to its type:
//
//	foreign.Set(n, "Node.raft.randomizedElectionTimeout", 10)
//
// It panics like [Field], but can also change an element of a map. It cannot add one.
func Set(object any, path string, value any) {
	s, to := mustField(object, path), reflect.ValueOf(value)
	if !to.IsValid() || !to.CanConvert(s.Is.Type()) {
		model.Refuse("foreign: field %s of %T is a %s, which cannot be %v", path, object, s.Is.Type(), value)
	}
	s.Set(to.Convert(s.Is.Type()))
}

func mustField(object any, path string) reach.Spot {
	s, err := reach.Field(object, path)
	if err != nil {
		model.Refuse("foreign: %v", err)
	}
	return s
}
