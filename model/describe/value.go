// Package describe formats for people what the author of a protocol defines: values (value.go), states of
// nodes and their differences (node.go), and calls of handlers (call.go).
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

// Names returns the name of a node.
type Names func(model.NodeID) string

const missing = "none" // for a missing [model.Optional]

// Value formats a value for people: types without their package, node ids by name, map entries sorted. The
// result cannot be parsed.
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

// number returns a number or a bool without the methods of its type.
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
	return stringOf(s)
}

// stringOf returns the result of a String method. It reports false if the method panics, returns "", or returns
// different texts: the text in a trace must be deterministic.
func stringOf(s fmt.Stringer) (text string, ok bool) {
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

// fields formats the fields of a struct. A struct of more than two fields has names, and omits zero, empty and
// missing values.
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

// blank reports whether a value is zero or empty. A node id never is.
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
