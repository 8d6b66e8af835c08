package step

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker/search/component"
	"contend/model"
)

// never is the end of a window that has none.
const never = int64(1) << 62

// stated is a state in the words of [contend/model/world.World.State], so that states of the two
// can be compared. Of windows it has whole ticks, or nothing.
func stated(w *Worker, v []uint32) string {
	return timedState(w, v, func(k int) (from, to int64, timed bool) {
		f := w.Flats[v[k]]
		if to = int64(f.Hi); f.Hi == component.Endless {
			to = never
		}
		return int64(f.Lo), to, w.Timed && !w.Dense
	})
}

// timedState is a state with the window that is left of each part; one that is over has an end below zero.
func timedState(w *Worker, v []uint32, left func(k int) (from, to int64, timed bool)) string {
	var out []string
	past := func(id uint32) []int32 {
		if !w.pasts {
			return nil
		}
		return w.Past(id)
	}
	for i := range w.N {
		op, mine := uint32(0), make([]int32, w.N)
		if w.AppOf[i] >= 0 {
			op = v[w.AppOf[i]]
		}
		if w.pasts {
			mine = past(v[w.pastAt+i])
		}
		out = append(out, fmt.Sprintf("%s %x op %d busy %v down %v past %v", w.name(i), localBytes(w, v[i]), op>>1, op&1 == 1, downs(w, v, i), mine))
		if k := w.findRestart(v, i); k >= 0 {
			out = append(out, fmt.Sprintf("%s comes back as %x", w.name(i), localBytes(w, w.restartState(v[k]))))
		}
		out = append(out, heldBy(w, v, i, w.name(i), left)...)
	}
	m := 0
	for _, c := range w.Claims {
		if c.Monitor != nil {
			out = append(out, fmt.Sprintf("claim %s %x", c.Name, localBytes(w, v[w.MonitorAt+m])))
			out = append(out, heldBy(w, v, w.N+m, "claim "+c.Name, left)...)
			m++
		}
	}
	out = append(out, fmt.Sprintf("budget %+v", budgetOf(w, v)))
	var events, delivered []line
	for k := w.Head; k < len(v); k++ {
		f := w.Flats[v[k]]
		b := w.Store.Bases.Items[f.Base]
		if f.Kind >= component.Hold && f.Kind != component.Delivered {
			continue
		}
		kind, prefix := model.EventKind(f.Kind), ""
		if f.Kind == component.Delivered {
			kind, prefix = model.Deliver, "delivered "
		}
		slot, monitor := placeOf(w, &b)
		text := fmt.Sprintf("%s%v %d→%d %x op %d optional %v monitor %d past %v%s", prefix, kind, f.From, slot, w.Store.Values.Items[b.Value], b.Op, f.Optional, monitor, past(b.Past), windowOf(left(k)))
		key := text
		if prefix == "" && kind == model.Deliver && !f.Optional && w.Sys.Network.Channel == model.FIFO {
			key = fmt.Sprintf("%v %d→%d", kind, f.From, slot)
		}
		if l := (line{key, int(f.Pos), text}); prefix == "" {
			events = append(events, l)
		} else {
			delivered = append(delivered, l)
		}
	}
	return strings.Join(slices.Concat(out, sorted(events), sorted(delivered)), "\n")
}

// A line is one of an event, with what it is sorted by.
type line struct {
	key  string
	pos  int
	text string
}

func sorted(lines []line) (out []string) {
	slices.SortFunc(lines, func(a, b line) int {
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		return a.pos - b.pos
	})
	for _, l := range lines {
		out = append(out, l.text)
	}
	return out
}

func (w *Worker) name(i int) string { return w.Sys.Name(model.NodeID(i)) }

func localBytes(w *Worker, id uint32) string { return w.Store.Locals.Items[id].Bytes }

func downs(w *Worker, v []uint32, i int) bool {
	return v[i] == component.Down && !w.Sys.Nodes[i].Byzantine
}

func budgetOf(w *Worker, v []uint32) (f model.Faults) {
	b := v[w.BudgetAt]
	f.Loss, f.Duplication, f.Crashes, f.Restarts = int(b&255), int(b>>8&255), int(b>>16&255), int(b>>24)
	if w.moreAt >= 0 {
		f.Suspicions, f.Partitions = int(v[w.moreAt]&255), int(v[w.moreAt]>>8)
	}
	return f
}

func windowOf(from, to int64, timed bool) string {
	switch {
	case !timed:
		return ""
	case to == never:
		return fmt.Sprintf(" from %d", from)
	}
	return fmt.Sprintf(" from %d to %d", from, to)
}

// heldBy are the lines of what a node or monitor holds.
func heldBy(w *Worker, v []uint32, slot int, who string, left func(k int) (from, to int64, timed bool)) (out []string) {
	for k := w.Head; k < len(v); k++ {
		f := w.Flats[v[k]]
		_, to, timed := left(k)
		if f.Kind != component.Hold || int(f.Slot) != slot || timed && to < 0 {
			continue
		}
		line := fmt.Sprintf("%s holds %x", who, w.Store.Values.Items[w.Store.Bases.Items[f.Base].Value])
		if timed {
			line += fmt.Sprintf(" for %d", to)
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}
