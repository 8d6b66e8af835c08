package export

import (
	"io"
	"slices"

	"contend/traces/draw"
	"contend/traces/picture"
)

// ITFOf writes a picture as [ITF] writes a run. A picture has the fields of states and the messages as
// text: here each is a string.
func ITFOf(w io.Writer, p *picture.Picture) error {
	states := make([]state, 0, len(p.Diagram.Rows))
	now := make([]any, len(p.Diagram.Lanes))
	for i, is := range p.Parts.First {
		now[i] = is.Texts()
	}
	for i, row := range p.Diagram.Rows {
		what := "start"
		if i > 0 {
			what = row.Who + ": " + row.What
			if is := p.Parts.After[i-1]; is != nil && row.Lane >= 0 {
				now[row.Lane] = is.Texts()
			}
		}
		states = append(states, textState(p.Diagram, i, what, now))
	}
	return writeITF(w, p.Trace, slices.Values(states))
}

// textState is the state after a step: a node that is down, or has no state, is None.
func textState(d *draw.Diagram, step int, what string, now []any) state {
	s := state{Meta: map[string]int{"index": step}, Step: what, Network: []any{}}
	all := [][2]any{}
	for i, l := range d.Lanes {
		is := any(none)
		if fields, ok := now[i].(map[string]string); ok && fields != nil && !l.Byzantine {
			is = map[string]any{"tag": "Some", "value": fields}
		}
		all = append(all, [2]any{l.Name, is})
	}
	s.Nodes = map[string]any{"#map": all}
	for _, a := range d.Arrows {
		if a.Sent <= step && (step < a.End || a.Fate == draw.InFlight) {
			s.Network = append(s.Network, map[string]any{"from": d.Lanes[a.From].Name, "to": d.Lanes[a.To].Name, "message": a.Label})
		}
	}
	return s
}
