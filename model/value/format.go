package value

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"contend/model"
	"contend/model/guard"
)

// Names gives node ids the names people read.
type Names func(model.NodeID) string

const missing = "none" // what is written for a missing [model.Optional]

// Format writes a value for people: types without their package, node ids by
// name, map entries sorted. It is not meant to be read back.
func Format(v any, names Names) string {
	var b strings.Builder
	format(&b, reflect.ValueOf(v), names)
	return b.String()
}

func format(b *strings.Builder, v reflect.Value, names Names) {
	if !v.IsValid() {
		b.WriteString("nil")
		return
	}
	if IsOptional(v.Type()) {
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
		fmt.Fprintf(b, "%v", v)
	}
}

// IsOptional reports whether a type is a [model.Optional].
func IsOptional(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == nodeIDType.PkgPath() && strings.HasPrefix(t.Name(), "Optional[")
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

// said is what a String method says, unless it panics, or says one thing now and another then:
// what stands in a trace must not depend on who shows it.
func said(s fmt.Stringer) (text string, ok bool) {
	failed := guard.Call(func() {
		text = s.String()
		ok = text == s.String()
	})
	return model.Printable(text), ok && failed == nil
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

// A Change is a field of a node's state that differs between two moments.
type Change struct{ Field, Before, After string }

// A Teller is a node whose exported fields do not say what its state is. It tells people itself.
type Teller interface {
	// Fields is what [Fields] returns.
	Fields(names Names) []Field
	// Changes is what [Diff] returns, from an earlier state of the same node to this one.
	Changes(before model.Node, names Names) []Change
	// Dump lists all fields of the state, by their paths.
	Dump() []Field
}

// Diff lists the exported fields in which two states of one node differ.
func Diff(before, after model.Node, names Names) []Change {
	if before == nil || after == nil {
		return nil
	}
	if t, tells := after.(Teller); tells {
		return t.Changes(before, names)
	}
	b, a := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	return diffFields(b, a, "", names)
}

func diffFields(b, a reflect.Value, prefix string, names Names) []Change {
	var changes []Change
	for i := range b.NumField() {
		f := b.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Type.Kind() == reflect.Struct && IsNode(f.Type) {
			changes = append(changes, diffFields(b.Field(i), a.Field(i), prefix+within(f), names)...)
			continue
		}
		if x, y := sub(b.Field(i), names), sub(a.Field(i), names); x != y {
			changes = append(changes, Change{prefix + f.Name, x, y})
		}
	}
	return changes
}

// within is what stands before the fields of a node within another: nothing if it is embedded, as in Go.
func within(f reflect.StructField) string {
	if f.Anonymous {
		return ""
	}
	return f.Name + "."
}

// A Field is an exported field of a node's state, written for people.
type Field struct{ Name, Is string }

// Fields lists the exported fields of a state that are neither zero nor empty; those of a node
// within it under its name, unless it is embedded.
func Fields(n model.Node, names Names) []Field {
	if n == nil {
		return nil
	}
	if t, tells := n.(Teller); tells {
		return t.Fields(names)
	}
	return listFields(reflect.ValueOf(n).Elem(), "", names)
}

func listFields(v reflect.Value, prefix string, names Names) (all []Field) {
	for i := range v.NumField() {
		switch f := v.Type().Field(i); {
		case !f.IsExported():
		case f.Type.Kind() == reflect.Struct && IsNode(f.Type):
			all = append(all, listFields(v.Field(i), prefix+within(f), names)...)
		case !blank(v.Field(i)):
			all = append(all, Field{prefix + f.Name, sub(v.Field(i), names)})
		}
	}
	return all
}
