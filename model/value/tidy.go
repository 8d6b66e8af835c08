package value

import (
	"reflect"

	"contend/model/shape"
)

// Tidy makes the empty fields of a node or a monitor equal to the fields of a fresh copy: slices are nil, and
// maps are not. It descends into structs and arrays, but not into slices and maps.
func (c *Codec) Tidy(n any) {
	v := reflect.ValueOf(n).Elem()
	tidy(v, layoutOf(v.Type()))
}

func tidy(v reflect.Value, l *layout) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range l.deep {
			tidy(v.Field(f.index), f.layout)
		}
	case reflect.Array:
		if elem := l.elemOf(v.Type()); !elem.flat {
			for i := range v.Len() {
				tidy(v.Index(i), elem)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	case reflect.Interface:
		if shape.IsMonitor(v.Type()) {
			inner := shape.Watched(v)
			tidy(inner, layoutOf(inner.Type()))
		}
	}
}
