package conform

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
)

// A Vocabulary reads, writes and compares what steps of an implementation show, in the form of a log's entries. It
// is for those who take the steps themselves, see package drive.
type Vocabulary struct {
	book  *book
	write *writer
}

// NewVocabulary returns the vocabulary of a system.
func NewVocabulary(s *model.System) *Vocabulary { return &Vocabulary{newBook(s), &writer{system: s}} }

// Node returns the node of a name.
func (v *Vocabulary) Node(name string) (model.NodeID, bool) {
	id, ok := v.book.decoder.nodes[name]
	return id, ok
}

// Value returns a value as the object with its type and value, for JSON; nil for nil.
func (v *Vocabulary) Value(x any) any {
	if s := v.write.shown(x); s != nil {
		return s
	}
	return nil
}

// Received returns a received message as an object, for JSON. The id, unless nil, is that of the message in the
// implementation.
func (v *Vocabulary) Received(from model.NodeID, m any, id json.RawMessage) any {
	all := map[string]any{"from": v.write.system.Name(from), "type": "nil", "value": nil}
	if s := v.write.shown(m); s != nil {
		all["type"], all["value"] = s.Type, s.Value
	}
	if id != nil {
		all["id"] = id
	}
	return all
}

// An Answer is what a step of an implementation shows.
type Answer struct {
	entry  entry
	ids    []any     // of the sent messages; nil for a message without an id
	alarms []pattern // nil if they are not shown
}

// Text returns the answer as text, for people.
func (a *Answer) Text() string { return a.entry.text }

// A Sent is a sent message. ID is its identity in the implementation, or nil.
type Sent struct {
	To    model.NodeID
	Value any
	ID    any
}

// A Shown is what a step of a node shows, as values.
type Shown struct {
	Sends []Sent
	// Notes has the notes in order; nil means that notes are not shown.
	Notes []any
	// Returned reports that an operation returned, with Result.
	Returned bool
	Result   any
	// Alarms has the keys of all alarms that are set after the step; nil means that they are not shown.
	Alarms []any
	// State has fields of the node's state after the step, by name.
	State map[string]any
}

// Read reads an answer in JSON: an object with any of the members send, note, result and after of a log's entry, and
// alarms: the keys of all alarms that are set. A sent message may have an id. The error is a sentence on the JSON.
func (v *Vocabulary) Read(node model.NodeID, members map[string]json.RawMessage) (*Answer, error) {
	a := &Answer{entry: entry{node: node}}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		err := error(nil)
		switch name {
		case "send":
			err = each(members[name], func(raw json.RawMessage) error { return v.sent(a, raw) })
		case "alarms":
			a.alarms = []pattern{}
			err = each(members[name], func(raw json.RawMessage) error {
				p, err := v.book.decoder.pattern(raw)
				a.alarms = append(a.alarms, p)
				return err
			})
		case "note", "result", "after":
			err = v.book.member(&a.entry, name, members[name])
		default:
			err = fmt.Errorf("the field is not known: an answer has send, note, result, after and alarms")
		}
		if err != nil {
			return nil, fmt.Errorf("%.60s: %w", name, err)
		}
	}
	if members["note"] != nil && a.entry.notes == nil {
		a.entry.notes = []pattern{}
	}
	a.entry.text = short([]byte(plainText(members)))
	return a, nil
}

// sent reads a sent message.
func (v *Vocabulary) sent(a *Answer, raw json.RawMessage) error {
	members, err := objectOf(raw)
	if err != nil {
		return err
	}
	var id any
	if members["id"] != nil {
		id = members["id"]
		delete(members, "id")
	}
	if members["to"] == nil {
		return fmt.Errorf("field to is missing")
	}
	rest, _ := json.Marshal(members) // cannot fail: members of a valid object
	to, what, err := v.book.decoder.message(rest, "to")
	if err != nil {
		return err
	}
	a.entry.sends, a.ids = append(a.entry.sends, sent{to, what}), append(a.ids, id)
	return nil
}

// plainText returns an object as JSON, with members in alphabetic order.
func plainText(members map[string]json.RawMessage) string {
	raw, _ := json.Marshal(members) // cannot fail: members of a valid object
	return string(raw)
}

// Exactly returns the answer that shows given values. The error is a sentence on a field that the node does not have,
// or on its type.
func (v *Vocabulary) Exactly(node model.NodeID, s Shown) (*Answer, error) {
	a := &Answer{entry: entry{node: node}}
	for _, m := range s.Sends {
		if m.To < 0 || int(m.To) >= len(v.book.states) {
			return nil, fmt.Errorf("a message is sent to node %d, but there are %d", m.To, len(v.book.states))
		}
		a.entry.sends, a.ids = append(a.entry.sends, sent{m.To, patternOf(m.Value)}), append(a.ids, m.ID)
	}
	if s.Notes != nil {
		a.entry.notes = []pattern{}
	}
	for _, n := range s.Notes {
		a.entry.notes = append(a.entry.notes, patternOf(n))
	}
	if s.Alarms != nil {
		a.alarms = []pattern{}
	}
	for _, k := range s.Alarms {
		a.alarms = append(a.alarms, patternOf(k))
	}
	if s.Returned {
		p := patternOf(s.Result)
		a.entry.result = &p
	}
	for _, name := range slices.Sorted(maps.Keys(s.State)) {
		f, ok := v.book.states[node].FieldByName(name)
		if !ok || !f.IsExported() {
			return nil, fmt.Errorf("state: %s has no field %.60q", v.book.states[node], name)
		}
		if t := reflect.TypeOf(s.State[name]); t != f.Type && (t == nil || f.Type.Kind() != reflect.Interface) {
			return nil, fmt.Errorf("state: field %s is a %v, not a %v", name, f.Type, t)
		}
		a.entry.after.fields = append(a.entry.after.fields, name)
		a.entry.after.values = append(a.entry.after.values, value.Canonical(s.State[name]))
		a.entry.after.texts = append(a.entry.after.texts, describe.Value(s.State[name], v.write.system.Name))
	}
	a.entry.text = short([]byte(v.text(s)))
	return a, nil
}

// patternOf returns the pattern that only an equal value fits.
func patternOf(v any) (p pattern) {
	p.exact = true
	if p.typ = reflect.TypeOf(v); p.typ == nil {
		return p
	}
	for _, name := range fieldsOf(p.typ) {
		p.fields, p.values = append(p.fields, name), append(p.values, fieldOf(v, name))
	}
	return p
}

// text returns what is shown as JSON, in the form of an entry.
func (v *Vocabulary) text(s Shown) string {
	l := map[string]any{}
	var sends []shown
	for _, m := range s.Sends {
		one := shown{Type: "nil"}
		if x := v.write.shown(m.Value); x != nil {
			one = *x
		}
		one.To = v.write.system.Name(m.To)
		sends = append(sends, one)
	}
	if sends != nil {
		l["send"] = sends
	}
	if s.Notes != nil {
		notes := []any{}
		for _, n := range s.Notes {
			notes = append(notes, v.Value(n))
		}
		l["note"] = notes
	}
	if s.Returned {
		l["result"] = v.Value(s.Result)
	}
	if s.Alarms != nil {
		keys := []any{}
		for _, k := range s.Alarms {
			keys = append(keys, v.Value(k))
		}
		l["alarms"] = keys
	}
	after := map[string]any{}
	for name, x := range s.State {
		after[name] = v.write.tree(reflect.ValueOf(x))
	}
	if len(after) > 0 {
		l["after"] = after
	}
	raw, err := json.Marshal(l)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
