package export

import (
	"io"
	"slices"

	"contend/traces/draw"
	"contend/traces/picture"
)

// WritePictureITF writes a picture like [ITF] writes a run. A picture has the fields of states and the messages
// as texts, so each is a string.
func WritePictureITF(w io.Writer, p *picture.Picture) error {
	states := make([]state, 0, len(p.Diagram.Rows))
	flights := flights(p.Diagram)
	now := make([]any, len(p.Diagram.Lanes))
	for i, texts := range p.Parts.First {
		now[i] = texts.Texts()
	}
	for i, row := range p.Diagram.Rows {
		what := "start"
		if i > 0 {
			what = row.Who + ": " + row.What
			if texts := p.Parts.After[i-1]; texts != nil && row.Lane >= 0 {
				now[row.Lane] = texts.Texts()
			}
		}
		states = append(states, newTextState(p.Diagram, flights, i, what, now))
	}
	return writeITF(w, p.Trace, slices.Values(states))
}

// newTextState returns the state after a step. A node that is down, or has no state, is None.
func newTextState(d *draw.Diagram, flights []draw.Arrow, step int, what string, now []any) state {
	s := state{Meta: map[string]int{"index": step}, Step: what, Network: []any{}}
	all := [][2]any{}
	for i, l := range d.Lanes {
		value := any(none)
		if fields, _ := now[i].(map[string]string); fields != nil && !l.Byzantine {
			value = map[string]any{"tag": "Some", "value": fields}
		}
		all = append(all, [2]any{l.Name, value})
	}
	s.Nodes = map[string]any{"#map": all}
	for _, a := range flights {
		if a.Sent <= step && (step < a.End || a.Fate == draw.InFlight) {
			s.Network = append(s.Network, map[string]any{"from": d.Lanes[a.From].Name, "to": d.Lanes[a.To].Name, "message": a.Label})
		}
	}
	return s
}

// flights returns the messages with Sent set to the row from which they are in flight: a duplicate from its
// creation. Messages that arrive again after a restart are omitted.
func flights(d *draw.Diagram) []draw.Arrow {
	all := slices.DeleteFunc(slices.Clone(d.Arrows), func(a draw.Arrow) bool { return a.Fate == draw.Repeated })
	made := map[int]bool{}
	for row, r := range d.Rows {
		copied := -1
		for i, a := range all {
			text := d.Lanes[a.From].Name + " → " + d.Lanes[a.To].Name + ": " + a.Label + " is doubled"
			if text == r.Who+": "+r.What && !made[i] && a.Sent < row && row <= a.End && (copied < 0 || a.Fate == draw.Doubled) {
				copied = i
			}
		}
		if copied >= 0 {
			made[copied], all[copied].Sent = true, row
		}
	}
	return all
}
