package foreign

import (
	"reflect"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/foreign/diff"
	"contend/model/foreign/dump"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/wrapped"
)

// Fields lists what traces show of the node: its View and the lines of Show. If a node has neither, they
// are all fields of the object that are neither zero nor empty.
func (n *Node[V]) Fields(names describe.Names) []describe.Field {
	if n.behind.core.show != nil {
		return append(viewed(&n.View, names), fieldsOf(n.shown())...)
	}
	if all := viewed(&n.View, names); len(all) > 0 || reflect.TypeFor[V]().Size() > 0 {
		return all
	}
	var all []describe.Field
	for _, f := range n.Dump() {
		if !blank(f.Is) && !strings.HasSuffix(f.Name, ".len") && !strings.HasSuffix(f.Name, "(type)") && !strings.HasSuffix(f.Name, "(memory)") {
			all = append(all, f)
		}
	}
	return all
}

// Changes lists the differences from the node at an earlier moment: first those of the View, then
// those of Show. If Show is nil, it lists the fields of the object instead, except those that the View
// has with the same values. If Show is nil and Snapshot is not, it lists the View alone, because a difference of
// other fields need not be a difference of states.
func (n *Node[V]) Changes(before model.Node, names describe.Names) []describe.Change {
	was := before.(*Node[V])
	all := viewChanges(&was.View, &n.View, names)
	known := map[string]bool{}
	for _, c := range all {
		known[leaf(c)] = true
	}
	switch same := was.Name == n.Name || was.Name == (Name{}) || n.Name == (Name{}); {
	case same:
		return all
	case n.behind.core.show != nil:
		for _, d := range diff.Between(was.shown(), n.shown()) {
			all = append(all, describe.Change{Field: d.Path, Before: d.A, After: d.B})
		}
		return all
	case n.behind.core.snapshot != nil:
		return all
	}
	for _, c := range diff.Changes(was.lines(), n.lines()) {
		if !known[leaf(c)] {
			all = append(all, c)
		}
	}
	return all
}

func viewChanges(before, after any, names describe.Names) []describe.Change {
	if reflect.TypeOf(before).Elem().Kind() == reflect.Struct {
		return describe.Diff(before, after, names)
	}
	b, a := viewed(before, names)[0], viewed(after, names)[0]
	if b == a {
		return nil
	}
	return []describe.Change{{Field: b.Name, Before: b.Is, After: a.Is}}
}

// leaf is the last field of a path, however it is written, with its values.
func leaf(c describe.Change) string {
	return strings.ToLower(c.Field[strings.LastIndexByte(c.Field, '.')+1:]) + " " + c.Before + " " + c.After
}

// Dump lists the fields of the object that are part of the snapshot, with their paths.
func (n *Node[V]) Dump() []describe.Field {
	return fieldsOf(n.lines())
}

func fieldsOf(lines []dump.Line) (all []describe.Field) {
	for _, l := range lines {
		all = append(all, describe.Field{Name: l.Path, Is: l.Is})
	}
	return all
}

// lines is the dump of the object; nothing before Start.
func (n *Node[V]) lines() (all []dump.Line) {
	if n.Name != (Name{}) {
		o, done := n.object()
		defer done()
		all = n.behind.core.dumper.Lines(o.value, false)
	}
	return all
}

// viewed lists the fields of a View.
func viewed(view any, names describe.Names) []describe.Field {
	v := reflect.ValueOf(view).Elem()
	if v.Kind() == reflect.Struct {
		return describe.Fields(view, names)
	}
	return []describe.Field{{Name: "View", Is: describe.Value(v.Interface(), names)}}
}

func blank(is string) bool {
	switch is {
	case "nil", "0", "false", `""`, "{}":
		return true
	}
	return false
}

// shown is what Show says of the object, a line each; nothing before Start, or where Show fails.
func (n *Node[V]) shown() (all []dump.Line) {
	c := n.behind.core
	if n.Name == (Name{}) {
		return nil
	}
	o, done := n.object()
	defer done()
	guard.Call(func() { all = diff.Lines(c.show(o.value)) })
	return all
}

// Details implements [describe.Detailed]. There are none before Start.
func (n *Node[V]) Details() (all []string) {
	c := n.behind.core
	if n.Name == (Name{}) || c.details == nil {
		return nil
	}
	o, done := n.object()
	defer done()
	guard.Call(func() { all = c.details(o.value) })
	return all
}

// Splits compares the dumps of states, and lists first the fields that split most. See
// [wrapped.Splitter]. If Snapshot is not nil it finds nothing, because fields that differ in a dump need not
// split states.
func (n *Node[V]) Splits(states []model.Node) wrapped.Splits {
	var s diff.Splits
	met := map[Name]bool{{}: true}
	for _, state := range states {
		if one := state.(*Node[V]); n.behind.core.snapshot == nil && !met[one.Name] {
			met[one.Name] = true
			s.Add(one.lines(), string(value.Canonical(one.View)))
		}
	}
	return s.Compare()
}
