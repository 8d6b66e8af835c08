package value

import "reflect"

// Tidy makes what is empty in the fields of a node, or of a monitor, as it is in a fresh copy: a slice is nil, and a map is
// not. It looks into structs and arrays, and not into slices and maps.
func (c *Codec) Tidy(n any) { tidy(reflect.ValueOf(n).Elem()) }

func tidy(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, i := range layoutOf(v.Type()).deep {
			tidy(v.Field(i))
		}
	case reflect.Array:
		if !layoutOf(v.Type()).flat {
			for i := range v.Len() {
				tidy(v.Index(i))
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
		if v.Type() == monitorType {
			tidy(watched(v))
		}
	}
}
