package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl"
	"contend/impl/backoff"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/export"
	"contend/traces/internal/toy"
	"contend/traces/picture"
	"contend/traces/replay"
	"contend/traces/show"
)

// random runs a test for random runs with every kind of event, and for a stored run with a forged message.
func random(t *testing.T, test func(p *model.Protocol, run *replay.Run)) {
	every := model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1, Suspicions: 1, Partitions: 1}
	all := model.Faults{Loss: 2, Duplication: 2, Crashes: 1, Restarts: 1}
	for seed := range uint64(12) {
		for _, c := range []struct {
			p      *model.Protocol
			config model.Config
		}{{toy.Protocol, model.Config{N: 2, Faults: every}}, {backoff.Protocol, model.Config{N: 3, Faults: all}}} {
			tr, _ := toy.Drive(t, c.p, "", c.config, seed%2 == 0, toy.Watchable(c.p), seed)
			run, err := replay.Replay(c.p, tr, nil)
			require.NoError(t, err)
			test(c.p, run)
		}
	}
	tr, err := traces.Load("../testdata/ordering-b-completed-theorem-1.json")
	require.NoError(t, err)
	p := impl.Suite[slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })]
	run, err := replay.Replay(p, tr, judge.Watched(p.Statements()))
	require.NoError(t, err)
	test(p, run)
}

// An itf is a file of the format.
type itf struct {
	Meta   map[string]string `json:"#meta"`
	States []struct {
		Step  string
		Nodes struct {
			Map [][2]any `json:"#map"`
		}
		Network []struct {
			From, To string
			Message  any
		}
	}
}

func read(t *testing.T, write func(b *bytes.Buffer) error) (is itf) {
	var b bytes.Buffer
	require.NoError(t, write(&b))
	require.NoError(t, json.Unmarshal(b.Bytes(), &is), b.String())
	return is
}

// Each state of a file equals the state of the run after the same number of steps: the nodes, and the
// messages in flight.
func TestEachState(t *testing.T) {
	random(t, func(p *model.Protocol, run *replay.Run) {
		got := read(t, func(b *bytes.Buffer) error { return export.ITF(b, run) })
		require.Equal(t, "a run of "+p.Name, got.Meta["description"])
		require.Equal(t, run.Trace.Config.String(), got.Meta["configuration"])
		require.Len(t, got.States, len(run.Records)+1)
		for i, s := range got.States {
			until, err := replay.Until(p, run.Trace, nil, i)
			if len(run.Watched) > 0 {
				until, err = replay.Until(p, run.Trace, judge.Watched(p.Statements()), i)
			}
			require.NoError(t, err)
			w := until.World
			require.Len(t, s.Nodes.Map, len(w.System.Nodes))
			for id, spec := range w.System.Nodes {
				is := w.Status(model.NodeID(id))
				entry := s.Nodes.Map[id]
				require.Equal(t, spec.Name, entry[0])
				if is.Down || is.State == nil {
					require.Equal(t, "None", entry[1].(map[string]any)["tag"])
					continue
				}
				require.Equal(t, map[string]any{"tag": "Some", "value": plain(w, reflect.ValueOf(is.State).Elem())}, entry[1], "state %d", i)
			}
			var want, have []string
			for _, e := range w.Pending() {
				if e.Kind == model.Deliver && !e.Optional {
					want = append(want, fmt.Sprint(w.System.Name(e.From), w.System.Name(e.Node), map[string]any{"tag": fmt.Sprintf("%T", e.Value), "value": plain(w, reflect.ValueOf(e.Value))}))
				}
			}
			for _, m := range s.Network {
				have = append(have, fmt.Sprint(m.From, m.To, m.Message))
			}
			slices.Sort(want)
			slices.Sort(have)
			require.Equal(t, want, have, "state %d", i)
		}
	})
}

// plain returns a value as a JSON reader decodes it.
func plain(w *world.World, v reflect.Value) any {
	switch is := v.Interface().(type) {
	case model.NodeID:
		return w.System.Name(is)
	case bool, string:
		return is
	}
	switch {
	case v.CanInt():
		return map[string]any{"#bigint": fmt.Sprint(v.Int())}
	case v.Kind() == reflect.Slice:
		all := []any{}
		for _, x := range v.Seq2() {
			all = append(all, plain(w, x))
		}
		return all
	case v.Kind() == reflect.Map:
		all := []any{}
		for k, x := range v.Seq2() {
			all = append(all, []any{plain(w, k), plain(w, x)})
		}
		slices.SortFunc(all, func(a, b any) int { return strings.Compare(fmt.Sprint(a.([]any)[0]), fmt.Sprint(b.([]any)[0])) })
		return map[string]any{"#map": all}
	case v.Kind() == reflect.Interface && v.IsNil():
		return map[string]any{"tag": "None", "value": map[string]any{"#tup": []any{}}}
	case v.Kind() == reflect.Interface:
		return map[string]any{"tag": v.Elem().Type().String(), "value": plain(w, v.Elem())}
	case v.Kind() == reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.Anonymous && f.IsExported():
				maps.Copy(fields, plain(w, v.Field(i)).(map[string]any))
			case f.IsExported():
				fields[f.Name] = plain(w, v.Field(i))
			}
		}
		if strings.HasPrefix(v.Type().Name(), "Optional[") {
			if fields["Known"] == false {
				return map[string]any{"tag": "None", "value": map[string]any{"#tup": []any{}}}
			}
			return map[string]any{"tag": "Some", "value": fields["Value"]}
		}
		return fields
	}
	panic(v.Kind().String() + " is none of these kinds")
}

// A file made from a picture has the same states as a file made from the run, but as texts.
func TestFromPictures(t *testing.T) {
	random(t, func(_ *model.Protocol, run *replay.Run) {
		p := picture.New(run)
		of := read(t, func(b *bytes.Buffer) error { return export.ITF(b, run) })
		is := read(t, func(b *bytes.Buffer) error { return export.WritePictureITF(b, p) })
		require.Equal(t, of.Meta, is.Meta)
		require.Len(t, is.States, len(of.States))
		p.Diagram.Rows[1].Lane = -1 // a file may say so
		read(t, func(b *bytes.Buffer) error { return export.WritePictureITF(b, p) })
		texts := map[string]string{}
		for i, s := range is.States {
			want := of.States[i]
			require.Equal(t, want.Step, s.Step)
			require.Len(t, s.Nodes.Map, len(want.Nodes.Map))
			for id, n := range s.Nodes.Map {
				require.Equal(t, want.Nodes.Map[id][0], n[0])
				full, text := want.Nodes.Map[id][1].(map[string]any), n[1].(map[string]any)
				require.Equal(t, full["tag"], text["tag"], "node %s, state %d", n[0], i)
				if full["tag"] == "None" {
					require.Equal(t, full, text)
					continue
				}
				for field, is := range text["value"].(map[string]any) { // the variables that are set
					value := fmt.Sprint(n[0], field, full["value"].(map[string]any)[field])
					if was, seen := texts[value]; seen {
						require.Equal(t, was, is)
					}
					texts[value] = is.(string)
				}
			}
			var a, b []string
			for _, m := range want.Network {
				a = append(a, m.From+" "+m.To)
			}
			for _, m := range s.Network {
				b = append(b, m.From+" "+m.To)
				require.NotEmpty(t, m.Message)
			}
			slices.Sort(a)
			slices.Sort(b)
			require.Equal(t, a, b, "state %d", i)
		}
	})
}

// The clock of an event has for each host the number of its events that lead to the event, in runs and in
// drawings.
func TestClocks(t *testing.T) {
	random(t, func(_ *model.Protocol, run *replay.Run) {
		var b bytes.Buffer
		require.NoError(t, export.ShiViz(&b, draw.New(run)))
		require.Equal(t, clocked(t, draw.New(run)), b.String())
	})
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		d := &draw.Diagram{Lanes: []draw.Lane{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Rows: []draw.Row{{Lane: -1}}}
		for row := 1; row < 12; row++ {
			lane := rng.IntN(4) - 1
			r := draw.Row{Lane: lane, Line: show.Line{Who: "who", What: fmt.Sprint("what ", row)}}
			if row%2 == 0 {
				r.Details = []string{"one  and", "two"}
			}
			d.Rows = append(d.Rows, r)
			a := draw.Arrow{From: rng.IntN(3), To: lane, Sent: rng.IntN(row), End: row, Label: "label", Fate: draw.Fate(rng.IntN(int(draw.InFlight) + 1))}
			if a.Fate == draw.Forged {
				a.Sent = row
			}
			if row > 3 { // a message that does not arrive is no cause
				d.Arrows = append(d.Arrows, draw.Arrow{From: rng.IntN(3), To: max(lane, 0), Sent: 3, End: row, Fate: draw.Lost})
			}
			if lane >= 0 && (a.Fate == draw.Forged || a.Sent == 0 || d.Rows[a.Sent].Lane == a.From) {
				d.Arrows = append(d.Arrows, a)
			}
		}
		var b bytes.Buffer
		require.NoError(t, export.ShiViz(&b, d))
		require.Equal(t, clocked(t, d), b.String())
	}
}

// clocked returns the log of a drawing, with clocks that count the events before each event.
func clocked(t *testing.T, d *draw.Diagram) string {
	type event struct {
		host int
		says string
		past map[int]bool // the events that lead to it, including the event itself
	}
	var events []event
	last, at := map[int]int{}, map[int]int{} // by host, by row
	add := func(host int, says string, from ...int) {
		e := event{host, says, map[int]bool{len(events): true}}
		if before, is := last[host]; is {
			from = append(from, before)
		}
		for _, f := range from {
			for is := range events[f].past {
				e.past[is] = true
			}
		}
		last[host] = len(events)
		events = append(events, e)
	}
	for i := range d.Lanes {
		add(i, "start")
	}
	for row, r := range d.Rows {
		if row == 0 || r.Lane < 0 {
			continue
		}
		var from []int
		for _, a := range d.Arrows {
			switch {
			case a.End != row || a.Fate == draw.Lost || a.Fate == draw.Unheard || a.Fate == draw.InFlight:
			case a.Fate == draw.Forged:
				add(a.From, "makes up "+a.Label)
				from = append(from, last[a.From])
			case a.Sent == 0:
				from = append(from, a.From)
			default:
				from = append(from, at[a.Sent])
			}
		}
		add(r.Lane, strings.Join(append([]string{r.Who + ": " + r.What}, r.Details...), "; "), from...)
		at[row] = last[r.Lane]
	}
	var log strings.Builder
	for _, e := range events {
		clock := map[string]int{}
		for is := range e.past {
			clock[d.Lanes[events[is].host].Name]++
		}
		text, err := json.Marshal(clock)
		require.NoError(t, err)
		fmt.Fprintf(&log, "%s %s\n%s\n", d.Lanes[e.host].Name, text, strings.Join(strings.Fields(e.says), " "))
	}
	return log.String()
}

// A host is named after its node, without spaces, and as no other.
func TestHosts(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, export.ShiViz(&b, &draw.Diagram{Lanes: []draw.Lane{{Name: "a b"}, {Name: "a_b"}, {Name: "a b"}, {Name: "c"}}}))
	require.Equal(t, "a_b {\"a_b\":1}\nstart\na_b_ {\"a_b_\":1}\nstart\na_b__ {\"a_b__\":1}\nstart\nc {\"c\":1}\nstart\n", b.String())
}

var errFull = errors.New("full")

// short fails at one write, counted from 0.
type short struct{ at int }

func (s *short) Write(b []byte) (int, error) {
	if s.at--; s.at == -1 {
		return 0, errFull
	}
	return len(b), nil
}

// Whatever cannot be written is an error.
func TestFull(t *testing.T) {
	random(t, func(_ *model.Protocol, run *replay.Run) {
		events := len(run.World.System.Nodes)
		for _, r := range draw.New(run).Rows[1:] {
			if r.Lane >= 0 {
				events++
			}
			if r.Kind == model.Forge {
				events++
			}
		}
		for n := range events {
			require.ErrorIs(t, export.ShiViz(&short{n}, draw.New(run)), errFull)
		}
		require.NoError(t, export.ShiViz(&short{events}, draw.New(run)))
		require.ErrorIs(t, export.ITF(&short{}, run), errFull)
		require.ErrorIs(t, export.WritePictureITF(&short{}, picture.New(run)), errFull)
	})
}
