// Package mapping turns lines of a log as its system writes them into entries that package conform reads.
// A [Table] is data: for each kind of line, it has a template of the entry.
//
//   - mapping.go: tables and their use
//   - template.go: templates, and what they make of a line
//   - silent.go: what no entry of a table has
//   - unread.go: fields of a line that no template reads
package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// A Table maps lines to entries. It cannot be used by two goroutines at once.
type Table struct {
	kind      []string // the path of a line's kind; nil if all lines have the template of ""
	object    []string // the path of the object in a line that stands for it, if the line has one
	node      *template
	text      []*regexp.Regexp // of lines that are no JSON
	skip      bool             // a line of text that no expression fits is left out
	templates map[string]*template
	read      *branch // what templates read of the present line
	line      int64   // the number of the present line
}

// A tableJSON is a table as its file has it.
type tableJSON struct {
	Object  string                     `json:"object"`
	Kind    string                     `json:"kind"`
	Node    json.RawMessage            `json:"node"`
	Text    []string                   `json:"text"`
	Others  string                     `json:"others"`
	Ignore  []string                   `json:"ignore"`
	Parts   map[string]json.RawMessage `json:"parts"`
	Entries map[string]json.RawMessage `json:"entries"`
}

// Read reads a table. The error is a sentence that names the field and the rule. docs/conform.md describes the format.
func Read(file []byte) (*Table, error) {
	var from tableJSON
	d := json.NewDecoder(bytes.NewReader(file))
	d.DisallowUnknownFields()
	if err := d.Decode(&from); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the table has something after its object")
	}
	if len(from.Entries) == 0 {
		return nil, fmt.Errorf("entries: the table has none")
	}
	if from.Others != "" && from.Others != "skip" {
		return nil, fmt.Errorf("others is %.40q, but may only be skip", from.Others)
	}
	t := &Table{skip: from.Others == "skip", templates: map[string]*template{}, read: &branch{}}
	for _, text := range from.Text {
		r, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("text: %w", err)
		}
		t.text = append(t.text, r)
	}
	if from.Object != "" {
		t.object = pathOf(from.Object)
	}
	if from.Kind != "" {
		t.kind = pathOf(from.Kind)
	} else if len(from.Entries) != 1 || from.Entries[""] == nil {
		return nil, fmt.Errorf(`kind is missing; without it, the only name in entries is ""`)
	}
	for _, path := range from.Ignore {
		t.read.at(pathOf(path)).ignored = true
	}
	return t, t.compile(from)
}

// compile compiles the templates of a table.
func (t *Table) compile(from tableJSON) (err error) {
	c := compiler{table: t, parts: from.Parts}
	if t.node, err = c.raw(from.Node); err != nil {
		return fmt.Errorf("node: %w", err)
	}
	for kind, raw := range from.Entries {
		if string(raw) == "null" {
			t.templates[kind] = nil
			continue
		}
		made, err := c.raw(raw)
		if err != nil {
			return fmt.Errorf("entries: %.60s: %w", kind, err)
		}
		if made.form != object && made.form != choice && made.form != list {
			return fmt.Errorf("entries: %.60s is not an object, a list of objects, or null", kind)
		}
		t.templates[kind] = made
	}
	return nil
}

// Entries returns the entries of a line, as JSON; none if the line is left out. The error is a sentence that names the field
// and the rule.
func (t *Table) Entries(line []byte) ([][]byte, error) {
	t.line++
	of, err := t.parse(line)
	if of == nil || err != nil {
		return nil, err
	}
	if of, err = t.inner(of); err != nil {
		return nil, err
	}
	kind := ""
	if t.kind != nil {
		v, err := t.value(of, t.kind)
		if err != nil {
			return nil, err
		}
		var is bool
		if kind, is = v.(string); !is {
			return nil, fmt.Errorf("%s is not a string", joined(t.kind))
		}
	}
	made, known := t.templates[kind]
	switch {
	case !known:
		return nil, fmt.Errorf("%s is %.60q, and the table has no entry for it", joined(t.kind), kind)
	case made == nil:
		return nil, nil
	}
	return t.made(made, of)
}

// inner returns the object in a line that stands for it; the line, if it has none.
func (t *Table) inner(line any) (any, error) {
	if t.object == nil {
		return line, nil
	}
	v, err := follow(line, t.object)
	if err != nil {
		return line, nil
	}
	if _, is := v.(map[string]any); !is {
		return nil, fmt.Errorf("%s is not an object", joined(t.object))
	}
	return v, nil
}

// made returns the entries of a template.
func (t *Table) made(from *template, of any) (all [][]byte, err error) {
	e := evaluation{table: t, line: of}
	node, err := e.value(t.node)
	if err != nil {
		return nil, err
	}
	v, err := e.value(from)
	if err != nil {
		return nil, err
	}
	each, several := v.([]any)
	if !several {
		each = []any{v}
	}
	for _, one := range each {
		members, is := one.(map[string]any)
		if !is {
			return nil, fmt.Errorf("an entry of the table is not an object")
		}
		members["node"] = node
		out, err := json.Marshal(members)
		if err != nil {
			return nil, err
		}
		all = append(all, out)
	}
	if path := t.unread(of, t.read, ""); path != "" {
		return nil, fmt.Errorf("field %.80s is not read by the table; ignore names fields that are left out", path)
	}
	return all, nil
}

// parse returns the object of a line: that of its JSON, or the named groups of the first expression that fits it. It is nil if
// the line is left out.
func (t *Table) parse(line []byte) (any, error) {
	if t.text == nil {
		var of map[string]any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&of); err != nil || of == nil {
			return nil, fmt.Errorf("%.60q is not a JSON object", line)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("there is something after the JSON object")
		}
		return of, nil
	}
	for _, r := range t.text {
		found := r.FindSubmatch(line)
		if found == nil {
			continue
		}
		of := map[string]any{}
		for i, name := range r.SubexpNames() {
			if name != "" && found[i] != nil {
				of[name] = string(found[i])
			}
		}
		return of, nil
	}
	if t.skip {
		return nil, nil
	}
	return nil, fmt.Errorf("%.60q fits no expression of the table", line)
}
