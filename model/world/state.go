package world

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
)

// State returns lines that are equal for two runs exactly if the same can happen next. They have the nodes with
// their applications, the pending events and holds with their remaining times, the budget, and the monitors.
func (w *World) State() []string {
	return slices.Concat(w.nodeLines(), w.eventLines("", w.pending), w.eventLines("delivered ", w.past))
}

// StateInOrder returns State with further lines. The pending events follow in an order, each with a note and
// whether it is disabled by a cut. Then come the messages that may arrive again after a restart, without a tag,
// and the measurements.
func (w *World) StateInOrder(order func(a, b *Event) int, note func(e *Event) string) []string {
	out := w.State()
	for _, e := range slices.SortedStableFunc(slices.Values(w.pending), order) {
		out = append(out, fmt.Sprintf("%s beyond a cut %v %s", w.eventLine(e, e.Optional), w.disabled[e], note(e)))
	}
	var repeats []*Event
	for _, e := range w.past {
		again := *e
		again.Tag = Tag{}
		repeats = append(repeats, &again)
	}
	for _, e := range slices.SortedStableFunc(slices.Values(repeats), order) {
		out = append(out, fmt.Sprintf("delivered %s %s", w.eventLine(e, false), note(e)))
	}
	return append(out, fmt.Sprint(w.Measured))
}

// nodeLines returns the lines of State on nodes and monitors.
func (w *World) nodeLines() (out []string) {
	for i, n := range w.nodes {
		id := model.NodeID(i)
		out = append(out, fmt.Sprintf("%s %x op %d busy %v down %v past %v", w.System.Name(id), w.Node(id), n.op, n.busy, n.down, n.past))
		if n.restart != nil {
			out = append(out, fmt.Sprintf("%s comes back as %x", w.System.Name(id), w.Codec.Node(n.restart, nil)))
		}
		out = append(out, w.heldLines(w.System.Name(id), n.holds)...)
	}
	for _, m := range w.monitors {
		out = append(out, fmt.Sprintf("claim %s %x", m.claim, w.Codec.Node(m.live, nil)))
		out = append(out, w.heldLines("claim "+m.claim, m.holds)...)
	}
	return append(out, fmt.Sprintf("budget %+v", w.budget))
}

// eventLines returns the lines of events. They are sorted, but messages of a FIFO channel stay in their order.
func (w *World) eventLines(prefix string, events []*Event) []string {
	type line struct{ key, text string }
	var lines []line
	for _, e := range events {
		optional := e.Optional && prefix == "" // a delivered message is not optional yet
		text := prefix + w.eventLine(e, optional)
		key := text
		if e.Kind == model.Deliver && !e.Optional && prefix == "" && w.System.Network.Channel == model.FIFO {
			key = fmt.Sprintf("%v %d→%d", e.Kind, e.From, e.Node)
		}
		lines = append(lines, line{key, text})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return strings.Compare(a.key, b.key) })
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.text
	}
	return out
}

func (w *World) eventLine(e *Event, optional bool) string {
	return fmt.Sprintf("%v %d→%d %x op %d optional %v monitor %d past %v%s", e.Kind, e.From, e.Node,
		w.Codec.Any(e.Value, nil), e.Op, optional, e.Monitor, e.causalPast, w.remaining(e))
}

// remaining returns a text for the remaining window of an event.
func (w *World) remaining(e *Event) string {
	if !w.opt.Timed {
		return ""
	}
	lo, hi, loOpen, hiOpen := w.window(e)
	if lo < w.Now {
		lo, loOpen = w.Now, false
	}
	if hi == never {
		return fmt.Sprintf(" from %d open %v", lo-w.Now, loOpen)
	}
	return fmt.Sprintf(" from %d open %v to %d open %v", lo-w.Now, loOpen, hi-w.Now, hiOpen)
}

func (w *World) heldLines(who string, holds map[string]*hold) []string {
	var out []string
	for k, h := range holds {
		line := fmt.Sprintf("%s holds %x", who, k)
		if w.opt.Timed {
			left := h.since + Time(int64(h.length.At)*w.opt.Parts) - w.Now
			if left < 0 || left == 0 && h.length.Open {
				continue // it stays over
			}
			line += fmt.Sprintf(" for %d, open %v", left, h.length.Open)
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}
