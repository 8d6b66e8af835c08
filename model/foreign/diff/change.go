package diff

import (
	"strings"

	"contend/model/describe"
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

// Changes is a list of differences for people: an element that is new, or gone, is one of them. Neither is a
// length, nor that what was nil is empty.
func Changes(d []Difference) (all []describe.Change) {
	var list []*telling
	elements := map[string]*telling{}
	for _, one := range d {
		of, rest := one.Path, ""
		if one.A == gone || one.B == gone {
			of, rest = element(one.Path)
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

// element splits a path after the first element on it.
func element(path string) (of, rest string) {
	of, rest, found := strings.Cut(path, "]")
	if !found {
		return path, ""
	}
	return of + "]", strings.TrimPrefix(rest, ".")
}
