package diff

import (
	"strings"

	"contend/model/describe"
	"contend/model/foreign/dump"
	"contend/model/foreign/reach"
)

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

func (t *telling) change() describe.Change {
	text := func(parts []string) string {
		switch {
		case len(parts) == 0:
			return gone
		case len(parts) == 1 && !strings.Contains(parts[0], ": "):
			return parts[0]
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return describe.Change{Field: t.field, Before: text(t.before), After: text(t.after)}
}

// Changes is a list of the differences between two dumps for people: an element that is new, or gone, is one of them, with all that is in
// it. Neither is a length, nor that what was nil is empty.
func Changes(before, after []dump.Line) (all []describe.Change) {
	var list []*telling
	elements, was, is := map[string]*telling{}, elementsOf(before), elementsOf(after)
	for _, one := range Between(before, after) {
		of, rest := one.Path, ""
		switch {
		case one.A == gone:
			of, rest = outermost(one.Path, was)
		case one.B == gone:
			of, rest = outermost(one.Path, is)
		}
		if strings.HasSuffix(one.Path, ".len") || rest == "" && (one.A+one.B == "nil"+gone || one.A+one.B == gone+"nil") {
			continue // the elements tell
		}
		t := elements[of]
		if t == nil {
			t = &telling{field: of}
			elements[of], list = t, append(list, t)
		}
		t.add(rest, one.A, one.B)
	}
	for _, t := range list {
		all = append(all, t.change())
	}
	return all
}

// elementsOf are the paths of all elements of a dump.
func elementsOf(lines []dump.Line) map[string]bool {
	all := map[string]bool{}
	for _, l := range lines {
		for _, of := range elementsOn(l.Path) {
			all[of] = true
		}
	}
	return all
}

// elementsOn are the paths of the elements on a path, the outermost first.
func elementsOn(path string) (all []string) {
	at := 0
	for _, step := range reach.Steps(path) {
		if strings.HasPrefix(path[at:], ".") {
			at++
		}
		if at += len(step); strings.HasPrefix(step, "[") {
			all = append(all, path[:at])
		}
	}
	return all
}

// outermost splits a path behind the first element on it that another dump has not.
func outermost(path string, others map[string]bool) (of, rest string) {
	for _, of := range elementsOn(path) {
		if !others[of] {
			return of, strings.TrimPrefix(path[len(of):], ".")
		}
	}
	return path, ""
}
