package foreign

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"contend/model"
)

// Field returns the address of a field of an object, exported or not, so that glue can read what
// a library keeps to itself, or pin what it draws at random. The path is one as in [Library.Omit], but names one element
// where that has []: an index of a slice or an array, or a key of a map as dumps write it, as in "Peers[0].addr",
// "Progress[2].Match" and `Names["a b"].used`. It panics with a [model.Refusal] if there is no such field, or one of another
// type, or if it has no address: elements of a map that are no pointers have none, and only [Set] changes them.
func Field[F any](object any, path string) *F {
	s := mustField(object, path)
	if s.is.Type() != reflect.TypeFor[F]() {
		model.Refuse("foreign: field %s of %T is a %s, not a %s", path, object, s.is.Type(), reflect.TypeFor[F]())
	}
	if s.back != nil {
		model.Refuse("foreign: field %s of %T lies in a map, where it has no address: change it by Set", path, object)
	}
	return (*F)(s.is.Addr().UnsafePointer())
}

// Set changes a field of an object, exported or not, to a value that can be converted to its type:
//
//	foreign.Set(n, "Node.raft.randomizedElectionTimeout", 10)
//
// It panics like [Field]. Elements of a map can be changed too, but none can be added.
func Set(object any, path string, value any) {
	s, to := mustField(object, path), reflect.ValueOf(value)
	if !to.IsValid() || !to.CanConvert(s.is.Type()) {
		model.Refuse("foreign: field %s of %T is a %s, which cannot be %v", path, object, s.is.Type(), value)
	}
	s.set(to.Convert(s.is.Type()))
}

func mustField(object any, path string) spot {
	s, err := field(object, path)
	if err != nil {
		model.Refuse("foreign: %v", err)
	}
	return s
}

// field finds a field, as one that may be set.
func field(object any, path string) (spot, error) {
	v := reflect.ValueOf(object)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		if w := wayTo(v.Type(), path); w.to != nil {
			if at := w.from(v.UnsafePointer()); at != nil {
				return spot{is: reflect.NewAt(w.to, at).Elem()}, nil
			}
		}
	}
	return searched(object, path)
}

// A way leads from a pointer to a field: by so many bytes on, then through the pointer that is
// there, and so on. Glue asks for the same fields again and again.
type way struct {
	to      reflect.Type // nil if the types alone do not say it
	offsets []uintptr
}

type wayOf struct {
	of   reflect.Type
	path string
}

var ways sync.Map // of way, by wayOf

// wayTo returns the way from a pointer type.
func wayTo(of reflect.Type, path string) way {
	key := wayOf{of, path}
	if w, known := ways.Load(key); known {
		return w.(way)
	}
	t, w := of.Elem(), way{offsets: []uintptr{0}}
	for _, step := range strings.Split(path, ".") {
		for t.Kind() == reflect.Pointer {
			t, w.offsets = t.Elem(), append(w.offsets, 0)
		}
		if t.Kind() != reflect.Struct {
			t = nil
			break
		}
		f, has := direct(t, step)
		if !has {
			t = nil
			break
		}
		t, w.offsets[len(w.offsets)-1] = f.Type, w.offsets[len(w.offsets)-1]+f.Offset
	}
	w.to = t
	ways.Store(key, w)
	return w
}

// from follows the way; nil if a pointer on it is nil.
func (w way) from(at unsafe.Pointer) unsafe.Pointer {
	at = unsafe.Add(at, w.offsets[0])
	for _, offset := range w.offsets[1:] {
		if at = *(*unsafe.Pointer)(at); at == nil {
			return nil
		}
		at = unsafe.Add(at, offset)
	}
	return at
}
