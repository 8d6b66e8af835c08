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

// ITF writes a run in the Informal Trace Format of Apalache (ADR 015), which Quint reads as well:
// a state before the first step and one after each. Its variables are step, which says what
// happened last, nodes, a map from names to states, and network, the messages in flight.
// Of a state, structs are records, slices lists and maps maps; a missing optional value and a
// node that is down are the record {tag: "None"}, and one that is there is {tag: "Some", value: …},
// as Quint has it.
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
			b.take(run.Records[l.Step-1])
			if !yield(b.state(l.Step, l.Who+": "+l.What)) {
				return
			}
		}
	})
}

// writeITF writes states, each on a line: there may be many.
func writeITF(w io.Writer, t *traces.Trace, states iter.Seq[state]) error {
	out := bufio.NewWriter(w)
	head := written(map[string]string{
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
		_ = e.Encode(s) // Flush has its error
	}
	fmt.Fprint(out, "]}\n")
	return out.Flush()
}

// state is the format's.
type state struct {
	Meta    map[string]int `json:"#meta"`
	Step    string         `json:"step"`
	Nodes   any            `json:"nodes"`
	Network []any          `json:"network"`
}

// itf follows a run.
type itf struct {
	run     *replay.Run
	nodes   []json.RawMessage // the state of each, written once for all states in which it does not change
	network []*world.Event
}

// begin takes in the first state.
func (b *itf) begin() {
	for i, first := range b.run.First() {
		b.nodes[i] = written(none)
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

// take takes in a step.
func (b *itf) take(r world.Record) {
	switch m := r.Move; {
	case m.Kind == model.Crash, m.Kind == model.Stop:
		b.nodes[r.Node] = written(none)
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

// arrive takes a message out of the network, or one that is like it; one that arrives once
// more after a restart is not there.
func (b *itf) arrive(e *world.Event) {
	if e.Kind != model.Deliver || e.Optional {
		return
	}
	i := slices.IndexFunc(b.network, func(of *world.Event) bool {
		return of.From == e.From && of.Node == e.Node && reflect.DeepEqual(of.Value, e.Value)
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
		s.Network = append(s.Network, map[string]any{"from": b.name(e.From), "to": b.name(e.Node), "message": b.tagged(reflect.ValueOf(e.Value))})
	}
	return s
}

func (b *itf) name(id model.NodeID) string { return b.run.World.System.Name(id) }

// none and some are an option as Quint writes it.
var none any = map[string]any{"tag": "None", "value": map[string]any{"#tup": []any{}}}

func (b *itf) some(n any) json.RawMessage {
	return written(map[string]any{"tag": "Some", "value": b.value(reflect.ValueOf(n).Elem())})
}

// written is a value of the format as JSON, of which it always is one: of texts, and what holds them.
func written(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// tagged writes a value of any type with the name of its type.
func (b *itf) tagged(v reflect.Value) any {
	if !v.IsValid() {
		return none
	}
	return map[string]any{"tag": v.Type().String(), "value": b.value(v)}
}

// value writes a value. Whole numbers are the format's big integers, however small: numbers of JSON are
// its former encoding.
func (b *itf) value(v reflect.Value) any {
	if id, is := v.Interface().(model.NodeID); is {
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
		return b.tagged(v.Elem())
	case reflect.Bool, reflect.String:
		return v.Interface()
	}
	return fmt.Sprint(v.Interface())
}

// record writes the exported fields of a struct, and those of a struct that is embedded beside them, as in Go; one that may be missing is an
// option.
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

// mapping writes a map in the order of its keys as they are written.
func (b *itf) mapping(v reflect.Value) any {
	all := [][2]any{}
	for _, k := range v.MapKeys() {
		all = append(all, [2]any{b.value(k), b.value(v.MapIndex(k))})
	}
	slices.SortFunc(all, func(x, y [2]any) int { return strings.Compare(fmt.Sprint(x[0]), fmt.Sprint(y[0])) })
	return map[string]any{"#map": all}
}
