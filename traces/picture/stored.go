package picture

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"contend/model"
	"contend/model/wrapped"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/page"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/why"
)

// maxSize is the largest size of a stored picture, in bytes.
const maxSize = 4 << 20

// stored is the stored form of a picture. It omits the data that the trace has elsewhere.
type stored struct {
	Of     string         `json:"of"`   // the digest of the steps
	Time   string         `json:"time"` // the text for the time model
	Nodes  []node         `json:"nodes"`
	Start  line           `json:"start,omitzero"` // of the initial state
	Steps  []line         `json:"steps"`
	Arrows []arrow        `json:"arrows,omitempty"`
	Bars   []bar          `json:"bars,omitempty"`
	Notes  []show.Note    `json:"notes,omitempty"`
	Result []show.Result  `json:"result"`
	End    *show.Snapshot `json:"end,omitempty"`
	Why    []string       `json:"why,omitempty"`
	Short  []string       `json:"short,omitempty"` // the most important sentences of Why
	Told   []int          `json:"told,omitempty"`  // the steps that the sentences name
	page.Parts
}

type node struct {
	Name      string `json:"name"`
	Byzantine bool   `json:"byzantine,omitempty"`
}

type line struct {
	Who     string   `json:"who"`
	What    string   `json:"what"`
	Details []string `json:"details,omitempty"`
	Lane    int      `json:"lane"` // -1: at no node
	Broken  []string `json:"broken,omitempty"`
}

type arrow struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Sent   int    `json:"sent"`
	End    int    `json:"end"`
	Label  string `json:"label"`
	Fate   string `json:"fate"`
	Delay  string `json:"delay,omitempty"`
	Honest string `json:"honest,omitempty"`
}

type bar struct {
	Kind  string  `json:"kind"`
	Lane  int     `json:"lane"`
	From  int     `json:"from"`
	To    int     `json:"to"`
	Label string  `json:"label"`
	Open  bool    `json:"open,omitempty"`
	Until float64 `json:"until,omitempty"`
}

// Record returns the trace of a run with its picture. The picture is omitted if it is larger than 4 MiB.
func Record(run *replay.Run) (*traces.Trace, error) { return New(run).Record(run.World.System) }

// Record returns the trace of a run of a system with its picture: see the function [Record].
func (p *Picture) Record(s *model.System) (*traces.Trace, error) {
	t := *p.Trace
	t.Picture, t.Programs = nil, wrapped.Origins(s)
	k := keep(p)
	var err error
	if k.Of, err = digest(t.Steps); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(k); err != nil {
		return nil, err
	}
	if text := bytes.TrimSpace(b.Bytes()); len(text) <= maxSize {
		t.Picture = text
	}
	return &t, nil
}

// WithPicture replays a trace with [replay.Replay] and returns it with its picture. It returns t itself if the
// replay fails.
func WithPicture(p *model.Protocol, t *traces.Trace, claims []model.Claim) *traces.Trace {
	run, err := replay.Replay(p, t, claims)
	if err != nil {
		return t
	}
	with, err := Record(run)
	if err != nil {
		return t
	}
	return with
}

func keep(p *Picture) stored {
	d := p.Diagram
	k := stored{Notes: p.Report.Notes, Result: p.Report.Result, End: p.Report.End, Why: p.Why.Sentences, Short: p.Why.Short, Told: p.Why.Steps, Parts: p.Parts}
	for _, f := range p.Report.Head {
		if f.Subject == "time" {
			k.Time = f.Text
		}
	}
	for _, l := range d.Lanes {
		k.Nodes = append(k.Nodes, node{l.Name, l.Byzantine})
	}
	for i, r := range d.Rows {
		text := line{Who: r.Who, What: r.What, Details: r.Details, Lane: r.Lane, Broken: r.Broken}
		if i > 0 {
			k.Steps = append(k.Steps, text)
		} else {
			k.Start = text
		}
	}
	for _, a := range d.Arrows {
		k.Arrows = append(k.Arrows, arrow{a.From, a.To, a.Sent, a.End, a.Label, a.Fate.String(), a.Delay, a.Honest})
	}
	for _, b := range d.Bars {
		k.Bars = append(k.Bars, bar{b.Kind.String(), b.Lane, b.From, b.To, b.Label, b.Open, b.Until})
	}
	return k
}

// digest returns a hash of the steps of a trace.
func digest(steps []traces.Step) (string, error) {
	data, err := json.Marshal(steps)
	return fmt.Sprintf("%.8x", sha256.Sum256(data)), err
}

// Read returns the picture of a trace. It returns nil if the trace has none, or if its steps were edited since.
// The error names the field.
func Read(t *traces.Trace) (*Picture, error) {
	if t.Picture == nil {
		return nil, nil
	}
	var k stored
	d := json.NewDecoder(bytes.NewReader(t.Picture))
	d.DisallowUnknownFields()
	if err := d.Decode(&k); err != nil {
		return nil, fmt.Errorf("picture: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if sum, err := digest(t.Steps); err != nil || sum != k.Of {
		return nil, err
	}
	if err := k.check(t); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	p := &Picture{Trace: t, Why: why.Explanation{Sentences: k.Why, Short: k.Short, Steps: k.Told}, Parts: k.Parts, Diagram: k.diagram(t)}
	p.Why.Annotate(p.Diagram)
	p.Report = k.report(t, p.Diagram)
	return p, nil
}

// diagram returns the drawing.
func (k *stored) diagram(t *traces.Trace) *draw.Diagram {
	var lanes []draw.Lane
	for _, n := range k.Nodes {
		lanes = append(lanes, draw.Lane{Name: n.Name, Byzantine: n.Byzantine})
	}
	var arrows []draw.Arrow
	for _, a := range k.Arrows {
		arrows = append(arrows, draw.Arrow{From: a.From, To: a.To, Sent: a.Sent, End: a.End, Label: a.Label, Fate: fates[a.Fate], Delay: a.Delay, Honest: a.Honest})
	}
	var bars []draw.Bar
	for _, b := range k.Bars {
		bars = append(bars, draw.Bar{Kind: barKinds[b.Kind], Lane: b.Lane, From: b.From, To: b.To, Label: b.Label, Open: b.Open, Until: b.Until})
	}
	return draw.Restore(t, lanes, k.rows(t), arrows, bars)
}

// rows returns the rows of the drawing.
func (k *stored) rows(t *traces.Trace) []draw.Row {
	start := draw.Row{Lane: -1, Line: show.Line{Who: k.Start.Who, What: k.Start.What, Details: k.Start.Details}, Broken: k.Start.Broken}
	if t.Timed() {
		start.Time = "0"
	}
	rows := []draw.Row{start}
	for i, s := range k.Steps {
		kind, _ := model.ParseEventKind(t.Steps[i].Kind) // no error: the trace is valid
		rows = append(rows, draw.Row{
			Line: show.NewLine(i+1, t.Steps[i], s.Who, s.What, s.Details), Lane: s.Lane, Broken: s.Broken,
			Kind: kind, Fault: kind.Adversarial(), At: ticks(t.Steps[i].At),
		})
	}
	return rows
}

// ticks returns an instant as a number, or 0 for "".
func ticks(instant string) float64 {
	if r, ok := new(big.Rat).SetString(instant); ok {
		f, _ := r.Float64()
		return f
	}
	return 0
}

// report returns the text.
func (k *stored) report(t *traces.Trace, d *draw.Diagram) *show.Report {
	out := &show.Report{Title: d.Title, Head: show.Head(t, k.Time), Notes: k.Notes, Result: k.Result, End: k.End}
	for i, r := range d.Rows {
		if i > 0 || len(r.Details) > 0 {
			out.Lines = append(out.Lines, r.Line)
		}
	}
	return out
}

// The fates and kinds of bars by their texts.
var (
	fates    = byText(draw.Arrived, draw.Doubled, draw.Repeated, draw.Forged, draw.Unheard, draw.Lost, draw.InFlight)
	barKinds = byText(draw.Operation, draw.Section, draw.Down, draw.Alarm, draw.Hold, draw.Cut)
)

func byText[T fmt.Stringer](all ...T) map[string]T {
	by := map[string]T{}
	for _, v := range all {
		by[v.String()] = v
	}
	return by
}
