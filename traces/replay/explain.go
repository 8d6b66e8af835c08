package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// missing returns the reason that a step names no pending event, with up to three similar events.
func (r *Replayer) missing(kind model.EventKind, s traces.Step) string {
	text := map[model.EventKind]string{
		model.Deliver: "no such message is in flight", model.Lose: "no such message is in flight",
		model.Duplicate: "no such message is in flight", model.Timeout: "no such alarm is set",
		model.Expire: "no such alarm is set", model.Invoke: "no such operation is to be invoked",
		model.Return: "no such result is returned", model.Release: "no such release is due",
		model.Suspect: "no such report is under way", model.Trust: "no such report is under way",
		model.Heal: "the network is not cut so",
	}[kind]
	var near []string
	for _, e := range r.World.Pending() {
		if n := traces.Named(r.World, kind, e); becomes(kind, e) && n.From == s.From && n.To == s.To {
			near = append(near, fmt.Sprintf("%s #%d", n.Type, n.Occurrence))
		}
	}
	if len(near) == 0 {
		return text
	}
	if len(near) > 3 {
		near = append(near[:3], "…")
	}
	return text + ", only " + strings.Join(near, ", ")
}

// untimely returns the reason that a move cannot happen at an instant, or "".
func (r *Replayer) untimely(m world.Move, instant world.Time) string {
	if instant < r.World.Now {
		return fmt.Sprintf("time runs backwards: it is at %s, after a step at %s", r.ticks(instant), r.ticks(r.World.Now))
	}
	if m.Kind.Adversarial() {
		return r.overdue(instant)
	}
	earliest, last, ok := r.World.Fires(m.Event)
	if ok && earliest <= instant && instant <= last {
		return ""
	}
	w := r.due(m.Event)
	if instant < w.Lo || instant == w.Lo && w.LoOpen || w.Past(instant) {
		return fmt.Sprintf("it cannot happen at %s: its window is %s", r.ticks(instant), w.String(r.parts))
	}
	return cmp.Or(r.overdue(instant), "an earlier message on its channel is still in flight")
}

// overdue returns a text that names a pending event whose window ends before the instant, or "".
func (r *Replayer) overdue(instant world.Time) string {
	pending := r.World.Pending()
	i := slices.IndexFunc(pending, func(e *world.Event) bool { return !e.Optional && r.due(e).Past(instant) })
	if i < 0 {
		return ""
	}
	e := pending[i]
	return fmt.Sprintf("it cannot happen at %s: first, %s must, in %s", r.ticks(instant), traces.Named(r.World, e.Kind, e), r.due(e).String(r.parts))
}

func (r *Replayer) ticks(t world.Time) string { return traces.Ticks(t, r.parts) }

func (r *Replayer) due(e *world.Event) Due { return DueOf(e, r.parts) }
