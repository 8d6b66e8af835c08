package conform

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"contend/model"
)

// A kind is a kind of what an entry shows.
type kind int

// The kinds. The first few are steps of a node.
const (
	none kind = iota
	receive
	alarm
	call
	start
	crash
	gap
	result
	send
	note
	kindCount
)

// An entry is one line of a log.
type entry struct {
	file, line int
	node       model.NodeID
	step       kind         // none, receive, alarm, call, start, crash or gap
	peer       model.NodeID // the sender of a received message; -1 if the entry does not have it
	what       pattern      // the message, key or call
	sends      []sent
	notes      []pattern
	result     *pattern
	choices    []int // of the step's handler; nil if the entry does not have them
	continues  bool  // the entry is no step if the step before has yet to show what it shows
	unique     bool  // all messages from the peer that fit are equal
	before     look
	after      look
	text       string
}

// A sent is a sent message in a log.
type sent struct {
	to   model.NodeID // -1 if the entry does not have it
	what pattern
}

// silent reports whether the entry has no step of a handler.
func (e *entry) silent() bool { return e.step == none }

// mostText is the length of an entry's text for people.
const mostText = 200

// entry parses a line.
func (b *book) entry(line []byte) (e entry, err error) {
	members, err := objectOf(line)
	if err != nil {
		return e, err
	}
	if members["node"] == nil {
		return e, fmt.Errorf("field node is missing")
	}
	if e.node, err = b.decoder.node(members["node"]); err != nil {
		return e, fmt.Errorf("node: %w", err)
	}
	if b.states[e.node] == nil {
		return e, fmt.Errorf("node %s is Byzantine, so its log means nothing", b.system.Name(e.node))
	}
	delete(members, "node")
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if b.ignored[name] {
			continue
		}
		if err := b.member(&e, name, members[name]); err != nil {
			return e, fmt.Errorf("%s: %w", name, err)
		}
	}
	switch {
	case e.choices != nil && e.step != receive && e.step != alarm && e.step != call:
		return e, fmt.Errorf("choices: only receive, alarm and call have choices")
	case e.continues && (e.step != receive && e.step != alarm && e.step != call || len(e.sends)+len(e.notes) == 0):
		return e, fmt.Errorf("continues: the entry needs a step, and a send or a note")
	case e.unique && (e.step != receive || e.peer < 0):
		return e, fmt.Errorf("unique: the entry needs receive with from")
	}
	e.text = short(line)
	return e, nil
}

// short returns a line for people.
func short(line []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(line[:min(len(line), 4*mostText)]), "\uFFFD"))
	if runes := []rune(text); len(runes) > mostText || len(line) > 4*mostText {
		text = string(runes[:min(len(runes), mostText)]) + "…"
	}
	return text
}

// steps maps the names of fields to the steps that they stand for.
var steps = map[string]kind{"receive": receive, "alarm": alarm, "call": call, "start": start, "crash": crash, "gap": gap}

// member parses one field of an entry.
func (b *book) member(e *entry, name string, raw json.RawMessage) (err error) {
	if b.silent[silentKinds[name]] {
		return fmt.Errorf("the log is said to have no such field")
	}
	if step, is := steps[name]; is {
		if e.step != none {
			return fmt.Errorf("an entry has one step, but there are two")
		}
		e.step, b.kinds[step] = step, true
		b.gaps = b.gaps || step == gap || !b.unbuffered && (step == crash || step == start && b.entries[e.node].end() > 0)
	}
	d := b.decoder
	switch name {
	case "receive":
		e.peer, e.what, err = d.message(raw, "from")
	case "alarm", "call":
		e.what, err = d.pattern(raw)
	case "start", "crash", "gap", "continues", "unique":
		if string(raw) != "true" {
			err = fmt.Errorf("%.60s is not true", raw)
		}
		e.continues, e.unique = e.continues || name == "continues", e.unique || name == "unique"
	case "choices":
		e.choices, err = d.choices(raw)
	case "send":
		b.kinds[send] = true
		err = each(raw, func(one json.RawMessage) error {
			to, what, err := d.message(one, "to")
			e.sends = append(e.sends, sent{to, what})
			return err
		})
	case "note":
		b.kinds[note] = true
		err = each(raw, func(one json.RawMessage) error {
			what, err := d.pattern(one)
			e.notes = append(e.notes, what)
			return err
		})
	case "result":
		b.kinds[result] = true
		var what pattern
		what, err = d.pattern(raw)
		e.result = &what
	case "before":
		e.before, err = b.look(e.node, raw)
	case "after":
		e.after, err = b.look(e.node, raw)
	default:
		err = fmt.Errorf("the field is not known; --ignore %.60s leaves it out", name)
	}
	return err
}

// choices parses a list of numbers, or of their decimal strings.
func (d *decoder) choices(raw json.RawMessage) (all []int, err error) {
	v, err := d.value(raw, reflect.TypeFor[[]int]())
	if err != nil {
		return nil, err
	}
	all = append([]int{}, v.Interface().([]int)...)
	if len(all) > mostShown {
		return nil, fmt.Errorf("there are %d, but an entry has at most %d", len(all), mostShown)
	}
	for _, c := range all {
		if c < 0 {
			return nil, fmt.Errorf("%d is less than 0", c)
		}
	}
	return all, nil
}

// mostShown is the largest number of sent messages or notes in an entry.
const mostShown = 1 << 12

// each calls f for a value, or for each of a list.
func each(raw json.RawMessage, f func(json.RawMessage) error) error {
	if len(raw) == 0 || raw[0] != '[' {
		return f(raw)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	if len(list) > mostShown {
		return fmt.Errorf("there are %d, but an entry has at most %d", len(list), mostShown)
	}
	for _, one := range list {
		if err := f(one); err != nil {
			return err
		}
	}
	return nil
}

// message parses an object with the members type, value and the peer's. All but the type may be missing.
func (d *decoder) message(raw json.RawMessage, peer string) (id model.NodeID, p pattern, err error) {
	s, err := d.messages.of(peer, raw, func() (s sent, err error) {
		s.to, s.what, err = d.newMessage(raw, peer)
		return s, err
	})
	return s.to, s.what, err
}

func (d *decoder) newMessage(raw json.RawMessage, peer string) (id model.NodeID, p pattern, err error) {
	members, err := objectOf(raw)
	if err != nil {
		return 0, p, err
	}
	id = -1
	if members[peer] != nil {
		if id, err = d.node(members[peer]); err != nil {
			return 0, p, fmt.Errorf("%s: %w", peer, err)
		}
		delete(members, peer)
	}
	rest, _ := json.Marshal(members) // cannot fail: members of a valid object
	p, err = d.pattern(rest)
	return id, p, err
}

// look parses fields of a node's state.
func (b *book) look(id model.NodeID, raw json.RawMessage) (look, error) {
	looks := b.decoder.looks[b.states[id]]
	if looks == nil {
		looks = &memo[look]{}
		b.decoder.looks[b.states[id]] = looks
	}
	return looks.of("", raw, func() (look, error) { return b.newLook(id, raw) })
}

func (b *book) newLook(id model.NodeID, raw json.RawMessage) (l look, err error) {
	if l.fields, l.values, err = b.decoder.fields(raw, b.states[id]); err != nil {
		return l, err
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members) // cannot fail: fields has read it
	for _, name := range l.fields {
		l.texts = append(l.texts, fmt.Sprintf("%.60s", members[name]))
	}
	return l, nil
}
