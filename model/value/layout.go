package value

import (
	"contend/model/shape"
	"reflect"
	"sync"
	"sync/atomic"
)

// A layout is the cached description of a type.
type layout struct {
	// flat reports that an assignment makes an independent copy. An interface is not flat, since its value may
	// not be.
	flat bool
	// exported has the indexes of the fields that are state.
	exported []int
	// deep has the exported fields that are not flat.
	deep []deep
	elem atomic.Pointer[layout] // of a slice, array or map; nil until it is needed
	// optional reports that the type is a [model.Optional].
	optional bool
}

// A deep is a field that is not flat.
type deep struct {
	index int
	*layout
}

// elemOf returns the layout of the elements of a slice, array or map. It is computed when needed, since a type
// may contain itself.
func (l *layout) elemOf(t reflect.Type) *layout {
	if known := l.elem.Load(); known != nil {
		return known
	}
	elem := layoutOf(t.Elem())
	l.elem.Store(elem)
	return elem
}

var layouts sync.Map // of *layout, by reflect.Type

func layoutOf(t reflect.Type) *layout {
	if l, known := layouts.Load(t); known {
		return l.(*layout)
	}
	l, _ := layouts.LoadOrStore(t, newLayout(t))
	return l.(*layout)
}

func newLayout(t reflect.Type) *layout {
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Interface:
		return &layout{}
	case reflect.Array:
		return &layout{flat: layoutOf(t.Elem()).flat}
	case reflect.Struct:
		l := &layout{optional: shape.IsOptional(t)}
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				continue
			}
			l.exported = append(l.exported, i)
			if field := layoutOf(f.Type); !field.flat {
				l.deep = append(l.deep, deep{i, field})
			}
		}
		l.flat = len(l.deep) == 0
		return l
	}
	return &layout{flat: true}
}
