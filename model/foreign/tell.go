package foreign

import (
	"reflect"
	"strings"

	"contend/model"
	"contend/model/value"
)

// Fields lists what people see of the node: its View and what Show says. Without either it is all fields of the object that are
// neither zero nor empty.
func (n *Node[V]) Fields(names value.Names) []value.Field {
	if n.behind.core.show != nil {
		return append(viewed(&n.View, names), fieldsOf(n.shown())...)
	}
	if all := viewed(&n.View, names); len(all) > 0 || reflect.TypeFor[V]().Size() > 0 {
		return all
	}
	var all []value.Field
	for _, f := range n.Dump() {
		if !blank(f.Is) && !strings.HasSuffix(f.Name, ".len") && !strings.HasSuffix(f.Name, "(type)") && !strings.HasSuffix(f.Name, "(memory)") {
			all = append(all, f)
		}
	}
	return all
}

// Changes lists what differs from the node at another moment: what of the View, and then of what Show says. Without a Show
// it is each field of the object, but for those that the View has with the same values. Where a Snapshot names the
// state and there is no Show it is the View alone: fields of the object may differ then without a meaning.
func (n *Node[V]) Changes(before model.Node, names value.Names) []value.Change {
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
		return append(all, shownChanges(was.shown(), n.shown())...)
	case n.behind.core.snapshot != nil:
		return all
	}
	for _, c := range told(differences(was.lines(), n.lines())) {
		if !known[leaf(c)] {
			all = append(all, c)
		}
	}
	return all
}

func viewChanges(before, after any, names value.Names) []value.Change {
	if reflect.TypeOf(before).Elem().Kind() == reflect.Struct {
		return value.Diff(before, after, names)
	}
	b, a := viewed(before, names)[0], viewed(after, names)[0]
	if b == a {
		return nil
	}
	return []value.Change{{Field: b.Name, Before: b.Is, After: a.Is}}
}

// leaf is the last field of a path, however it is written, with its values.
func leaf(c value.Change) string {
	return strings.ToLower(c.Field[strings.LastIndexByte(c.Field, '.')+1:]) + " " + c.Before + " " + c.After
}

// Dump lists the fields of the object that are part of the snapshot, by their paths.
func (n *Node[V]) Dump() []value.Field {
	return fieldsOf(n.lines())
}

func fieldsOf(lines []line) (all []value.Field) {
	for _, l := range lines {
		all = append(all, value.Field{Name: l.path, Is: l.is})
	}
	return all
}

// lines is the dump of the object; nothing before Start.
func (n *Node[V]) lines() (all []line) {
	if n.Name != (Name{}) {
		o := n.behind.core.take(n.Name)
		all = n.behind.core.lines(o.value, false)
		n.behind.core.put(o)
	}
	return all
}

// viewed lists the fields of a View.
func viewed(view any, names value.Names) []value.Field {
	v := reflect.ValueOf(view).Elem()
	if v.Kind() == reflect.Struct {
		return value.Fields(view, names)
	}
	return []value.Field{{Name: "View", Is: value.Format(v.Interface(), names)}}
}

func blank(is string) bool {
	switch is {
	case "nil", "0", "false", `""`, "{}":
		return true
	}
	return false
}

// A telling is a change that is put together of those of an element's fields.
type telling struct {
	field         string
	before, after []string
}

func (t *telling) add(rest, before, after string) {
	for _, side := range []struct {
		of *[]string
		is string
	}{{&t.before, before}, {&t.after, after}} {
		switch {
		case side.is == gone:
		case rest == "":
			*side.of = append(*side.of, side.is)
		default:
			*side.of = append(*side.of, rest+": "+side.is)
		}
	}
}

func (t *telling) change() value.Change {
	text := func(parts []string) string {
		switch {
		case len(parts) == 0:
			return gone
		case len(parts) == 1 && !strings.Contains(parts[0], ": "):
			return parts[0]
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return value.Change{Field: t.field, Before: text(t.before), After: text(t.after)}
}

// told is a list of differences for people: an element that is new, or gone, is one of them. Neither is a
// length, nor that what was nil is empty.
func told(d []difference) (all []value.Change) {
	var list []*telling
	elements := map[string]*telling{}
	for _, one := range d {
		of, rest := one.path, ""
		if one.a == gone || one.b == gone {
			of, rest = element(one.path)
		}
		if strings.HasSuffix(one.path, ".len") || rest == "" && (one.a+one.b == "nil"+gone || one.a+one.b == gone+"nil") {
			continue // the elements tell
		}
		t := elements[of]
		if t == nil {
			t = &telling{field: of}
			elements[of], list = t, append(list, t)
		}
		t.add(rest, one.a, one.b)
	}
	for _, t := range list {
		all = append(all, t.change())
	}
	return all
}

// element splits a path after the first element on it.
func element(path string) (of, rest string) {
	of, rest, found := strings.Cut(path, "]")
	if !found {
		return path, ""
	}
	return of + "]", strings.TrimPrefix(rest, ".")
}
