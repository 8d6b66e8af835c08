package describe

import (
	"fmt"
	"reflect"

	"contend/model"
	"contend/model/shape"
)

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
		if shape.IsInner(f) {
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
		case shape.IsInner(f):
			all = append(all, listFields(v.Field(i), prefix+within(f), names)...)
		case !blank(v.Field(i)):
			all = append(all, Field{prefix + f.Name, sub(v.Field(i), names)})
		}
	}
	return all
}

// A Detailed node has more to show than its fields and their changes: lines for people who look at one state.
type Detailed interface{ Details() []string }

// Difference says in a few words where two nodes of one type differ.
func Difference(a, b model.Node, names Names) string {
	if d := Diff(a, b, names); len(d) > 0 {
		return fmt.Sprintf("field %s (%s and %s)", d[0].Field, d[0].Before, d[0].After)
	}
	return "their state"
}
