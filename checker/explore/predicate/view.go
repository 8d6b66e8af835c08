package predicate

import (
	"fmt"
	"reflect"

	"github.com/expr-lang/expr/types"

	"contend/model"
	"contend/model/describe"
	"contend/model/shape"
)

// nameField is the key of a node's name. Fields begin with capitals.
const nameField = "name"

// deepest is the maximum depth of types: a type may contain a list of itself.
const deepest = 12

var idType = reflect.TypeFor[model.NodeID]()

// typeOfNode returns the type of a node's view.
func typeOfNode(n model.Node) types.Type {
	t := typeOfStruct(reflect.TypeOf(n).Elem(), 0)
	t[nameField] = types.String
	return t
}

// viewOfNode returns a node's exported fields and its name.
func viewOfNode(name string, n model.Node, names describe.Names) map[string]any {
	v := viewOfStruct(reflect.ValueOf(n).Elem(), names)
	v[nameField] = name
	return v
}

// typeOf returns the type of a value's view.
func typeOf(t reflect.Type, depth int) types.Type {
	switch {
	case depth > deepest, shape.IsOptional(t):
		return types.Any
	case isWord(t):
		return types.String
	}
	switch t.Kind() {
	case reflect.Bool:
		return types.Bool
	case reflect.String:
		return types.String
	case reflect.Slice, reflect.Array:
		return types.Array(typeOf(t.Elem(), depth+1))
	case reflect.Map:
		return types.Map{types.Extra: typeOf(t.Elem(), depth+1)}
	case reflect.Struct:
		return typeOfStruct(t, depth+1)
	case reflect.Interface:
		return types.Any
	}
	return types.Int
}

func typeOfStruct(t reflect.Type, depth int) types.Map {
	all := types.Map{}
	for _, f := range fieldsOf(t) {
		all[f.Name] = typeOf(f.Type, depth)
	}
	return all
}

// fieldsOf returns the exported fields of a struct, each by its index from there. The fields of an embedded struct that is exported stand
// before it, as in Go.
func fieldsOf(t reflect.Type) (all []reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			for _, inner := range fieldsOf(f.Type) {
				inner.Index = append([]int{i}, inner.Index...)
				all = append(all, inner)
			}
		}
		all = append(all, f)
	}
	return all
}

// isWord reports whether values of a type are displayed as one word: ids of nodes, and simple values with a
// String method.
func isWord(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map, reflect.Interface:
		return false
	}
	return t == idType || t.Implements(reflect.TypeFor[fmt.Stringer]())
}

// viewOf returns the view of a value.
func viewOf(v reflect.Value, names describe.Names) any {
	t := v.Type()
	switch {
	case shape.IsOptional(t):
		if !v.FieldByName("Known").Bool() {
			return nil
		}
		return viewOf(v.FieldByName("Value"), names)
	case isWord(t):
		return describe.Value(v.Interface(), names)
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return v.String()
	case reflect.Slice, reflect.Array:
		all := make([]any, v.Len())
		for i := range all {
			all[i] = viewOf(v.Index(i), names)
		}
		return all
	case reflect.Map:
		return viewOfMap(v, names)
	case reflect.Struct:
		return viewOfStruct(v, names)
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return viewOf(v.Elem(), names)
	}
	return v.Convert(reflect.TypeFor[int]()).Interface()
}

func viewOfStruct(v reflect.Value, names describe.Names) map[string]any {
	all := map[string]any{}
	for _, f := range fieldsOf(v.Type()) {
		all[f.Name] = viewOf(v.FieldByIndex(f.Index), names)
	}
	return all
}

func viewOfMap(v reflect.Value, names describe.Names) map[string]any {
	all := map[string]any{}
	for it := v.MapRange(); it.Next(); {
		all[keyOf(it.Key(), names)] = viewOf(it.Value(), names)
	}
	return all
}

// keyOf returns the text of a map key, without quotes.
func keyOf(v reflect.Value, names describe.Names) string {
	if v.Kind() == reflect.String && !isWord(v.Type()) {
		return v.String()
	}
	return describe.Value(v.Interface(), names)
}
