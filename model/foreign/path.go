package foreign

import (
	"reflect"
	"strings"
	"unsafe"

	"contend/model"
)

// An omission is a tree of the fields that snapshots leave out. A nil one leaves out nothing.
type omission struct {
	below map[string]*omission
	here  bool // this, and all below
}

func newOmission(paths []string) *omission {
	top := &omission{}
	for _, p := range paths {
		at := top
		for _, step := range steps(p) {
			if at.below == nil {
				at.below = map[string]*omission{}
			}
			if at.below[step] == nil {
				at.below[step] = &omission{}
			}
			at = at.below[step]
		}
		at.here = true
	}
	return top
}

// steps splits a path: "Peers[].conn" is Peers, [], conn.
func steps(path string) []string {
	return strings.Split(strings.ReplaceAll(path, "[]", ".[]"), ".")
}

func (o *omission) all() bool { return o != nil && o.here }

func (o *omission) under(step string) *omission {
	if o == nil {
		return nil
	}
	return o.below[step]
}

// Field returns the address of a field of an object, exported or not, so that glue can read what
// a library keeps to itself, or pin what it draws at random. The path is one as in [Library.Omit],
// without []. It panics with a [model.Refusal] if there is no such field, or one of another type.
func Field[F any](object any, path string) *F {
	v := field(object, path)
	if v.Type() != reflect.TypeFor[F]() {
		model.Refuse("foreign: field %s of %T is a %s, not a %s", path, object, v.Type(), reflect.TypeFor[F]())
	}
	return (*F)(v.Addr().UnsafePointer())
}

// Set changes a field of an object, exported or not, to a value that can be converted to its type:
//
//	foreign.Set(n, "Node.raft.randomizedElectionTimeout", 10)
//
// It panics like [Field].
func Set(object any, path string, value any) {
	v, to := field(object, path), reflect.ValueOf(value)
	if !to.IsValid() || !to.CanConvert(v.Type()) {
		model.Refuse("foreign: field %s of %T is a %s, which cannot be %v", path, object, v.Type(), value)
	}
	v.Set(to.Convert(v.Type()))
}

// field finds a field, as one that may be set.
func field(object any, path string) reflect.Value {
	v := reflect.ValueOf(object)
	for _, step := range strings.Split(path, ".") {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			model.Refuse("foreign: %T has no field %s: there is no %s", object, path, step)
		}
		f := v.FieldByName(step)
		if !f.IsValid() || !f.CanAddr() {
			model.Refuse("foreign: %T has no field %s: %s has no %s that can be set", object, path, v.Type(), step)
		}
		v = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
	}
	return v
}
