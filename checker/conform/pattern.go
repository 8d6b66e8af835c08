package conform

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/model/describe"
	"contend/model/value"
)

// A pattern is the type of a value and some of its fields. It fits a value of the type with equal fields.
type pattern struct {
	typ    reflect.Type // nil is the type of nil
	fields []string     // names of fields, sorted; whole if the value is given and is not a struct
	values []string     // canonical forms of the fields
	exact  bool         // only one value fits
}

// whole stands for the fields of a value that is not a struct.
const whole = "."

// pattern compiles an object with the members type and value, or null.
func (d *decoder) pattern(raw json.RawMessage) (pattern, error) {
	return d.patterns.of("", raw, func() (pattern, error) { return d.newPattern(raw) })
}

func (d *decoder) newPattern(raw json.RawMessage) (p pattern, err error) {
	if string(raw) == "null" {
		return pattern{exact: true}, nil
	}
	var given json.RawMessage
	if p.typ, given, err = d.typeAndValue(raw); err != nil {
		return p, err
	}
	if given != nil {
		p.fields, p.values, err = d.fields(given, p.typ)
	}
	p.exact = !slices.ContainsFunc(fieldsOf(p.typ), func(name string) bool { return !slices.Contains(p.fields, name) })
	return p, err
}

// fields compiles the given fields of a struct, or a whole value of another type.
func (d *decoder) fields(raw json.RawMessage, t reflect.Type) (fields, values []string, err error) {
	if t.Kind() != reflect.Struct {
		v, err := d.value(raw, t)
		if err != nil {
			return nil, nil, err
		}
		return []string{whole}, []string{value.Canonical(v.Interface())}, nil
	}
	members, err := objectOf(raw)
	if err != nil {
		return nil, nil, err
	}
	for name := range members {
		fields = append(fields, name)
	}
	slices.Sort(fields)
	for _, name := range fields {
		of, ok := typeOfField(t, name)
		if !ok {
			return nil, nil, fmt.Errorf("%s has no field %.60q", t, name)
		}
		v, err := d.value(members[name], of)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		values = append(values, value.Canonical(v.Interface()))
	}
	return fields, values, nil
}

// fieldsOf returns the names of the fields that a value of a type has in a log.
func fieldsOf(t reflect.Type) (names []string) {
	if t.Kind() != reflect.Struct {
		return []string{whole}
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			names = append(names, f.Name)
		}
	}
	return names
}

// A shape is a type with names of fields. Values of a type that fit the same patterns of a shape have the same
// key.
type shape struct {
	typ    reflect.Type
	fields string
}

func (p *pattern) shape() shape { return shape{p.typ, strings.Join(p.fields, " ")} }

func (p *pattern) key() string { return joined(p.values) }

// joined encodes a list of strings in one string.
func joined(all []string) string {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%d:%s", len(s), s)
	}
	return b.String()
}

// key returns the key of a value in a shape. It reports false for a value of another type.
func (s shape) key(v any) (string, bool) {
	if reflect.TypeOf(v) != s.typ {
		return "", false
	}
	var values []string
	for _, name := range strings.Fields(s.fields) {
		values = append(values, fieldOf(v, name))
	}
	return joined(values), true
}

// fieldOf returns the canonical form of a field of a value.
func fieldOf(v any, name string) string {
	if name == whole {
		return value.Canonical(v)
	}
	return value.Canonical(fieldValue(v, name))
}

// differs returns the first field of a value that differs from the pattern, "type" for a value of another type,
// or "" if the value fits.
func (p *pattern) differs(v any) string {
	if reflect.TypeOf(v) != p.typ {
		return "type"
	}
	for i, name := range p.fields {
		if fieldOf(v, name) != p.values[i] {
			return name
		}
	}
	return ""
}

func (p *pattern) fits(v any) bool { return p.differs(v) == "" }

// distance returns the number of fields of a value that differ from the pattern; a type counts more than all
// fields.
func (p *pattern) distance(v any) (n int) {
	if reflect.TypeOf(v) != p.typ {
		return 1 << 10
	}
	for i, name := range p.fields {
		if fieldOf(v, name) != p.values[i] {
			n++
		}
	}
	return n
}

// typeName returns the name of the pattern's type.
func (p *pattern) typeName() string {
	if p.typ == nil {
		return "nil"
	}
	return p.typ.String()
}

// A look is a list of fields of a node's state, with their values in a log.
type look struct {
	fields []string
	values []string
	texts  []string // as the log has them
}

// differs returns the first field of a node that differs, with the page's value as text; "" if none does.
func (l *look) differs(node any, names describe.Names) (field, log, page string) {
	for i, name := range l.fields {
		if fieldOf(node, name) != l.values[i] {
			return name, l.texts[i], describe.Value(fieldValue(node, name), names)
		}
	}
	return "", "", ""
}
