// Package reach finds fields of objects by their paths, whether they are exported or not.
package reach

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// Field finds a field of an object, exported or not, as one that may be set. The path goes from field to field at dots, through
// pointers and interfaces, and to an element by an index or by a key as dumps write it, as in "Peers[0].addr" and
// `Names["a b"].used`. The error says where there is no such field.
func Field(object any, path string) (Spot, error) {
	v := reflect.ValueOf(object)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		if w := wayTo(v.Type(), path); w.to != nil {
			if at := w.from(v.UnsafePointer()); at != nil {
				return Spot{Is: reflect.NewAt(w.to, at).Elem()}, nil
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
		f, has := t.FieldByName(step)
		if !has || len(f.Index) > 1 { // an embedded struct's field
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
