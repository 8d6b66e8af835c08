package picture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl"
	"contend/model"
	"contend/model/wrapped"
	"contend/traces"
	"contend/traces/picture"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/why"
)

// taken returns a stored run with its protocol.
func taken(t *testing.T, file string) (*model.Protocol, *replay.Run) {
	tr, err := traces.Load("../testdata/" + file + ".json")
	require.NoError(t, err)
	p := impl.Suite[slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })]
	run, err := replay.Replay(p, tr, judge.Watched(p.Statements()))
	require.NoError(t, err)
	return p, run
}

const (
	timed   = "backoff-lease-delta-lemma-1"
	crashes = "abd-majority-crashes-every-operation-returns"
)

type object = map[string]any

// plain returns the picture of a run as plain JSON, with two notes and two marked steps.
func plain(t *testing.T, run *replay.Run) (*traces.Trace, object) {
	with, err := picture.Record(run)
	require.NoError(t, err)
	var is object
	require.NoError(t, json.Unmarshal(with.Picture, &is))
	steps := float64(len(with.Steps))
	is["notes"] = []any{object{"step": 1.0, "text": "a"}, object{"step": steps - 1, "text": "b"}}
	is["told"] = []any{0.0, steps}
	is["claims"] = []any{object{"name": "a", "step": -1.0}, object{"name": "b", "step": steps}}
	is["bars"] = append(is["bars"].([]any), object{"kind": "network cut in two", "lane": -1.0, "from": 0.0, "to": 1.0, "label": "cut"})
	return with, is
}

// read reads a trace with another picture.
func read(t *testing.T, tr *traces.Trace, is object) error {
	text, err := json.Marshal(is)
	require.NoError(t, err)
	with := *tr
	with.Picture = text
	p, err := picture.Read(&with)
	require.Equal(t, err == nil, p != nil)
	return err
}

// Each number may be what its range allows, at the edges, and nothing beyond, in each element of each list.
func TestRanges(t *testing.T) {
	_, run := taken(t, timed)
	tr, is := plain(t, run)
	require.NoError(t, read(t, tr, is))
	steps, nodes := float64(len(tr.Steps)), float64(len(is["nodes"].([]any)))
	number := func(of any, field string) float64 { return of.(object)[field].(float64) }
	tried := 0
	for _, c := range []struct {
		list, field string
		lo, hi      func(all []any, i int) float64
	}{
		{"steps", "lane", func([]any, int) float64 { return -1 }, func([]any, int) float64 { return nodes - 1 }},
		{"arrows", "from", func([]any, int) float64 { return 0 }, func([]any, int) float64 { return nodes - 1 }},
		{"arrows", "to", func([]any, int) float64 { return 0 }, func([]any, int) float64 { return nodes - 1 }},
		{"arrows", "sent", func([]any, int) float64 { return 0 }, func(all []any, i int) float64 { return number(all[i], "end") }},
		{"arrows", "end", func(all []any, i int) float64 { return number(all[i], "sent") }, func([]any, int) float64 { return steps }},
		{"bars", "lane", func([]any, int) float64 { return -1 }, func([]any, int) float64 { return nodes - 1 }},
		{"bars", "from", func([]any, int) float64 { return 0 }, func(all []any, i int) float64 { return number(all[i], "to") }},
		{"bars", "to", func(all []any, i int) float64 { return number(all[i], "from") }, func([]any, int) float64 { return steps }},
		{"notes", "step", func(all []any, i int) float64 {
			if i == 0 {
				return 0
			}
			return number(all[i-1], "step")
		}, func(all []any, i int) float64 {
			if i == len(all)-1 {
				return steps
			}
			return number(all[i+1], "step")
		}},
		{"claims", "step", func([]any, int) float64 { return -1 }, func([]any, int) float64 { return steps }},
	} {
		all := is[c.list].([]any)
		for i, of := range all {
			was, lo, hi := number(of, c.field), c.lo(all, i), c.hi(all, i)
			name := fmt.Sprintf("%s %d: %s", c.list, i+1, c.field)
			for n, fits := range map[float64]bool{lo - 1: false, lo: true, hi: true, hi + 1: false} {
				of.(object)[c.field] = n
				if err := read(t, tr, is); fits {
					require.NoError(t, err, name)
				} else {
					require.ErrorContains(t, err, strings.TrimSuffix(c.list, "s"), name)
				}
				tried++
			}
			of.(object)[c.field] = was
		}
	}
	require.Greater(t, tried, 100)
	for i := range 2 {
		told := is["told"].([]any)
		was := told[i]
		for n, fits := range map[float64]bool{-1: false, 0: true, steps: true, steps + 1: false} {
			told[i] = n
			require.Equal(t, fits, read(t, tr, is) == nil, "told %v", n)
		}
		told[i] = was
	}
	all := is["steps"].([]any)
	is["steps"] = all[1:]
	require.EqualError(t, read(t, tr, is), fmt.Sprintf("picture: steps: there are %d, but the trace has %d", len(all)-1, len(all)))
}

// No text may have a control character, except line ends and tabs.
func TestNoControlCharacters(t *testing.T) {
	_, run := taken(t, timed)
	tr, is := plain(t, run)
	tried := 0
	check := func(set func(with string)) {
		set("\x1b")
		require.EqualError(t, read(t, tr, is), "picture: a text has a control character")
		set("\n\t")
		require.NoError(t, read(t, tr, is))
		set("")
		tried++
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case object:
			for k, x := range v {
				if text, is := x.(string); is && k != "of" && k != "fate" && k != "kind" {
					check(func(with string) { v[k] = text + with })
				}
				walk(x)
			}
		case []any:
			for i, x := range v {
				if text, is := x.(string); is {
					check(func(with string) { v[i] = text + with })
				}
				walk(x)
			}
		}
	}
	walk(is)
	require.Greater(t, tried, 50)
}

// A picture that would be too large is not stored. The trace names the programs of the run.
func TestRecord(t *testing.T) {
	_, run := taken(t, timed)
	tr := *run.Trace
	run.Trace, tr.Picture, tr.Programs = &tr, json.RawMessage(`{}`), []wrapped.Origin{{Program: "gone"}}
	length := func(text string, turn int) int {
		run.World.Violations[0].Text, run.Turns[tr.Claim] = text, []int{turn}
		with, err := picture.Record(run)
		require.NoError(t, err)
		require.Empty(t, with.Programs)
		return len(with.Picture)
	}
	const some = 1 << 20
	few, many := length(strings.Repeat("<", some), 1), length(strings.Repeat("<", some+1), 1)
	per := many - few // the text occurs more than once
	n, rest := some+(4<<20-few)/per, (4<<20-few)%per
	turn := []int{1, 10, 100, 1000}[rest]
	require.Equal(t, 4<<20, length(strings.Repeat("<", n), turn))
	require.Zero(t, length(strings.Repeat("<", n), turn*10))
	with, err := picture.Record(run)
	require.NoError(t, err)
	tr.Steps = slices.Clone(tr.Steps)
	tr.Steps[0].Value = json.RawMessage(`{`)
	_, err = picture.Record(run)
	require.Error(t, err)
	with.Steps, with.Picture = tr.Steps, json.RawMessage(`{}`)
	_, err = picture.Read(with)
	require.Error(t, err)
}

// A trace that does not replay is returned unchanged.
func TestRecorded(t *testing.T) {
	p, run := taken(t, timed)
	with, err := picture.Record(run)
	require.NoError(t, err)
	require.Equal(t, with, picture.WithPicture(p, run.Trace, judge.Watched(p.Statements())))
	tr := *run.Trace
	tr.Steps = slices.Clone(tr.Steps)
	tr.Steps[0].To = "nobody"
	require.Same(t, &tr, picture.WithPicture(p, &tr, nil))
}

// The picture of a run shows the same as a stored picture.
func TestOf(t *testing.T) {
	_, run := taken(t, timed)
	p := picture.New(run)
	for _, c := range []struct{ want, got func(w io.Writer) error }{
		{func(w io.Writer) error { return why.Write(w, run, show.Style{}) }, func(w io.Writer) error { return p.Text(w, show.Style{}) }},
		{func(w io.Writer) error { return why.SVG(w, run, "time") }, func(w io.Writer) error { return p.SVG(w, "time") }},
	} {
		var want, got bytes.Buffer
		require.NoError(t, c.want(&want))
		require.NoError(t, c.got(&got))
		require.Equal(t, want.String(), got.String())
	}
	require.EqualError(t, p.SVG(io.Discard, "feet"), `heights is "feet", but must be time or steps`)
	for at := range 2 {
		require.ErrorIs(t, p.Text(&once{at}, show.Style{}), errFull)
	}
}

var errFull = errors.New("full")

// once fails at one write, counted from 0.
type once struct{ at int }

func (o *once) Write(b []byte) (int, error) {
	if o.at--; o.at == -1 {
		return 0, errFull
	}
	return len(b), nil
}

// The state of the nodes after each step equals the last state of a run that ends there.
func TestState(t *testing.T) {
	for _, file := range []string{timed, crashes, "ordering-b-completed-theorem-1"} {
		p, run := taken(t, file)
		is := picture.New(run)
		for step := range len(run.Records) + 1 {
			until, err := replay.Until(p, run.Trace, judge.Watched(p.Statements()), step)
			require.NoError(t, err)
			now := ""
			if run.Trace.Timed() {
				now = traces.Ticks(until.World.Now, until.Parts)
			}
			want := show.Snapshot{When: show.When(step, now)}
			for _, s := range show.Statuses(until)[:len(run.World.System.Nodes)] {
				var fields []string
				for _, f := range s.Fields {
					fields = append(fields, f.Name+": "+f.Is)
				}
				says := strings.Join(fields, "; ")
				switch {
				case s.Byzantine:
					says = "Byzantine"
				case s.Down:
					says = "down"
				case says == "":
					says = "nothing set"
				}
				want.Nodes = append(want.Nodes, show.Fact{Subject: s.Who, Text: says})
			}
			var w, g bytes.Buffer
			require.NoError(t, want.Write(&w, show.Style{}))
			require.NoError(t, is.State(&g, step, show.Style{}))
			require.Equal(t, w.String(), g.String(), "%s, step %d", file, step)
		}
		is.Diagram.Rows[1].Lane = -1 // a file may say so
		require.NoError(t, is.State(io.Discard, 1, show.Style{}))
		for _, step := range []int{-1, len(run.Records) + 1} {
			require.EqualError(t, is.State(io.Discard, step, show.Style{}), fmt.Sprintf("state is %d, but must be 0, before the first step, to %d", step, len(run.Records)))
		}
	}
}

// The first step that is another is found, by its words or its details.
func TestDiffers(t *testing.T) {
	p, run := taken(t, timed)
	is := picture.New(run)
	require.Zero(t, is.Differs(nil))
	require.Zero(t, is.Differs(run))
	last := len(run.Records)
	short, err := replay.Until(p, run.Trace, nil, last-1)
	require.NoError(t, err)
	is.Diagram.Rows[last].What += "!"
	require.Equal(t, last, is.Differs(run))
	require.Zero(t, is.Differs(short))
	is.Diagram.Rows[2].Details = append(slices.Clone(is.Diagram.Rows[2].Details), "more")
	require.Equal(t, 2, is.Differs(run))
	is.Diagram.Rows[1].What += "!"
	require.Equal(t, 1, is.Differs(run))
}
