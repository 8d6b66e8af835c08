package traces

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
)

// missing says that no pending event has a step's name, and which are close.
func (r *replay) missing(kind model.EventKind, s Step) string {
	text := map[model.EventKind]string{
		model.Deliver: "no such message is in flight", model.Lose: "no such message is in flight",
		model.Duplicate: "no such message is in flight", model.Timeout: "no such alarm is set",
		model.Expire: "no such alarm is set", model.Invoke: "no such operation is to be invoked",
		model.Return: "no such result is returned", model.Release: "no such release is due",
		model.Suspect: "no such report is under way", model.Trust: "no such report is under way",
		model.Heal: "the network is not cut so",
	}[kind]
	var near []string
	for _, e := range r.w.Pending() {
		if n := named(r.w, kind, e); becomes(kind, e) && n.From == s.From && n.To == s.To {
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

// untimely says why a move cannot happen at an instant, or nothing.
func (r *replay) untimely(m world.Move, at world.Time) string {
	if at < r.w.Now {
		return fmt.Sprintf("time runs backwards: it is at %s, after a step at %s", r.ticks(at), r.ticks(r.w.Now))
	}
	if m.Kind.Adversarial() {
		return r.overdue(at)
	}
	earliest, last, ok := r.w.Fires(m.Event)
	if ok && (!r.t.Timed() || earliest <= at && at <= last) {
		return ""
	}
	if r.t.Timed() {
		w := r.due(m.Event)
		if at < w.lo || at == w.lo && w.loOpen || w.past(at) {
			return fmt.Sprintf("it cannot happen at %s: its window is %s", r.ticks(at), w.String(r.parts))
		}
		if text := r.overdue(at); text != "" {
			return text
		}
	}
	return "an earlier message on its channel is still in flight"
}

// overdue names the pending event that had to happen before an instant.
func (r *replay) overdue(at world.Time) string {
	if !r.t.Timed() {
		return ""
	}
	pending := r.w.Pending()
	i := slices.IndexFunc(pending, func(e *world.Event) bool { return !e.Optional && r.due(e).past(at) })
	if i < 0 {
		return ""
	}
	e := pending[i]
	return fmt.Sprintf("it cannot happen at %s: first, %s must, in %s", r.ticks(at), named(r.w, e.Kind, e), r.due(e).String(r.parts))
}

func (r *replay) ticks(t world.Time) string { return formatInstant(t, r.parts) }

func (r *replay) due(e *world.Event) due { return dueOf(e, r.parts) }

// A due says when a pending event may happen, in the world's time.
type due struct {
	lo, hi         world.Time
	loOpen, hiOpen bool
	endless        bool
}

func dueOf(e *world.Event, parts int64) due {
	d := due{lo: e.Born + world.Time(int64(e.Window.Lo.At)*parts), loOpen: e.Window.Lo.Open, endless: e.Window.Hi.At == model.Forever}
	if !d.endless {
		d.hi, d.hiOpen = e.Born+world.Time(int64(e.Window.Hi.At)*parts), e.Window.Hi.Open
	}
	return d
}

// past reports whether the window is over at an instant.
func (d due) past(at world.Time) bool { return !d.endless && (at > d.hi || at == d.hi && d.hiOpen) }

// String writes the window in ticks.
func (d due) String(parts int64) string {
	left, right := "[", "]"
	if d.loOpen {
		left = "("
	}
	if d.endless {
		return left + formatInstant(d.lo, parts) + ", ∞)"
	}
	if d.hiOpen {
		right = ")"
	}
	return left + formatInstant(d.lo, parts) + ", " + formatInstant(d.hi, parts) + right
}
