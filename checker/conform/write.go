package conform

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// A line is an entry as [Write] writes it.
type line struct {
	Node    string          `json:"node"`
	Start   bool            `json:"start,omitempty"`
	Crash   bool            `json:"crash,omitempty"`
	Receive *shown          `json:"receive,omitempty"`
	Alarm   json.RawMessage `json:"alarm,omitempty"` // null for nil, as Call and Result
	Call    json.RawMessage `json:"call,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Send    []shown         `json:"send,omitempty"`
	Note    []*shown        `json:"note,omitempty"`
	After   stateJSON       `json:"after,omitempty"`
}

type stateJSON map[string]any

// A shown is a value in an entry, with the peer of a message.
type shown struct {
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	Type  string `json:"type"`
	Value any    `json:"value"`
}

// Write writes the log of an untimed run: an entry for each step of a node, in the order of the run.
func Write(out io.Writer, p *model.Protocol, t *traces.Trace) error {
	s, err := p.System(t.Variant, t.Config.Model())
	if err != nil {
		return err
	}
	if t.Timed() {
		return fmt.Errorf("the run has times, and a log has none")
	}
	w := &writer{system: s, nodes: map[string]model.NodeID{}, to: bufio.NewWriter(out)}
	for i, n := range s.Nodes {
		w.nodes[n.Name] = model.NodeID(i)
	}
	r, err := newRerun(s, nil, t.Boot, world.Options{Trace: true, Sending: func(from, to model.NodeID, m any) {
		w.sent = append(w.sent, transmission{from, to, m})
	}})
	if err != nil {
		return err
	}
	w.boot(r.world)
	for i, step := range t.Steps {
		x, err := w.named(r, step)
		if err == nil {
			err = w.step(r, x)
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return w.to.Flush()
}

// A writer writes the entries of a run.
type writer struct {
	system *model.System
	nodes  map[string]model.NodeID
	to     *bufio.Writer
	sent   []transmission // in the present step
}

// A transmission is a message that a step sends.
type transmission struct {
	from, to model.NodeID
	value    any
}

// named returns the step of a trace.
func (w *writer) named(r *rerun, s traces.Step) (x named, err error) {
	if x.name.kind, err = model.ParseEventKind(s.Kind); err != nil {
		return x, err
	}
	var known bool
	if x.name.node, known = w.nodes[s.To]; !known {
		return x, fmt.Errorf("there is no node %.40q", s.To)
	}
	x.name.from = w.nodes[s.From]
	x.name.label, x.name.occurrence, x.answers = s.Type, s.Occurrence, s.Choices
	if x.name.kind == model.Forge {
		x.value, err = s.Decode(r.world.Codec)
	}
	return x, err
}

// boot writes what nodes show before the first step.
func (w *writer) boot(world *world.World) {
	for id, spec := range w.system.Nodes {
		if spec.Byzantine {
			continue
		}
		l := line{Node: spec.Name, Start: true, After: w.state(world.Live(model.NodeID(id)))}
		w.shows(&l, model.NodeID(id), world.Began)
		w.write(l)
	}
	w.sent = nil
}

// step takes a step, and writes its entry.
func (w *writer) step(r *rerun, x named) error {
	w.sent = nil
	rec, err := r.take(x)
	if err != nil {
		return err
	}
	v := x.value
	if rec.Move.Event != nil {
		v = rec.Move.Event.Value
	}
	l := line{Node: w.system.Name(rec.Node)}
	switch x.name.kind {
	case model.Deliver, model.Forge:
		value := &shown{}
		if v != nil {
			value = w.shown(v)
		}
		value.From = w.system.Name(x.name.from)
		if rec.Move.Event != nil {
			value.From = w.system.Name(rec.Move.Event.From)
		}
		l.Receive = value
	case model.Timeout:
		l.Alarm = w.raw(v)
	case model.Invoke, model.Release:
		l.Call = w.raw(v)
	case model.Return:
		l.Result = w.raw(v)
	case model.Crash, model.Stop:
		l.Crash = true
	case model.Restart:
		l.Start = true
	default:
		return nil // no node shows it
	}
	l.After = w.state(r.world.Live(rec.Node))
	w.shows(&l, rec.Node, rec.Observations)
	w.write(l)
	return nil
}

// shows adds what a node sends and notes.
func (w *writer) shows(l *line, id model.NodeID, all []model.Observation) {
	for _, s := range w.sent {
		if s.from == id {
			m := shown{}
			if v := w.shown(s.value); v != nil {
				m = *v
			}
			m.To = w.system.Name(s.to)
			l.Send = append(l.Send, m)
		}
	}
	for _, o := range all {
		if o.Node == id && (o.Kind == model.Noted || o.Kind == model.Delivered) {
			l.Note = append(l.Note, w.shown(o.Value))
		}
	}
}

func (w *writer) write(l line) {
	raw, _ := json.Marshal(l) // cannot fail: plain values
	_, _ = w.to.Write(append(raw, '\n'))
}

func (w *writer) shown(v any) *shown {
	if v == nil {
		return nil
	}
	return &shown{Type: world.TypeName(v), Value: w.tree(reflect.ValueOf(v))}
}

// raw returns the JSON of a value; null for nil.
func (w *writer) raw(v any) json.RawMessage {
	raw, _ := json.Marshal(w.shown(v)) // cannot fail: a plain value
	return raw
}

// state returns the fields of a node; none of a node that is down.
func (w *writer) state(n model.Node) stateJSON {
	if n == nil {
		return nil
	}
	all := stateJSON{}
	v := reflect.Indirect(reflect.ValueOf(n))
	for _, name := range fieldsOf(v.Type()) {
		all[name] = w.tree(v.FieldByName(name))
	}
	return all
}

// tree returns a plain value in the form that a [decoder] reads.
func (w *writer) tree(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return shown{Type: v.Elem().Type().String(), Value: w.tree(v.Elem())}
	case reflect.Slice, reflect.Array:
		list := []any{}
		for i := range v.Len() {
			list = append(list, w.tree(v.Index(i)))
		}
		return list
	case reflect.Map:
		pairs := [][2]any{}
		for it := v.MapRange(); it.Next(); {
			pairs = append(pairs, [2]any{w.tree(it.Key()), w.tree(it.Value())})
		}
		slices.SortFunc(pairs, func(a, b [2]any) int { return strings.Compare(text(a[0]), text(b[0])) })
		return pairs
	case reflect.Struct:
		all := map[string]any{}
		for _, name := range fieldsOf(v.Type()) {
			all[name] = w.tree(v.FieldByName(name))
		}
		return all
	}
	if v.Type() == nodeIDType && v.Int() >= 0 && v.Int() < int64(len(w.system.Nodes)) {
		return w.system.Name(model.NodeID(v.Int()))
	}
	return plain(v)
}

// text returns a key of a map as text, for an order.
func text(v any) string {
	raw, _ := json.Marshal(v) // cannot fail: a plain value
	return string(raw)
}

// plain returns a value without the methods of its type, so that it is encoded as what it is.
func plain(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	}
	return v.String()
}
