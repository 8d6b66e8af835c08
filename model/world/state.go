package world

import (
	"fmt"
	"slices"

	"contend/model"
)

// State describes the state of a run in lines that two runs share exactly when the
// same can happen from now on: nodes and their applications, what is pending and
// held with the time that is left of it, the budget, the monitors.
func (w *World) State() []string {
	var out []string
	for i, n := range w.nodes {
		id := model.NodeID(i)
		out = append(out, fmt.Sprintf("%s %x op %d busy %v down %v past %v", w.System.Name(id), w.Node(id), n.op, n.busy, n.down, n.past))
		out = append(out, w.heldLines(w.System.Name(id), n.holds)...)
	}
	for _, m := range w.monitors {
		out = append(out, fmt.Sprintf("claim %s %x", m.claim, w.Codec.Node(m.live, nil)))
		out = append(out, w.heldLines("claim "+m.claim, m.holds)...)
	}
	out = append(out, fmt.Sprintf("budget %+v", w.budget))
	pending := w.eventLines("", w.pending)
	if w.System.Network.Channel != model.FIFO {
		slices.Sort(pending)
	}
	delivered := w.eventLines("delivered ", w.past)
	slices.Sort(delivered)
	return slices.Concat(out, pending, delivered)
}

func (w *World) eventLines(prefix string, events []*Event) []string {
	var out []string
	for _, e := range events {
		line := fmt.Sprintf("%s%v %d→%d %x op %d optional %v past %v", prefix, e.Kind, e.From, e.Node, w.Codec.Any(e.Value, nil), e.Op, e.Optional, e.causalPast)
		if w.opt.Timed {
			lo, hi, _, _ := w.window(e)
			line += fmt.Sprintf(" from %d to %d", max(0, lo-w.Now), min(hi, never-1+w.Now)-w.Now)
		}
		out = append(out, line)
	}
	return out
}

func (w *World) heldLines(who string, holds map[string]*hold) []string {
	var out []string
	for k, h := range holds {
		line := fmt.Sprintf("%s holds %x", who, k)
		if w.opt.Timed {
			left := h.since + Time(int64(h.length.At)*w.opt.Parts) - w.Now
			if left < 0 || left == 0 && h.length.Open {
				continue // over, and it stays so
			}
			line += fmt.Sprintf(" for %d, open %v", left, h.length.Open)
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}
