package diff

import (
	"strings"

	"contend/model/describe"
	"contend/model/foreign/dump"
	"contend/model/foreign/reach"
)

// An elementChange is a change of an element, combined from the changes of its fields.
type elementChange struct {
	field         string
	before, after []string
}

func (t *elementChange) add(rest, before, after string) {
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

func (t *elementChange) change() describe.Change {
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

// Changes returns the differences of two dumps for people. An element that is new or removed is a single change
// with all its fields. Changes of lengths, and from nil to empty, are omitted.
func Changes(before, after []dump.Line) (all []describe.Change) {
	var list []*elementChange
	elements, was, is := map[string]*elementChange{}, elementsOf(before), elementsOf(after)
	for _, one := range Between(before, after) {
		element, rest := one.Path, ""
		switch {
		case one.A == gone:
			element, rest = outermost(one.Path, was)
		case one.B == gone:
			element, rest = outermost(one.Path, is)
		}
		if strings.HasSuffix(one.Path, ".len") || rest == "" && (one.A+one.B == "nil"+gone || one.A+one.B == gone+"nil") {
			continue // its elements are changes
		}
		t := elements[element]
		if t == nil {
			t = &elementChange{field: element}
			elements[element], list = t, append(list, t)
		}
		t.add(rest, one.A, one.B)
	}
	for _, t := range list {
		all = append(all, t.change())
	}
	return all
}

// elementsOf returns the paths of all elements of a dump.
func elementsOf(lines []dump.Line) map[string]bool {
	all := map[string]bool{}
	for _, l := range lines {
		for _, element := range elementsOn(l.Path) {
			all[element] = true
		}
	}
	return all
}

// elementsOn returns the paths of the elements on a path, the outermost first.
func elementsOn(path string) (all []string) {
	end := 0
	for _, step := range reach.Steps(path) {
		if strings.HasPrefix(path[end:], ".") {
			end++
		}
		if end += len(step); strings.HasPrefix(step, "[") {
			all = append(all, path[:end])
		}
	}
	return all
}

// outermost splits a path after the first element on it that the other dump does not have.
func outermost(path string, others map[string]bool) (element, rest string) {
	for _, element := range elementsOn(path) {
		if !others[element] {
			return element, strings.TrimPrefix(path[len(element):], ".")
		}
	}
	return path, ""
}
