package walk

import (
	"errors"
	"fmt"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// BeginAlong starts a walk with the steps of a trace that other claims monitored. Choices of monitors that are
// new are 0, and their alarms fire as late as possible. Alarms of monitors that are not present are skipped.
// The header is used as in [BeginAt].
func BeginAlong(p *model.Protocol, header *traces.Trace, claims []model.Claim, t *traces.Trace) (*Walk, error) {
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	parts, err := traces.PartsOf(t.Steps)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	begins := *header
	begins.Steps, begins.Boot = nil, t.Boot
	w, err := BeginIn(p, &begins, claims, parts)
	if err != nil {
		return nil, err
	}
	for i, s := range t.Renamed(w.run.World.System.Renamed).Steps {
		if text := w.takeLoosely(s); text != "" {
			return nil, replay.Diverges(i+1, s, text)
		}
	}
	return w, nil
}

// takeLoosely executes a step of such a trace. The text is the reason that the step is not possible, or "".
func (w *Walk) takeLoosely(s traces.Step) (text string) {
	if s.Kind == model.Expire.String() && !w.watches(s.To) {
		return ""
	}
	for w.expires(s) {
		// fire all alarms that are due
	}
	m, instant, text := w.r.Find(s)
	if text != "" {
		return text
	}
	o, ok := w.find(m)
	if !ok {
		return "it is not among what may happen"
	}
	answers := s.Choices
	for {
		err := w.Take(o, w.atOf(instant), answers)
		var ask *Ask
		switch {
		case err == nil:
			return ""
		case !errors.As(err, &ask):
			return err.Error()
		case ask.index < len(answers):
			return fmt.Sprintf("choice %d (%s) is %d, but must be 0 to %d", ask.index+1, ask.What, answers[ask.index], ask.Of-1)
		}
		answers = append(answers[:len(answers):len(answers)], 0)
	}
}

// watches reports whether the claim is monitored.
func (w *Walk) watches(claim string) bool {
	_, ok := w.run.World.MonitorStatus(claim)
	return ok
}

// atOf formats an instant as an argument of [Walk.Take].
func (w *Walk) atOf(instant world.Time) string {
	if !w.header.Timed() {
		return ""
	}
	return traces.Ticks(instant, w.run.Parts)
}

// expires fires an alarm of a monitor that must fire before a step. It reports false if there is none.
func (w *Walk) expires(before traces.Step) bool {
	instant, _ := w.r.At(before) // no error: BeginAlong has parsed the times
	for i, m := range w.run.World.Moves() {
		if o := w.offer(m, Choice{Number: i + 1}); m.Kind == model.Expire && o.latest < instant {
			return w.Take(o, w.atOf(o.latest), nil) == nil
		}
	}
	return false
}
