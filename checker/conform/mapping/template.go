package mapping

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A form is a form of templates.
type form int

const (
	constant form = iota
	field         // "$path": a field of the line
	object        // {"name": template}; "..." has a template of more members
	list          // [template]
	choice        // {"$case": "$path", "value": template}
	repeat        // {"$each": "$path", "$do": template}: one value for each element of a list
	count         // {"$count": "$path"}: the length of a list
	optional      // {"$field": "$path", "$else": template}: a field of the line, or another value if it is missing
)

// A template makes a value of a line.
type template struct {
	form  form
	fixed any
	path  []string
	read  *branch // of the path, unless it is within an element of a list
	local bool    // the path begins at the element of $each
	names []string
	parts []*template
	skips []*branch // "$ignore": fields of the line that need no reader where the template is used
}

// mostDepth is the largest depth of a template with its parts.
const mostDepth = 32

// A compiler compiles templates of a table.
type compiler struct {
	table *Table
	parts map[string]json.RawMessage
	depth int
	size  int
}

// mostTemplates is the largest number of templates that a table stands for.
const mostTemplates = 1 << 14

func (c *compiler) raw(raw json.RawMessage) (*template, error) {
	if len(raw) == 0 {
		return nil, fmt.Errorf("the template is missing")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return c.template(v)
}

func (c *compiler) template(v any) (*template, error) {
	if c.size++; c.size > mostTemplates {
		return nil, fmt.Errorf("the table stands for more than %d templates", mostTemplates)
	}
	if c.depth++; c.depth > mostDepth {
		return nil, fmt.Errorf("templates are nested more than %d deep", mostDepth)
	}
	defer func() { c.depth-- }()
	switch v := v.(type) {
	case string:
		return c.text(v)
	case []any:
		t := &template{form: list}
		for _, e := range v {
			part, err := c.template(e)
			if err != nil {
				return nil, err
			}
			t.parts = append(t.parts, part)
		}
		return t, nil
	case map[string]any:
		return c.object(v)
	}
	return &template{fixed: v}, nil
}

// text compiles a string: "$path", "@part" or, with a doubled sign for one, itself.
func (c *compiler) text(s string) (*template, error) {
	switch {
	case strings.HasPrefix(s, "$$"), strings.HasPrefix(s, "@@"):
		return &template{fixed: s[1:]}, nil
	case strings.HasPrefix(s, "@"):
		raw, known := c.parts[s[1:]]
		if !known {
			return nil, fmt.Errorf("parts have no %.60q", s[1:])
		}
		return c.raw(raw)
	case strings.HasPrefix(s, "$."):
		return &template{form: field, path: pathOf(s[2:]), local: true}, nil
	case s == "$":
		return &template{form: field, local: true}, nil
	case strings.HasPrefix(s, "$"):
		path := pathOf(s[1:])
		return &template{form: field, path: path, read: c.table.read.at(path)}, nil
	}
	return &template{fixed: s}, nil
}

func (c *compiler) object(v map[string]any) (*template, error) {
	t := &template{form: object}
	for _, name := range []string{"$case", "$each", "$count", "$field"} {
		given, is := v[name]
		if !is {
			continue
		}
		path, is := given.(string)
		from, err := c.text(path)
		if !is || err != nil || from.form != field {
			return nil, fmt.Errorf(`%s is not "$" and a path`, name)
		}
		*t = *from
		t.form = map[string]form{"$case": choice, "$each": repeat, "$count": count, "$field": optional}[name]
		delete(v, name)
		break
	}
	if paths, given := v["$ignore"]; given {
		delete(v, "$ignore")
		all, is := paths.([]any)
		for _, one := range all {
			path, text := one.(string)
			is = is && text
			t.skips = append(t.skips, c.table.read.at(pathOf(path)))
		}
		if !is {
			return nil, fmt.Errorf("$ignore is not a list of paths")
		}
	}
	for name := range v {
		t.names = append(t.names, name)
	}
	slices.Sort(t.names)
	for _, name := range t.names {
		part, err := c.template(v[name])
		if err != nil {
			return nil, fmt.Errorf("%.60s: %w", name, err)
		}
		t.parts = append(t.parts, part)
	}
	switch {
	case t.form == repeat && !slices.Equal(t.names, []string{"$do"}):
		return nil, fmt.Errorf("$each needs $do, and no other member")
	case t.form == optional && !slices.Equal(t.names, []string{"$else"}):
		return nil, fmt.Errorf("$field needs $else, and no other member")
	case t.form == count && len(t.names) > 0:
		return nil, fmt.Errorf("$count has no other member, but there is %.60q", t.names[0])
	}
	return t, nil
}

func pathOf(s string) []string { return strings.Split(s, ".") }

func joined(path []string) string { return strings.Join(path, ".") }

// An evaluation makes values of one line.
type evaluation struct {
	table   *Table
	line    any
	element any // of $each
	size    int
}

// mostValues is the largest number of values in the entries of one line.
const mostValues = 1 << 16

func (e *evaluation) value(t *template) (any, error) {
	if e.size++; e.size > mostValues {
		return nil, fmt.Errorf("the entries of the line have more than %d values", mostValues)
	}
	for _, b := range t.skips {
		b.line = e.table.line
	}
	switch t.form {
	case field:
		return e.field(t)
	case object:
		return e.object(t)
	case list:
		all := make([]any, 0, len(t.parts))
		for _, part := range t.parts {
			v, err := e.value(part)
			if err != nil {
				return nil, err
			}
			if more, is := v.([]any); is && part.form == repeat {
				all = append(all, more...)
			} else {
				all = append(all, v)
			}
		}
		return all, nil
	case choice:
		v, err := e.field(t)
		if err != nil {
			return nil, err
		}
		i, found := slices.BinarySearch(t.names, fmt.Sprint(v))
		if !found {
			return nil, fmt.Errorf("%s is %.60q, and the table has no case for it", joined(t.path), fmt.Sprint(v))
		}
		return e.value(t.parts[i])
	case repeat:
		return e.repeat(t)
	case optional:
		if v, err := e.field(t); err == nil {
			return v, nil
		}
		return e.value(t.parts[0])
	case count:
		all, err := e.list(t)
		return json.Number(strconv.Itoa(len(all))), err
	}
	return t.fixed, nil
}

func (e *evaluation) object(t *template) (any, error) {
	all := make(map[string]any, len(t.names)+1)
	for i, name := range t.names {
		v, err := e.value(t.parts[i])
		if err != nil {
			return nil, err
		}
		if name != "..." {
			all[name] = v
			continue
		}
		more, is := v.(map[string]any)
		if !is {
			return nil, fmt.Errorf("... is not an object")
		}
		for name, v := range more {
			all[name] = v
		}
	}
	return all, nil
}

// repeat makes a value for each element of a list. A list among them is joined to the values.
func (e *evaluation) repeat(t *template) (any, error) {
	all, err := e.list(t)
	if err != nil {
		return nil, err
	}
	before := e.element
	defer func() { e.element = before }()
	made := []any{}
	for _, e.element = range all {
		v, err := e.value(t.parts[0])
		if err != nil {
			return nil, err
		}
		if more, is := v.([]any); is {
			made = append(made, more...)
		} else {
			made = append(made, v)
		}
	}
	return made, nil
}

func (e *evaluation) list(t *template) ([]any, error) {
	v, err := e.field(t)
	if err != nil {
		return nil, err
	}
	all, is := v.([]any)
	if !is {
		return nil, fmt.Errorf("%s is not a list", joined(t.path))
	}
	return all, nil
}

// field returns a field of the line, or of the present element, and marks it as read.
func (e *evaluation) field(t *template) (any, error) {
	if t.local {
		return follow(e.element, t.path)
	}
	t.read.line = e.table.line
	return follow(e.line, t.path)
}

// value returns a field of a line, and marks it as read.
func (t *Table) value(of any, path []string) (any, error) {
	t.read.at(path).line = t.line
	return follow(of, path)
}

// follow returns the value at a path. A number in a path is an index of a list.
func follow(v any, path []string) (any, error) {
	for i, name := range path {
		switch in := v.(type) {
		case map[string]any:
			next, is := in[name]
			if !is {
				return nil, fmt.Errorf("field %.80s is missing", joined(path[:i+1]))
			}
			v = next
		case []any:
			at, err := strconv.Atoi(name)
			if err != nil || at < 0 || at >= len(in) {
				return nil, fmt.Errorf("field %.80s is missing", joined(path[:i+1]))
			}
			v = in[at]
		default:
			return nil, fmt.Errorf("field %.80s is missing", joined(path[:i+1]))
		}
	}
	return v, nil
}
