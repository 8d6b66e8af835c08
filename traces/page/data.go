package page

import (
	"encoding/json"
	"html/template"
	"slices"

	"contend/traces/draw"
)

// data is the input of the script.
type data struct {
	Nodes  []string `json:"nodes"`
	Lanes  []int    `json:"lanes"`  // the node of each step; -1 if none
	Before [][]int  `json:"before"` // the steps that directly happened before each step
	Claims []claim  `json:"claims"`
	Strips []strip  `json:"strips"`
	Loop   int      `json:"loop,omitempty"` // the first step of the loop of a lasso
}

// A strip is a range of steps, with their part of the diagram.
type strip struct {
	From int `json:"from"`
	To   int `json:"to"` // exclusive
	// Steps is the JSON of a [stripSteps], packed in a long run.
	Steps json.RawMessage `json:"steps"`
	// Picture is the packed SVG, or "" if the document contains it.
	Picture string `json:"picture,omitempty"`
	// Other is the drawing by the other rule for heights, in a timed run.
	Other *drawing `json:"other,omitempty"`

	Tall int           `json:"-"` // for the document
	SVG  template.HTML `json:"-"`
}

// A drawing is a packed SVG, with its height in pixels.
type drawing struct {
	Tall   int    `json:"tall"`
	Packed string `json:"packed"`
}

// A stripSteps has the steps of a strip.
type stripSteps struct {
	Before []state `json:"before"` // the state of each node before the first of the steps
	Steps  []step  `json:"steps"`
}

// A step has the texts of a step.
type step struct {
	Time    string   `json:"time,omitempty"`
	Who     string   `json:"who"`
	What    string   `json:"what"`
	Details []string `json:"details,omitempty"`
	After   *state   `json:"after,omitempty"` // the node's state, if the step sets it
}

// A state has the fields of a node that are neither zero nor empty. A node that is down has none.
type state struct {
	Down   bool    `json:"down,omitempty"`
	Fields []field `json:"fields,omitempty"`
}

// A field is a field of a state.
type field struct {
	Name string `json:"name"`
	Is   string `json:"is"`
}

// A claim is a monitored claim with the step that violated it, or -1. For a claim with a goal, that is the
// point of no return if it is known.
type claim struct {
	Name       string `json:"name"`
	Step       int    `json:"step"`
	Text       string `json:"text"`
	Inevitable string `json:"inevitable,omitempty"` // a text for the point of no return
	Goal       bool   `json:"goal,omitempty"`
	// Turns has the steps of [replay.Run.Turns].
	Turns []int `json:"turns,omitempty"`
}

func newData(d *draw.Diagram, parts Parts) (*data, error) {
	out := &data{Before: d.Before(), Loop: d.Loop, Claims: parts.Claims}
	for _, l := range d.Lanes {
		out.Nodes = append(out.Nodes, l.Name)
	}
	for _, r := range d.Rows {
		out.Lanes = append(out.Lanes, r.Lane)
	}
	states, packer := &states{now: slices.Clone(parts.First), after: parts.After}, newPacker()
	for part := range d.Strips(stripRows) {
		steps, err := json.Marshal(states.apply(d.Rows[part.From:part.To], part.From))
		if err != nil {
			return nil, err
		}
		s := strip{From: part.From, To: part.To, Tall: part.Height}
		if len(d.Rows) > plainRows {
			s.Steps, s.Picture = []byte(`"`+packer.pack(steps)+`"`), packer.pack([]byte(part.SVG))
		} else {
			s.Steps, s.SVG = steps, template.HTML(part.SVG)
		}
		out.Strips = append(out.Strips, s)
	}
	if d.Timed {
		other := *d
		other.Scaled = !d.Scaled
		k := 0
		for part := range other.Strips(stripRows) {
			out.Strips[k].Other = &drawing{part.Height, packer.pack([]byte(part.SVG))}
			k++
		}
	}
	return out, nil
}

// states has the present states of all nodes.
type states struct {
	now   []state
	after []*state
}

// apply applies the rows and returns their texts. The first row is step from.
func (s *states) apply(rows []draw.Row, from int) stripSteps {
	out := stripSteps{Before: append([]state(nil), s.now...)}
	for i, r := range rows {
		text := step{Time: r.Time, Who: r.Who, What: short(r.What)}
		for _, d := range r.Details {
			text.Details = append(text.Details, short(d))
		}
		for _, m := range r.Marks {
			text.Details = append(text.Details, m.Text)
		}
		if from+i > 0 && r.Lane >= 0 && s.after[from+i-1] != nil {
			text.After = s.after[from+i-1]
			s.now[r.Lane] = *text.After
		}
		out.Steps = append(out.Steps, text)
	}
	return out
}
