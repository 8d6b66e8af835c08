// Package reach finds fields of objects by path, exported or not.
package reach

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// Field returns a field of an object, exported or not, that can be set. The path has fields after dots, passes
// through pointers and interfaces, and has elements by index or by key as in dumps: "Peers[0].addr" and
// `Names["a b"].used`. The error names the step that fails.
func Field(object any, path string) (Spot, error) {
	v := reflect.ValueOf(object)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		if w := wayTo(v.Type(), path); w.to != nil {
			if at := w.from(v.UnsafePointer()); at != nil {
				return Spot{Is: reflect.NewAt(w.to, at).Elem()}, nil
			}
		}
	}
	return search(object, path)
}

// A way is the route from a pointer to a field: an offset, then the pointer there, and so on. Ways are cached,
// since glue uses the same fields often.
type way struct {
	to      reflect.Type // nil if types alone do not determine the route
	offsets []uintptr
}

type wayOf struct {
	from reflect.Type
	path string
}

var ways sync.Map // of way, by wayOf

// wayTo returns the way of a path from a pointer type.
func wayTo(from reflect.Type, path string) way {
	key := wayOf{from, path}
	if w, known := ways.Load(key); known {
		return w.(way)
	}
	t, w := from.Elem(), way{offsets: []uintptr{0}}
	for _, step := range strings.Split(path, ".") {
		for t.Kind() == reflect.Pointer {
			t, w.offsets = t.Elem(), append(w.offsets, 0)
		}
		if t.Kind() != reflect.Struct {
			t = nil
			break
		}
		f, ok := t.FieldByName(step)
		if !ok || len(f.Index) > 1 { // a field of an embedded struct
			t = nil
			break
		}
		t, w.offsets[len(w.offsets)-1] = f.Type, w.offsets[len(w.offsets)-1]+f.Offset
	}
	w.to = t
	ways.Store(key, w)
	return w
}

// from follows the way. It returns nil if a pointer on the way is nil.
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
