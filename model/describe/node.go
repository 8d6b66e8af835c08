package describe

import (
	"fmt"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/shape"
)

// A Change is a field that differs between two states of a node.
type Change struct{ Field, Before, After string }

// A Teller is a node that describes its own state, since its exported fields do not.
type Teller interface {
	// Fields returns the result of [Fields].
	Fields(names Names) []Field
	// Changes returns the result of [Diff] from an earlier state of the node.
	Changes(before model.Node, names Names) []Change
	// Compared returns the fields that [DiffShared] compares, by their paths.
	Compared(names Names) []Field
}

// Diff returns the exported fields in which two states of one node differ. It returns nil if one of the states
// is nil.
func Diff(before, after model.Node, names Names) []Change {
	if before == nil || after == nil {
		return nil
	}
	if t, ok := after.(Teller); ok {
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
		if shape.IsInner(f) {
			changes = append(changes, diffFields(b.Field(i), a.Field(i), prefix+pathPrefix(f), names)...)
			continue
		}
		if x, y := sub(b.Field(i), names), sub(a.Field(i), names); x != y {
			changes = append(changes, Change{prefix + f.Name, x, y})
		}
	}
	return changes
}

// pathPrefix returns the prefix for the fields of a node within another: "" if it is embedded, as in Go.
func pathPrefix(f reflect.StructField) string {
	if f.Anonymous {
		return ""
	}
	return f.Name + "."
}

// A Field is an exported field of a node's state, as text.
type Field struct{ Name, Is string }

// Fields returns the exported fields of a state that are neither zero nor empty. The fields of a node within it
// have its name as prefix, unless it is embedded.
func Fields(n model.Node, names Names) []Field {
	if n == nil {
		return nil
	}
	if t, ok := n.(Teller); ok {
		return t.Fields(names)
	}
	all := walkFields(reflect.ValueOf(n).Elem(), "", names)
	return slices.DeleteFunc(all, func(f Field) bool { return f.Is == "" })
}

// DiffShared returns the exported fields in which the states of two nodes differ, among the fields that both
// nodes have. The nodes may have different types. A value is "" if it is zero or empty.
func DiffShared(before, after model.Node, names Names) (changes []Change) {
	if before == nil || after == nil {
		return nil
	}
	b, a := shownFields(before, names), shownFields(after, names)
	for _, f := range b {
		i := slices.IndexFunc(a, func(g Field) bool { return g.Name == f.Name })
		if i >= 0 && a[i].Is != f.Is {
			changes = append(changes, Change{f.Name, f.Is, a[i].Is})
		}
	}
	return changes
}

// shownFields returns all exported fields of a node. The text of a zero or an empty field is "".
func shownFields(n model.Node, names Names) []Field {
	if t, ok := n.(Teller); ok {
		return t.Compared(names)
	}
	return walkFields(reflect.ValueOf(n).Elem(), "", names)
}

func walkFields(v reflect.Value, prefix string, names Names) (all []Field) {
	for i := range v.NumField() {
		switch f := v.Type().Field(i); {
		case !f.IsExported():
		case shape.IsInner(f):
			all = append(all, walkFields(v.Field(i), prefix+pathPrefix(f), names)...)
		case blank(v.Field(i)):
			all = append(all, Field{prefix + f.Name, ""})
		default:
			all = append(all, Field{prefix + f.Name, sub(v.Field(i), names)})
		}
	}
	return all
}

// A Detailed node has further lines for people who inspect one state.
type Detailed interface{ Details() []string }

// Difference returns a phrase for the first difference of two nodes of one type.
func Difference(a, b model.Node, names Names) string {
	if d := Diff(a, b, names); len(d) > 0 {
		return fmt.Sprintf("field %s (%s and %s)", d[0].Field, d[0].Before, d[0].After)
	}
	return "their state"
}
