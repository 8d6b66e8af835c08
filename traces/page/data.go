package page

import (
	"encoding/json"
	"html/template"
	"slices"

	"contend/traces/draw"
)

// data is what the script reads.
type data struct {
	Nodes  []string `json:"nodes"`
	Lanes  []int    `json:"lanes"`  // of each step the node where it happens; -1: at none
	Before [][]int  `json:"before"` // of each step the steps right before it
	Claims []claim  `json:"claims"`
	Strips []strip  `json:"strips"`
	Loop   int      `json:"loop,omitempty"` // the first step of the round that the run repeats for ever
}

// A strip is some of the steps, with their part of the diagram.
type strip struct {
	From int `json:"from"`
	To   int `json:"to"` // the last is excluded
	// Steps is a [happened], as it is or, in a long run, packed.
	Steps json.RawMessage `json:"steps"`
	// Picture is that part of the diagram, packed; "" where the document has it.
	Picture string `json:"picture,omitempty"`
	// Other is the same part drawn by the other rule for heights, of a timed run.
	Other *drawing `json:"other,omitempty"`

	Tall int           `json:"-"` // for the document
	SVG  template.HTML `json:"-"`
}

// A drawing is a part of a diagram, packed, and how tall it is, in pixels.
type drawing struct {
	Tall   int    `json:"tall"`
	Packed string `json:"packed"`
}

// happened are the steps of a strip.
type happened struct {
	Before []state `json:"before"` // the state of each node before them
	Steps  []step  `json:"steps"`
}

// A step is what happens.
type step struct {
	Time    string   `json:"time,omitempty"`
	Who     string   `json:"who"`
	What    string   `json:"what"`
	Details []string `json:"details,omitempty"`
	After   *state   `json:"after,omitempty"` // of its node, where the step touches that
}

// A state is that of a node: what of it is neither zero nor empty. A node that is down has none.
type state struct {
	Down   bool    `json:"down,omitempty"`
	Fields []field `json:"fields,omitempty"`
}

// A field of a state.
type field struct {
	Name string `json:"name"`
	Is   string `json:"is"`
}

// A claim that was watched, and the step that broke it; -1 where none did. Of one about a goal that is
// the step that made it inevitable, where that is known.
type claim struct {
	Name       string `json:"name"`
	Step       int    `json:"step"`
	Text       string `json:"text"`
	Inevitable string `json:"inevitable,omitempty"` // in words: since when
	Goal       bool   `json:"goal,omitempty"`
	// Turns are the steps in which it turns, as those of a [replay.Run].
	Turns []int `json:"turns,omitempty"`
}

func dataOf(d *draw.Diagram, parts Parts) (*data, error) {
	out := &data{Before: d.Before(), Loop: d.Loop, Claims: parts.Claims}
	for _, l := range d.Lanes {
		out.Nodes = append(out.Nodes, l.Name)
	}
	for _, r := range d.Rows {
		out.Lanes = append(out.Lanes, r.Lane)
	}
	states, packer := &states{now: slices.Clone(parts.First), after: parts.After}, newPacker()
	for part := range d.Strips(stripRows) {
		steps, err := json.Marshal(states.over(d.Rows[part.From:part.To], part.From))
		if err != nil {
			return nil, err
		}
		s := strip{From: part.From, To: part.To, Tall: part.Tall}
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
			out.Strips[k].Other = &drawing{part.Tall, packer.pack([]byte(part.SVG))}
			k++
		}
	}
	return out, nil
}

// states are those of all nodes, as far as a run has been read.
type states struct {
	now   []state
	after []*state
}

// over reads on, over the rows that begin with the step from.
func (s *states) over(rows []draw.Row, from int) happened {
	out := happened{Before: append([]state(nil), s.now...)}
	for i, r := range rows {
		is := step{Time: r.Time, Who: r.Who, What: short(r.What)}
		for _, d := range r.Details {
			is.Details = append(is.Details, short(d))
		}
		for _, m := range r.Marks {
			is.Details = append(is.Details, m.Text)
		}
		if from+i > 0 && r.Lane >= 0 && s.after[from+i-1] != nil {
			is.After = s.after[from+i-1]
			s.now[r.Lane] = *is.After
		}
		out.Steps = append(out.Steps, is)
	}
	return out
}
