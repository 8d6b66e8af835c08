package draw_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl"
	"contend/impl/backoff"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/why"
)

var (
	update = flag.Bool("update", false, "write golden files anew")
	full   = flag.Bool("full", false, "draw all kept runs, and not each eighth")
)

// A fate is an arrow without its label.
type fate struct {
	from, to, sent, end int
	is                  draw.Fate
}

// Arrows have the fates of their messages, with lanes and rows.
func TestArrows(t *testing.T) {
	pingA, pingB := message("deliver", "a", "a", "ping", 1), message("deliver", "a", "b", "ping", 1)
	for name, c := range map[string]struct {
		faults model.Faults
		steps  []traces.Step
		want   []fate
	}{
		"arrives": {model.Faults{}, pingsBoth, []fate{
			{0, 0, 1, 2, draw.Arrived}, {0, 1, 1, 3, draw.Arrived}, {1, 0, 3, 3, draw.InFlight},
		}},
		"lost": {model.Faults{Loss: 1}, []traces.Step{invokes, message("lose", "a", "b", "ping", 1), pingA}, []fate{
			{0, 1, 1, 2, draw.Lost}, {0, 0, 1, 3, draw.Arrived},
		}},
		"doubled": {model.Faults{Duplication: 1}, []traces.Step{invokes, message("duplicate", "a", "a", "ping", 1), pingA, message("deliver", "a", "a", "ping", 2)}, []fate{
			{0, 0, 1, 3, draw.Arrived}, {0, 0, 1, 4, draw.Doubled}, {0, 1, 1, 4, draw.InFlight},
		}},
		"down": {model.Faults{Restarts: 1}, []traces.Step{invokes, crashes, pingB}, []fate{
			{0, 1, 1, 3, draw.Unheard}, {0, 0, 1, 3, draw.InFlight},
		}},
		"once more": {model.Faults{Restarts: 1}, []traces.Step{invokes, pingB, crashes, restarts, message("deliver", "a", "b", "ping", 2)}, []fate{
			{0, 1, 1, 2, draw.Arrived}, {0, 1, 1, 5, draw.Repeated}, {0, 0, 1, 5, draw.InFlight}, {1, 0, 2, 5, draw.InFlight}, {1, 0, 5, 5, draw.InFlight},
		}},
		"may come once more": {model.Faults{Restarts: 1}, []traces.Step{invokes, pingB, crashes, restarts}, []fate{
			{0, 1, 1, 2, draw.Arrived}, {0, 0, 1, 4, draw.InFlight}, {1, 0, 2, 4, draw.InFlight},
		}},
		"gone with its receiver": {model.Faults{Crashes: 1}, append(slices.Clone(pingsBoth), stops), []fate{
			{0, 0, 1, 2, draw.Arrived}, {0, 1, 1, 3, draw.Arrived}, {1, 0, 3, 4, draw.Lost},
		}},
		"cut": {model.Faults{Partitions: 1}, []traces.Step{invokes, cuts}, []fate{
			{0, 1, 1, 2, draw.Lost}, {0, 0, 1, 2, draw.InFlight},
		}},
		"forged": {model.Faults{}, []traces.Step{lies}, []fate{{2, 1, 1, 1, draw.Forged}, {1, 2, 1, 1, draw.InFlight}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []fate
			for _, a := range draw.New(run(t, c.faults, c.steps...)).Arrows {
				got = append(got, fate{a.From, a.To, a.Sent, a.End, a.Fate})
			}
			if name == "forged" { // what answers a liar is not in flight
				c.want = c.want[:1]
			}
			assert.ElementsMatch(t, c.want, got)
		})
	}
}

// Bars have their first and last rows.
func TestBars(t *testing.T) {
	answered := message("deliver", "b", "a", "pong", 1)
	answered.Choices = []int{0} // the hold lasts
	d := draw.New(run(t, model.Faults{Restarts: 1, Partitions: 1},
		invokes, returns, message("deliver", "a", "b", "ping", 1), answered,
		crashes, restarts, releases, cuts, heals))
	var got []draw.Bar
	for _, b := range d.Bars {
		b.Label = ""
		got = append(got, b)
	}
	assert.ElementsMatch(t, []draw.Bar{
		{Kind: draw.Operation, Lane: 0, From: 1, To: 2}, {Kind: draw.Section, Lane: 0, From: 2, To: 7},
		{Kind: draw.Alarm, Lane: 0, From: 1, To: 7}, {Kind: draw.Hold, Lane: 0, From: 1, To: 9, Open: true},
		{Kind: draw.Down, Lane: 1, From: 5, To: 6}, {Kind: draw.Cut, Lane: -1, From: 8, To: 9},
	}, got)
}

// Bars that the run does not end are open.
func TestOpenBars(t *testing.T) {
	for _, b := range draw.New(run(t, model.Faults{}, invokes)).Bars {
		assert.True(t, b.Open, b.Kind)
		assert.Equal(t, 1, b.To, b.Kind)
	}
}

// Each violation is in the row of its step, and a repeated one only in the first. An operation without a
// release starts no section.
func TestEachViolation(t *testing.T) {
	p := *pings
	p.Claims = []model.Claim{{Name: "few", Invariant: func(nodes []model.Node) error {
		if n := nodes[1].(*ponger).Pings; n > 0 {
			return fmt.Errorf("%d came", n)
		}
		return nil
	}}}
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: enter{}, After: model.Anytime()})
		return s, err
	}
	again, back := invokes, returns
	again.Occurrence, back.Occurrence = 2, 2
	pingB, twice := message("deliver", "a", "b", "ping", 1), message("deliver", "a", "b", "ping", 2)
	tr := traces.New(&p, "", model.Config{N: 2, Faults: model.Faults{Duplication: 1}}, false, "", "")
	tr.Steps = []traces.Step{invokes, returns, message("duplicate", "a", "b", "ping", 1), pingB, releases, twice, again, back}
	r, err := replay.Replay(&p, &tr, nil)
	require.NoError(t, err)
	d := draw.New(r)
	var broken []string
	for i, row := range d.Rows {
		for _, says := range row.Broken {
			broken = append(broken, fmt.Sprint(i, " ", says))
		}
	}
	assert.Equal(t, []string{"4 few is violated: 1 came", "6 few is violated: 2 came"}, broken)
	var sections []int
	for _, b := range d.Bars {
		if b.Kind == draw.Section {
			sections = append(sections, b.From)
		}
	}
	assert.Equal(t, []int{2}, sections)
}

// In the pictures of all stored runs, each message that arrives is an arrow that ends in its row, and each
// hold and crash is a bar. The picture is well-formed and has no external references. The sequence diagram
// follows Mermaid's grammar.
func TestKeptRuns(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for k, file := range files {
		r := keptRun(t, file)
		tr, d := r.Trace, draw.New(r)
		require.Len(t, d.Rows, len(tr.Steps)+1, file)
		for k, s := range tr.Steps {
			arrives := slices.ContainsFunc(d.Arrows, func(a draw.Arrow) bool {
				return a.End == k+1 && d.Lanes[a.From].Name == s.From && d.Lanes[a.To].Name == s.To && a.Sent <= a.End && a.Fate != draw.InFlight
			})
			require.Equal(t, s.Kind == "deliver" || s.Kind == "lose" || s.Kind == "forge", arrives && s.Kind != "crash", "%s, step %d", file, k+1)
		}
		agrees(t, file, r, d)
		if k%8 != 0 && !*full {
			continue
		}
		for _, d.Scaled = range []bool{false, d.Timed} {
			svg := picture(t, d)
			wellFormed(t, svg)
			apart(t, file, svg)
			read(t, file, d)
		}
		sequence(t, d)
	}
}

// agrees compares the bars of a run, and the causes of its steps, with the records.
func agrees(t *testing.T, name string, r *replay.Run, d *draw.Diagram) {
	t.Helper()
	require.True(t, slices.IsSortedFunc(d.Arrows, func(a, b draw.Arrow) int { return a.End - b.End }), name)
	got := slices.DeleteFunc(slices.Clone(d.Bars), func(b draw.Bar) bool { return b.Kind == draw.Cut })
	for i := range got {
		got[i].Label = ""
	}
	require.ElementsMatch(t, lasting(r), got, name)
	for row, before := range d.Before() {
		require.ElementsMatch(t, rightBefore(r, row), before, "%s, row %d", name, row)
	}
}

// Random runs set holds again while they last, and crash nodes with several holds.
func TestRandomRuns(t *testing.T) {
	for seed := range uint64(80) {
		p, timed := []*model.Protocol{backoff.Protocol, starts}[seed/40], seed%2 == 0
		c := model.Config{N: 3, Faults: model.Faults{Crashes: 1, Restarts: 1, Loss: 1, Duplication: 1}}
		if p == backoff.Protocol {
			c = c.With(model.Clients.Is(2))
		}
		r, err := replay.Replay(p, toy.Driven(t, p, c, timed, seed), nil)
		require.NoError(t, err)
		require.NotEmpty(t, r.Records)
		d := draw.New(r)
		agrees(t, fmt.Sprint(seed), r, d)
		if p == starts && timed {
			assert.Equal(t, []string{"again, for less than 2 ticks", "lease, through 3 ticks"}, labels(d))
		}
		read(t, fmt.Sprint(seed), d)
	}
}

// labels returns the labels of the first node's holds from the initial state.
func labels(d *draw.Diagram) (all []string) {
	for _, b := range d.Bars {
		if b.Kind == draw.Hold && b.From == 0 && b.Lane == 0 {
			all = append(all, b.Label)
		}
	}
	slices.Sort(all)
	return all
}

// rightBefore returns the rows directly before a row: the previous one of its node, and the sender's.
func rightBefore(r *replay.Run, row int) (all []int) {
	nobodys := []model.EventKind{model.Expire, model.Heal, model.Partition}
	if row == 0 || slices.Contains(nobodys, r.Records[row-1].Move.Kind) {
		return nil
	}
	rec := r.Records[row-1]
	for before := row - 1; before > 0; before-- {
		if was := r.Records[before-1]; was.Node == rec.Node && !slices.Contains(nobodys, was.Move.Kind) {
			all = append(all, before)
			break
		}
	}
	up := true
	for _, was := range r.Records[:row-1] {
		switch {
		case was.Node != rec.Node:
		case was.Move.Kind == model.Crash || was.Move.Kind == model.Stop:
			up = false
		case was.Move.Kind == model.Restart:
			up = true
		}
	}
	if rec.Move.Kind == model.Deliver && up && !slices.Contains(all, rec.Move.Event.BornStep) {
		all = append(all, rec.Move.Event.BornStep)
	}
	return all
}

// lasting computes the bars of nodes from observations, alarms and holds.
func lasting(r *replay.Run) (all []draw.Bar) {
	last := len(r.Records)
	bar := func(kind draw.BarKind, id model.NodeID, from int, ends func(rec world.Record) bool) {
		b := draw.Bar{Kind: kind, Lane: int(id), From: from, To: last, Open: true}
		if i := slices.IndexFunc(r.Records[from:], ends); i >= 0 {
			b.To, b.Open = from+i+1, false
		}
		all = append(all, b)
	}
	of := func(id model.NodeID, kinds ...model.ObservationKind) func(world.Record) bool {
		return func(rec world.Record) bool {
			return slices.ContainsFunc(rec.Observations, func(o model.Observation) bool { return o.Node == id && slices.Contains(kinds, o.Kind) })
		}
	}
	alarm := func(step int, e *world.Event) {
		if e.Kind == model.Timeout {
			bar(draw.Alarm, e.Node, step, func(rec world.Record) bool { return rec.Move.Event == e || slices.Contains(rec.Gone, e) })
		}
	}
	// A hold ends where it is set again, is found to be over, or goes with its node, unless its time has come before.
	hold := func(step int, id model.NodeID, h world.Countdown) {
		from := len(all)
		bar(draw.Hold, id, step, func(rec world.Record) bool {
			same := func(key any) bool { return fmt.Sprintf("%T %v", key, key) == fmt.Sprintf("%T %v", h.Key, h.Key) }
			return rec.Node == id && (rec.Move.Kind == model.Crash || rec.Move.Kind == model.Stop ||
				slices.ContainsFunc(rec.Holds, func(again world.Countdown) bool { return same(again.Key) }) ||
				slices.ContainsFunc(rec.Held, func(a world.HeldAnswer) bool { return !a.Watch && !a.Held && same(a.Key) }))
		})
		end := h.Since + world.Time(int64(h.Length.At)*r.Parts)
		if b := &all[from]; r.Trace.Timed() && (b.Open || end <= r.Records[b.To-1].At) {
			later := slices.IndexFunc(r.Records, func(rec world.Record) bool { return rec.At > end })
			if b.To, b.Open = last, later < 0; later >= 0 {
				b.To, b.Until = later, float64(end)/float64(r.Parts)
			}
		}
	}
	for _, e := range r.Initial {
		alarm(0, e)
	}
	for id, holds := range r.Holds {
		for _, h := range holds {
			hold(0, model.NodeID(id), h)
		}
	}
	for i, rec := range r.Records {
		for _, o := range rec.Observations {
			switch {
			case o.Kind == model.Invoked:
				bar(draw.Operation, o.Node, i+1, of(o.Node, model.Returned, model.Crashed))
			case o.Kind == model.Returned && r.World.System.Nodes[o.Node].Script[o.Op].Release != nil:
				bar(draw.Section, o.Node, i+1, of(o.Node, model.Released, model.Crashed))
			case o.Kind == model.Crashed:
				bar(draw.Down, o.Node, i+1, of(o.Node, model.Recovered))
			}
		}
		for _, e := range rec.Armed {
			alarm(i+1, e)
		}
		for _, h := range rec.Holds {
			hold(i+1, rec.Node, h)
		}
	}
	return all
}

// A diagram that begins later is the rest of the whole one. Arrows and bars from before come from above.
func TestFrom(t *testing.T) {
	r := run(t, model.Faults{Restarts: 1, Partitions: 1}, invokes, returns, message("deliver", "a", "b", "ping", 1), crashes, restarts, lies, releases, cuts, heals)
	begins(t, r)
	for seed := range uint64(6) {
		drawn := toy.Driven(t, starts, model.Config{N: 2, Faults: model.Faults{Crashes: 1, Restarts: 1}}, true, seed)
		r, err := replay.Replay(starts, drawn, nil)
		require.NoError(t, err)
		begins(t, r)
	}
	begins(t, keptRun(t, "../testdata/sigma-suspects-once-lemma-8.json"))
	assert.Len(t, draw.NewFrom(r, 99).Rows, 1, "the last row stays")
}

func begins(t *testing.T, r *replay.Run) {
	t.Helper()
	whole := draw.New(r)
	for from := range whole.Rows {
		part := draw.NewFrom(r, from)
		assert.Equal(t, whole.Rows[from:], part.Rows)
		assert.Equal(t, max(whole.Loop-from, 0), part.Loop, "from %d", from)
		want := *whole
		want.Arrows, want.Bars = nil, nil
		for _, a := range whole.Arrows {
			if a.Sent, a.End = max(a.Sent-from, -1), a.End-from; a.End >= 0 {
				want.Arrows = append(want.Arrows, a)
			}
		}
		for _, b := range whole.Bars {
			if b.From, b.To = max(b.From-from, -1), b.To-from; b.To >= 0 { // else it is over
				want.Bars = append(want.Bars, b)
			}
		}
		assert.Equal(t, want.Arrows, part.Arrows, "from %d", from)
		assert.Equal(t, want.Bars, part.Bars, "from %d", from)
		wellFormed(t, picture(t, part))
	}
}

// A run that was replayed in part has neither loop nor point of no return.
func TestNotToTheEnd(t *testing.T) {
	r := keptRun(t, "../testdata/sigma-suspects-once-lemma-8.json")
	require.Positive(t, draw.New(r).Loop)
	i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == r.Trace.Protocol })
	part, err := replay.Until(impl.Suite[i], r.Trace, nil, len(r.Records)-1)
	require.NoError(t, err)
	d := draw.New(part)
	assert.Zero(t, d.Loop)
	for _, row := range d.Rows {
		assert.Empty(t, row.Marks)
	}
}

func picture(t *testing.T, d *draw.Diagram) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, d.SVG(&b))
	return b.String()
}

// wellFormed parses a picture as XML, and checks that it loads and runs nothing.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	reader := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := reader.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		if e, is := token.(xml.StartElement); is {
			require.Contains(t, []string{"svg", "title", "desc", "style", "rect", "path", "text", "circle", "g"}, e.Name.Local)
			for _, a := range e.Attr {
				require.False(t, strings.Contains(a.Name.Local, "href") || strings.HasPrefix(a.Name.Local, "on"), a.Name.Local)
			}
		}
	}
}

// lineOf matches the lines of a sequence diagram.
var lineOf = regexp.MustCompile(`^(sequenceDiagram|  acc(Title|Descr): [^;]*(#\d+;[^;]*)*|  participant n\d+ as [^;:]*(#\d+;[^;:]*)*|  n\d+(->>|-->>|--x)n\d+: [^;:]*(#\d+;[^;:]*)*|  Note over n\d+(,n\d+)?: [^;:]*(#\d+;[^;:]*)*|  loop [^;:]*(#\d+;[^;:]*)*|  end)$`)

func sequence(t *testing.T, d *draw.Diagram) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, d.Mermaid(&b))
	for line := range strings.Lines(b.String()) {
		require.Regexp(t, lineOf, strings.TrimSuffix(line, "\n"))
	}
	require.Equal(t, strings.Count(b.String(), "\n  loop "), strings.Count(b.String(), "\n  end\n"))
	require.Equal(t, d.Loop > 0, strings.Contains(b.String(), "\n  loop "))
}

// Both drawings equal their golden files.
func TestGolden(t *testing.T) {
	d := draw.New(run(t, model.Faults{Restarts: 1, Partitions: 1, Loss: 1, Duplication: 1},
		invokes, message("duplicate", "a", "b", "ping", 1), message("deliver", "a", "b", "ping", 1), crashes,
		message("deliver", "a", "b", "ping", 2), restarts, message("deliver", "a", "b", "ping", 3),
		message("lose", "a", "a", "ping", 1), returns, lies, cuts, fires))
	golden(t, "pings.svg", picture(t, d))
	var b bytes.Buffer
	require.NoError(t, d.Mermaid(&b))
	golden(t, "pings.mmd", b.String())
}

func keptRun(t *testing.T, file string) *replay.Run {
	t.Helper()
	tr, err := traces.Load(file)
	require.NoError(t, err, file)
	i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
	r, err := replay.Replay(impl.Suite[i], tr, judge.Watched(impl.Suite[i].Statements()))
	require.NoError(t, err, file)
	return r
}

// All drawings of four stored runs are on golden pages, to be viewed in a browser: a timed run with sections
// and holds, a run with a liar, a lasso, and a truncated run. A page has the picture with both rules for
// heights, with marks, the strips, the legends, and the sequence diagram.
func TestGoldenRuns(t *testing.T) {
	for _, name := range []string{"backoff-lease-short-lemma-1", "ordering-b-pending-theorem-1", "sigma-suspects-once-lemma-8", "swim-cut-off-no-false-confirmation"} {
		r := keptRun(t, filepath.Join("..", "testdata", name+".json"))
		var page strings.Builder
		page.WriteString("<!doctype html><meta charset=utf-8>\n")
		d := draw.New(r)
		page.WriteString(picture(t, d))
		why.Explain(r).Annotate(d)
		d.Scaled = d.Timed && !d.Scaled
		page.WriteString(picture(t, d))
		d.Bare = true
		page.WriteString(d.Head())
		for s := range d.Strips(5) {
			page.WriteString(s.SVG)
		}
		page.WriteString(d.Legend() + strings.Join(d.Legends(), ""))
		page.WriteString("<pre>")
		require.NoError(t, draw.NewFrom(r, 3).Mermaid(&page))
		require.NoError(t, d.Mermaid(&page))
		golden(t, name+".html", page.String())
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "go test ./traces/draw -update writes it anew")
}

// The explanation of a violation is above the picture, folded to its width, and its rows are marked. In a
// bare picture only the rows are marked.
func TestTold(t *testing.T) {
	d := draw.New(run(t, model.Faults{Loss: 1}, invokes, message("lose", "a", "b", "ping", 1)))
	long := strings.Repeat("the message < to b was lost ", 12)
	d.Claim, d.Why, d.Marked = "all arrive", []string{long}, []int{2}
	svg := picture(t, d)
	wellFormed(t, svg)
	require.Equal(t, 1, strings.Count(svg, "<title>spoken of above</title>"))
	require.Contains(t, svg, `<text class="soft" x="16" y="98">the message &lt; to b was lost`)
	require.Contains(t, svg, `<text class="soft" x="16" y="120">`, "it is folded")
	d.Bare = true
	require.Equal(t, 1, strings.Count(picture(t, d), "<title>spoken of above</title>"))
	require.NotContains(t, picture(t, d), "&lt; to b")
}
