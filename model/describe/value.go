// Package describe writes for people what a protocol's author made: values (value.go), the states of nodes and how they differ
// (node.go), and calls of handlers (call.go).
package describe

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"contend/model"
	"contend/model/guard"
	"contend/model/shape"
)

var nodeIDType = reflect.TypeFor[model.NodeID]()

// Names gives node ids the names people read.
type Names func(model.NodeID) string

const missing = "none" // what is written for a missing [model.Optional]

// Value writes a value for people: types without their package, node ids by
// name, map entries sorted. It is not meant to be read back.
func Value(v any, names Names) string {
	var b strings.Builder
	format(&b, reflect.ValueOf(v), names)
	return b.String()
}

func format(b *strings.Builder, v reflect.Value, names Names) {
	if !v.IsValid() {
		b.WriteString("nil")
		return
	}
	if shape.IsOptional(v.Type()) {
		if v.FieldByName("Known").Bool() {
			format(b, v.FieldByName("Value"), names)
		} else {
			b.WriteString(missing)
		}
		return
	}
	if v.Type() == nodeIDType && names != nil {
		b.WriteString(names(model.NodeID(v.Int())))
		return
	}
	if s, ok := stringer(v); ok {
		b.WriteString(s)
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		format(b, v.Elem(), names)
	case reflect.Pointer:
		format(b, v.Elem(), names)
	case reflect.Struct:
		b.WriteString(v.Type().Name())
		list(b, "{", "}", fields(v, names))
	case reflect.Slice, reflect.Array:
		list(b, "[", "]", elements(v, names))
	case reflect.Map:
		list(b, "{", "}", entries(v, names))
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprintf(b, "%v", number(v))
	}
}

// number is a number or a truth value without the methods of its type, of which String may say nothing.
func number(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	case v.CanFloat() && v.Kind() == reflect.Float64:
		return v.Float()
	case v.Kind() == reflect.Bool:
		return v.Bool()
	}
	return v
}

func stringer(v reflect.Value) (string, bool) {
	if v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer || !v.CanInterface() {
		return "", false
	}
	s, ok := v.Interface().(fmt.Stringer)
	if !ok {
		return "", false
	}
	return said(s)
}

// said is what a String method says, unless it panics, says nothing, or says one thing now and another then:
// what stands in a trace must not depend on who shows it.
func said(s fmt.Stringer) (text string, ok bool) {
	failed := guard.Call(func() {
		text = s.String()
		ok = text == s.String()
	})
	return model.Printable(text), ok && failed == nil && text != ""
}

func list(b *strings.Builder, open, end string, items []string) {
	b.WriteString(open)
	b.WriteString(strings.Join(items, ", "))
	b.WriteString(end)
}

// fields writes the fields of a struct, with their names where there are more than
// two; of those, only the ones that are not zero, empty or missing.
func fields(v reflect.Value, names Names) []string {
	var out []string
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			switch text := sub(v.Field(i), names); {
			case v.NumField() <= 2:
				out = append(out, text)
			case !blank(v.Field(i)) && text != missing:
				out = append(out, f.Name+": "+text)
			}
		}
	}
	return out
}

// blank reports whether a value says nothing. A node id always does.
func blank(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice:
		return v.Len() == 0
	case reflect.Struct:
		for i := range v.NumField() {
			if !blank(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero() && v.Type() != nodeIDType
}

func elements(v reflect.Value, names Names) []string {
	out := make([]string, v.Len())
	for i := range out {
		out[i] = sub(v.Index(i), names)
	}
	return out
}

func entries(v reflect.Value, names Names) []string {
	var out []string
	for it := v.MapRange(); it.Next(); {
		out = append(out, sub(it.Key(), names)+": "+sub(it.Value(), names))
	}
	sort.Strings(out)
	return out
}

func sub(v reflect.Value, names Names) string {
	var b strings.Builder
	format(&b, v, names)
	return b.String()
}
