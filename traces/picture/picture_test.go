package picture_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl"
	"contend/model"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/page"
	"contend/traces/picture"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/why"
)

var full = flag.Bool("full", false, "take all kept runs, and not each eighth")

// recorded calls use for each stored run, with its trace after writing and reading the picture.
func recorded(t *testing.T, use func(run *replay.Run, back *traces.Trace)) {
	files, err := filepath.Glob("../testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for k, file := range files {
		if k%8 != 0 && !*full {
			continue
		}
		tr, err := traces.Load(file)
		require.NoError(t, err)
		p := impl.Suite[slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })]
		run, err := replay.Replay(p, tr, judge.Watched(p.Statements()))
		require.NoError(t, err, file)
		with, err := picture.Record(run)
		require.NoError(t, err)
		require.Nil(t, tr.Picture, "the run's own trace stays as it is")
		var b bytes.Buffer
		require.NoError(t, traces.Write(&b, with))
		back, err := traces.Read(&b)
		require.NoError(t, err, file)
		use(run, back)
	}
}

// A stored picture is shown like the run itself.
func TestShownAsRecorded(t *testing.T) {
	text := func(write func(io.Writer) error) string {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		return b.String()
	}
	recorded(t, func(run *replay.Run, back *traces.Trace) {
		p, err := picture.Read(back)
		require.NoError(t, err)
		require.Equal(t, text(func(w io.Writer) error { return why.Write(w, run, show.Style{Color: true}) }), text(func(w io.Writer) error { return p.Text(w, show.Style{Color: true}) }))
		require.Equal(t, text(func(w io.Writer) error { return page.Write(w, run) }), text(p.Page))
		require.Equal(t, text(func(w io.Writer) error { return why.SVG(w, run, "") }), text(func(w io.Writer) error { return p.SVG(w, "") }))
		require.Equal(t, text(draw.New(run).Mermaid), text(p.Diagram.Mermaid))
	})
}

// A trace replays in the same way with and without a picture.
func TestReplaysTheSame(t *testing.T) {
	recorded(t, func(run *replay.Run, back *traces.Trace) {
		p := impl.Suite[slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == back.Protocol })]
		again, err := replay.Replay(p, back, judge.Watched(p.Statements()))
		require.NoError(t, err)
		require.Equal(t, run.World.State(), again.World.State())
	})
}

// A trace without a picture has none, and is no error.
func TestNone(t *testing.T) {
	tr, err := traces.Load("../testdata/backoff-pass.json")
	require.NoError(t, err)
	p, err := picture.Read(tr)
	require.NoError(t, err)
	require.Nil(t, p)
}

// A trace whose steps were edited has no picture: the stored picture belongs to another run.
func TestEdited(t *testing.T) {
	recorded(t, func(_ *replay.Run, back *traces.Trace) {
		back.Steps = back.Steps[:len(back.Steps)-1]
		p, err := picture.Read(back)
		require.NoError(t, err)
		require.Nil(t, p)
	})
}

// A picture that does not fit together is refused in a sentence that names the field.
func TestRefuses(t *testing.T) {
	for _, c := range []struct{ old, now, says string }{
		{`"fate":"arrives"`, `"fate":"sinks"`, `picture: arrow 1: fate is "sinks", which is none`},
		{`"kind":"operation"`, `"kind":"x"`, `picture: bar 1: kind is "x", which is none`},
		{`"lane":2`, `"lane":99`, "picture: step 1: lane is 99, but must be -1 to 2"},
		{`"arrows":[{"from":2`, `"arrows":[{"from":-1`, "picture: arrow 1: from is -1 and to 0, but must be 0 to 2"},
		{`"sent":1`, `"sent":99`, "picture: arrow 1: sent is 99 and end 2, but must be 0 to 8, in order"},
		{`"notes":[{"step":8`, `"notes":[{"step":14`, "picture: note 1: step is 14, but must be 0 to 8, in order"},
		{`"told":[`, `"told":[77,`, "picture: told: step is 77, but must be 0 to 8"},
		{`"after":[`, `"after":[null,`, "picture: after: there are 9, but the trace has 8 steps"},
		{`"first":[`, `"first":[{},`, "picture: first: there are 4, but there are 3 nodes"},
		{`"who":"c2"`, `"who":"\u001b[2J"`, "picture: a text has a control character"},
		{`"who":"c2"`, `"whom":"c2"`, `picture: unknown field "whom"`},
		{`"who":"c2"`, `"who":2`, "picture: cannot unmarshal number"},
	} {
		t.Run(c.now, func(t *testing.T) {
			tr, err := traces.Load("../testdata/backoff-lease-delta-lemma-1.json")
			require.NoError(t, err)
			p := impl.Suite[slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })]
			run, err := replay.Replay(p, tr, nil)
			require.NoError(t, err)
			with, err := picture.Record(run)
			require.NoError(t, err)
			require.Contains(t, string(with.Picture), c.old)
			with.Picture = json.RawMessage(strings.Replace(string(with.Picture), c.old, c.now, 1))
			_, err = picture.Read(with)
			require.ErrorContains(t, err, c.says)
		})
	}
}
