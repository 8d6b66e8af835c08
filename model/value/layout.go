package value

import (
	"contend/model/shape"
	"reflect"
	"sync"
	"sync/atomic"
)

// A layout is what there is to know of a type, found out once.
type layout struct {
	// flat says that an assignment copies a value of the type, and shares nothing that
	// can be changed. An interface is not, for what it holds must be looked at.
	flat bool
	// exported are the fields of a struct that are state.
	exported []int
	// deep are those of them that are not flat.
	deep []deep
	elem atomic.Pointer[layout] // of a slice, array or map; nil until somebody asks
	// optional says that it is a [model.Optional].
	optional bool
}

// deep is a field that is not flat.
type deep struct {
	at int
	*layout
}

// elemOf is the layout of the elements of a slice, array or map, whose type may be in its own elements.
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
			if of := layoutOf(f.Type); !of.flat {
				l.deep = append(l.deep, deep{i, of})
			}
		}
		l.flat = len(l.deep) == 0
		return l
	}
	return &layout{flat: true}
}
