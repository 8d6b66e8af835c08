package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/traces/draw"
	"contend/traces/replay"
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

func dataOf(run *replay.Run, d *draw.Diagram) (*data, error) {
	out := &data{Before: d.Before(), Loop: d.Loop}
	for _, l := range d.Lanes {
		out.Nodes = append(out.Nodes, l.Name)
	}
	for _, r := range d.Rows {
		out.Lanes = append(out.Lanes, r.Lane)
	}
	for _, name := range claimsOf(run) {
		c := brokenBy(run, name)
		of, _ := run.World.Claim(name)
		c.Goal, c.Turns = of.HasGoal(), run.Turns[name]
		out.Claims = append(out.Claims, c)
	}
	states, packer := newStates(run), newPacker()
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

// claimsOf are those that were watched, and the one that is broken, though nobody need watch that no
// handler fails.
func claimsOf(run *replay.Run) []string {
	broken := run.Trace.Claim
	if broken == "" || slices.Contains(run.Watched, broken) {
		return run.Watched
	}
	return append(slices.Clone(run.Watched), broken)
}

// brokenBy says where a claim broke first.
func brokenBy(run *replay.Run, name string) claim {
	for _, v := range run.World.Violations {
		if v.Claim == name {
			return claim{Name: name, Step: v.Step, Text: short(v.Text)}
		}
	}
	if name == run.Trace.Claim {
		c := claim{Name: name, Step: len(run.Records), Text: short(strings.TrimSpace("its goal is not reached: " + run.Trace.Text))}
		if after, known := run.Trace.NoReturn.Point(); known {
			c.Step, c.Inevitable = after, since(after, run.Trace.NoReturn.AtLatest)
		}
		return c
	}
	return claim{Name: name, Step: -1}
}

// since says since when something is inevitable.
func since(step int, atLatest bool) string {
	switch {
	case step == 0:
		return "inevitable from the start"
	case atLatest:
		return fmt.Sprintf("inevitable since step %d at the latest", step)
	}
	return fmt.Sprintf("inevitable since step %d", step)
}

// states are those of all nodes, as far as a run has been read.
type states struct {
	run *replay.Run
	now []state
}

func newStates(run *replay.Run) *states {
	s := &states{run: run}
	for _, n := range run.First() {
		s.now = append(s.now, s.of(n))
	}
	return s
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
		if from+i > 0 && r.Lane >= 0 {
			is.After = s.after(r.Lane, s.run.Records[from+i-1])
		}
		out.Steps = append(out.Steps, is)
	}
	return out
}

// after is the state of a node after a record of it, nil where that does not touch it.
func (s *states) after(node int, r world.Record) *state {
	switch {
	case r.Move.Kind == model.Crash || r.Move.Kind == model.Stop:
		s.now[node] = state{Down: true}
	case r.After != nil:
		s.now[node] = s.of(r.After)
	default:
		return nil
	}
	is := s.now[node]
	return &is
}

// of is a node's state, an empty one of a node without.
func (s *states) of(n model.Node) (is state) {
	if n == nil {
		return is
	}
	for _, f := range value.Fields(n, s.run.World.System.Name) {
		is.Fields = append(is.Fields, field{f.Name, short(f.Is)})
	}
	return is
}
