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

// mostKept is how many bytes the picture of a trace has at most: that of a longer run is not kept.
const mostKept = 4 << 20

// kept is a picture as a trace has it. What the trace says elsewhere is not said again.
type kept struct {
	Of     string        `json:"of"`   // the digest of the steps
	Time   string        `json:"time"` // how the trace reads time, in words
	Nodes  []node        `json:"nodes"`
	Start  line          `json:"start,omitzero"` // what the nodes do before the first step
	Steps  []line        `json:"steps"`
	Arrows []arrow       `json:"arrows,omitempty"`
	Bars   []bar         `json:"bars,omitempty"`
	Notes  []show.Note   `json:"notes,omitempty"`
	Result []show.Result `json:"result"`
	End    *show.Stood   `json:"end,omitempty"`
	Why    []string      `json:"why,omitempty"`
	Short  []string      `json:"short,omitempty"` // those sentences of why that say most
	Told   []int         `json:"told,omitempty"`  // the steps of which they speak
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

// Record returns the trace of a run with its picture, or without one where that would be too large.
func Record(run *replay.Run) (*traces.Trace, error) {
	t := *run.Trace
	t.Picture, t.Programs = nil, wrapped.Origins(run.World.System)
	k := keep(Of(run))
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
	if text := bytes.TrimSpace(b.Bytes()); len(text) <= mostKept {
		t.Picture = text
	}
	return &t, nil
}

// Recorded replays a trace with these claims, as [replay.Replay] does, and returns it with its picture; as it is where
// it does not replay.
func Recorded(p *model.Protocol, t *traces.Trace, claims []model.Claim) *traces.Trace {
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

func keep(p *Picture) kept {
	d := p.Diagram
	k := kept{Notes: p.Told.Notes, Result: p.Told.Result, End: p.Told.End, Why: p.Why.Sentences, Short: p.Why.Short, Told: p.Why.Steps, Parts: p.Parts}
	for _, f := range p.Told.Head {
		if f.Who == "time" {
			k.Time = f.Is
		}
	}
	for _, l := range d.Lanes {
		k.Nodes = append(k.Nodes, node{l.Name, l.Byzantine})
	}
	for i, r := range d.Rows {
		is := line{Who: r.Who, What: r.What, Details: r.Details, Lane: r.Lane, Broken: r.Broken}
		if i > 0 {
			k.Steps = append(k.Steps, is)
		} else {
			k.Start = is
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

// digest names the steps of a trace.
func digest(steps []traces.Step) (string, error) {
	data, err := json.Marshal(steps)
	return fmt.Sprintf("%.8x", sha256.Sum256(data)), err
}

// Read reads the picture that a trace keeps; nil where it keeps none, or one of other steps: then somebody
// has edited them. The error is a sentence that names
// the field.
func Read(t *traces.Trace) (*Picture, error) {
	if t.Picture == nil {
		return nil, nil
	}
	var k kept
	d := json.NewDecoder(bytes.NewReader(t.Picture))
	d.DisallowUnknownFields()
	if err := d.Decode(&k); err != nil {
		return nil, fmt.Errorf("picture: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if of, err := digest(t.Steps); err != nil || of != k.Of {
		return nil, err
	}
	if err := k.check(t); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	p := &Picture{Trace: t, Why: why.Explanation{Sentences: k.Why, Short: k.Short, Steps: k.Told}, Parts: k.Parts, Diagram: k.diagram(t)}
	p.Why.Tell(p.Diagram)
	p.Told = k.told(t, p.Diagram)
	return p, nil
}

// diagram is the drawing.
func (k *kept) diagram(t *traces.Trace) *draw.Diagram {
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
		bars = append(bars, draw.Bar{Kind: lasting[b.Kind], Lane: b.Lane, From: b.From, To: b.To, Label: b.Label, Open: b.Open, Until: b.Until})
	}
	return draw.Again(t, lanes, k.rows(t), arrows, bars)
}

// rows are the steps, behind the start.
func (k *kept) rows(t *traces.Trace) []draw.Row {
	start := draw.Row{Lane: -1, Line: show.Line{Who: k.Start.Who, What: k.Start.What, Details: k.Start.Details}, Broken: k.Start.Broken}
	if t.Timed() {
		start.Time = "0"
	}
	rows := []draw.Row{start}
	for i, s := range k.Steps {
		kind, _ := model.ParseEventKind(t.Steps[i].Kind) // it was checked as the trace was read
		rows = append(rows, draw.Row{
			Line: show.LineOf(i+1, t.Steps[i], s.Who, s.What, s.Details), Lane: s.Lane, Broken: s.Broken,
			Kind: kind, Fault: kind.Adversarial(), At: ticks(t.Steps[i].At),
		})
	}
	return rows
}

// ticks is an instant as a number; 0 where there is none.
func ticks(at string) float64 {
	if r, ok := new(big.Rat).SetString(at); ok {
		f, _ := r.Float64()
		return f
	}
	return 0
}

// told is the text.
func (k *kept) told(t *traces.Trace, d *draw.Diagram) *show.Told {
	out := &show.Told{Title: d.Title, Head: show.Head(t, k.Time), Notes: k.Notes, Result: k.Result, End: k.End}
	for i, r := range d.Rows {
		if i > 0 || len(r.Details) > 0 {
			out.Lines = append(out.Lines, r.Line)
		}
	}
	return out
}

// What an arrow or a bar may be, by its word.
var (
	fates   = named(draw.Arrived, draw.Doubled, draw.Repeated, draw.Forged, draw.Unheard, draw.Lost, draw.InFlight)
	lasting = named(draw.Operation, draw.Section, draw.Down, draw.Alarm, draw.Hold, draw.Cut)
)

func named[T fmt.Stringer](all ...T) map[string]T {
	by := map[string]T{}
	for _, v := range all {
		by[v.String()] = v
	}
	return by
}
