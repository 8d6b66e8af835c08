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

// Fields returns the fields of the View and the lines of Show. If a node has neither, it returns all fields of
// the object that are neither zero nor empty.
func (n *Node[V]) Fields(names describe.Names) []describe.Field {
	if n.shared.core.show != nil {
		return append(viewFields(&n.View, names), fieldsOf(n.showLines())...)
	}
	if all := viewFields(&n.View, names); len(all) > 0 || reflect.TypeFor[V]().Size() > 0 {
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

// Changes returns the differences from an earlier state of the node: differences of the View, then
// differences of Show. If Show is nil, the fields of the object replace Show, without fields that the View
// has with the same values. If Snapshot is set and Show is not, only the View counts, since a difference of
// other fields may not be a difference of states.
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
	case n.shared.core.show != nil:
		for _, d := range diff.Between(was.showLines(), n.showLines()) {
			all = append(all, describe.Change{Field: d.Path, Before: d.A, After: d.B})
		}
		return all
	case n.shared.core.snapshot != nil:
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
	b, a := viewFields(before, names)[0], viewFields(after, names)[0]
	if b == a {
		return nil
	}
	return []describe.Change{{Field: b.Name, Before: b.Is, After: a.Is}}
}

// leaf returns the last field of a path, in lower case, with its values.
func leaf(c describe.Change) string {
	return strings.ToLower(c.Field[strings.LastIndexByte(c.Field, '.')+1:]) + " " + c.Before + " " + c.After
}

// Compared returns the fields of the object. If Snapshot is set, it returns the View and the lines of Show, since the
// fields may contain more than the state: those of a program reach all its memory.
func (n *Node[V]) Compared(names describe.Names) []describe.Field {
	switch c := n.shared.core; {
	case c.snapshot == nil:
		return n.Dump()
	case c.show == nil:
		return viewFields(&n.View, names)
	default:
		return append(viewFields(&n.View, names), fieldsOf(n.showLines())...)
	}
}

// Dump returns the fields of the object, by path.
func (n *Node[V]) Dump() []describe.Field {
	return fieldsOf(n.lines())
}

func fieldsOf(lines []dump.Line) (all []describe.Field) {
	for _, l := range lines {
		all = append(all, describe.Field{Name: l.Path, Is: l.Is})
	}
	return all
}

// lines returns the dump of the object; nil before Start.
func (n *Node[V]) lines() (all []dump.Line) {
	if n.Name != (Name{}) {
		o, done := n.object()
		defer done()
		all = n.shared.core.dumper.Lines(o.value, false)
	}
	return all
}

// viewFields returns the fields of a View.
func viewFields(view any, names describe.Names) []describe.Field {
	v := reflect.ValueOf(view).Elem()
	if v.Kind() == reflect.Struct {
		return describe.Fields(view, names)
	}
	return []describe.Field{{Name: "View", Is: describe.Value(v.Interface(), names)}}
}

func blank(text string) bool {
	switch text {
	case "nil", "0", "false", `""`, "{}":
		return true
	}
	return false
}

// showLines returns the lines of Show; nil before Start, if Show fails, or if the run has no object in this state. So the
// description of a difference between runs does not replace the difference.
func (n *Node[V]) showLines() (all []dump.Line) {
	c := n.shared.core
	if n.Name == (Name{}) {
		return nil
	}
	var refused error
	defer guard.Caught(&refused)
	o, done := n.object()
	defer done()
	guard.Call(func() { all = diff.Lines(c.show(o.value)) })
	return all
}

// Details implements [describe.Detailed]. It returns nil before Start.
func (n *Node[V]) Details() (all []string) {
	c := n.shared.core
	if n.Name == (Name{}) || c.details == nil {
		return nil
	}
	o, done := n.object()
	defer done()
	guard.Call(func() { all = c.details(o.value) })
	return all
}

// Splits compares the dumps of states. The fields that split most come first. See [wrapped.Splitter]. The
// result is empty if Snapshot is set, since fields of a dump then need not split states.
func (n *Node[V]) Splits(states []model.Node) wrapped.Splits {
	var s diff.Splits
	seen := map[Name]bool{{}: true}
	for _, state := range states {
		if one := state.(*Node[V]); n.shared.core.snapshot == nil && !seen[one.Name] {
			seen[one.Name] = true
			s.Add(one.lines(), string(value.Canonical(one.View)))
		}
	}
	return s.Compare()
}
