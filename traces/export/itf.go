package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// ITF writes a run in the Informal Trace Format of Apalache (ADR 015) and Quint: the initial state and the
// state after each step. The variables are step, the last event; nodes, a map from names to states; and
// network, the messages in flight. Structs are records, slices are lists, and maps are maps. An optional value
// and the state of a node are options of Quint: {tag: "None"} or {tag: "Some", value: …}. A node that is down
// is None.
func ITF(w io.Writer, run *replay.Run) error {
	b := itf{run: run, nodes: make([]json.RawMessage, len(run.World.System.Nodes))}
	b.begin()
	return writeITF(w, run.Trace, func(yield func(state) bool) {
		if !yield(b.state(0, "start")) {
			return
		}
		for _, l := range show.Lines(run) {
			if l.Step == 0 {
				continue
			}
			b.apply(run.Records[l.Step-1])
			if !yield(b.state(l.Step, l.Who+": "+l.What)) {
				return
			}
		}
	})
}

// writeITF writes states, one a line.
func writeITF(w io.Writer, t *traces.Trace, states iter.Seq[state]) error {
	out := bufio.NewWriter(w)
	head := encode(map[string]string{
		"format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html", "description": "a run of " + t.Protocol,
		"variant": t.Variant, "configuration": t.Config.String(), "violates": t.Claim, "text": t.Text,
	})
	fmt.Fprintf(out, "{\"#meta\": %s,\n\"vars\": [\"step\", \"nodes\", \"network\"],\n\"states\": [\n", head)
	e := json.NewEncoder(out)
	first := true
	for s := range states {
		if !first {
			fmt.Fprint(out, ",")
		}
		first = false
		_ = e.Encode(s) // Flush returns the error
	}
	fmt.Fprint(out, "]}\n")
	return out.Flush()
}

// A state is a state of the format.
type state struct {
	Meta    map[string]int `json:"#meta"`
	Step    string         `json:"step"`
	Nodes   any            `json:"nodes"`
	Network []any          `json:"network"`
}

// An itf is the state of the export of a run.
type itf struct {
	run     *replay.Run
	nodes   []json.RawMessage // by id, encoded when the state changed
	network []*world.Event
}

// begin sets the initial state.
func (b *itf) begin() {
	for i, first := range b.run.First() {
		b.nodes[i] = encode(none)
		if first != nil {
			b.nodes[i] = b.some(first)
		}
	}
	b.send(b.run.Initial)
}

func (b *itf) send(events []*world.Event) {
	for _, e := range events {
		if e.Kind == model.Deliver {
			b.network = append(b.network, e)
		}
	}
}

// apply applies a step.
func (b *itf) apply(r world.Record) {
	switch m := r.Move; {
	case m.Kind == model.Crash, m.Kind == model.Stop:
		b.nodes[r.Node] = encode(none)
	case r.After != nil:
		b.nodes[r.Node] = b.some(r.After)
	}
	for _, e := range r.Gone {
		b.arrive(e)
	}
	switch r.Move.Kind {
	case model.Deliver:
		b.arrive(r.Move.Event)
	case model.Duplicate:
		b.network = append(b.network, r.Move.Event)
	}
	b.send(r.Sent)
}

// arrive removes a message from the network, or an equal one. A message that arrives again after a restart is
// not in the network.
func (b *itf) arrive(e *world.Event) {
	if e.Kind != model.Deliver || e.Optional {
		return
	}
	i := slices.IndexFunc(b.network, func(message *world.Event) bool {
		return message.From == e.From && message.Node == e.Node && reflect.DeepEqual(message.Value, e.Value)
	})
	if i >= 0 {
		b.network = slices.Delete(b.network, i, i+1)
	}
}

func (b *itf) state(number int, step string) state {
	s := state{Meta: map[string]int{"index": number}, Step: step, Network: []any{}}
	all := [][2]any{}
	for i, n := range b.nodes {
		all = append(all, [2]any{b.run.World.System.Name(model.NodeID(i)), n})
	}
	s.Nodes = map[string]any{"#map": all}
	for _, e := range b.network {
		s.Network = append(s.Network, map[string]any{"from": b.name(e.From), "to": b.name(e.Node), "message": b.tag(reflect.ValueOf(e.Value))})
	}
	return s
}

func (b *itf) name(id model.NodeID) string { return b.run.World.System.Name(id) }

// none and some are the options of Quint.
var none any = map[string]any{"tag": "None", "value": map[string]any{"#tup": []any{}}}

func (b *itf) some(n any) json.RawMessage {
	return encode(map[string]any{"tag": "Some", "value": b.value(reflect.ValueOf(n).Elem())})
}

// encode encodes a value as JSON. It panics on an error, since strings and collections of strings have none.
func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// tag returns a value with the name of its type.
func (b *itf) tag(v reflect.Value) any {
	if !v.IsValid() {
		return none
	}
	return map[string]any{"tag": v.Type().String(), "value": b.value(v)}
}

// value returns the encoding of a value. All integers are big integers, as the format requires.
func (b *itf) value(v reflect.Value) any {
	if id, ok := v.Interface().(model.NodeID); ok {
		return b.name(id)
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return map[string]any{"#bigint": fmt.Sprint(v.Int())}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return map[string]any{"#bigint": fmt.Sprint(v.Uint())}
	case reflect.Struct:
		return b.record(v)
	case reflect.Slice, reflect.Array:
		all := []any{}
		for i := range v.Len() {
			all = append(all, b.value(v.Index(i)))
		}
		return all
	case reflect.Map:
		return b.mapping(v)
	case reflect.Interface:
		return b.tag(v.Elem())
	case reflect.Bool, reflect.String:
		return v.Interface()
	}
	return fmt.Sprint(v.Interface())
}

// record returns the exported fields of a struct, with the fields of an embedded struct beside them, as in Go. A [model.Optional] is an option.
func (b *itf) record(v reflect.Value) any {
	t := v.Type()
	if t.PkgPath() == reflect.TypeFor[model.NodeID]().PkgPath() && strings.HasPrefix(t.Name(), "Optional[") {
		if !v.FieldByName("Known").Bool() {
			return none
		}
		return map[string]any{"tag": "Some", "value": b.value(v.FieldByName("Value"))}
	}
	fields := map[string]any{}
	b.add(fields, v)
	return fields
}

// add adds the exported fields of a struct. A field of an embedded struct gives way to one of the same name.
func (b *itf) add(fields map[string]any, v reflect.Value) {
	embedded := func(f reflect.StructField) bool { return f.Anonymous && f.Type.Kind() == reflect.Struct }
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && embedded(f) {
			b.add(fields, v.Field(i))
		}
	}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !embedded(f) {
			fields[f.Name] = b.value(v.Field(i))
		}
	}
}

// mapping returns a map with its keys sorted by their encodings.
func (b *itf) mapping(v reflect.Value) any {
	all := [][2]any{}
	for _, k := range v.MapKeys() {
		all = append(all, [2]any{b.value(k), b.value(v.MapIndex(k))})
	}
	slices.SortFunc(all, func(x, y [2]any) int { return strings.Compare(fmt.Sprint(x[0]), fmt.Sprint(y[0])) })
	return map[string]any{"#map": all}
}
