package sample

import (
	"fmt"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
)

// Text returns the steps of a run as text, one a line, for a failing test's message.
func Text(s *model.System, records []world.Record, parts int64) string {
	var b strings.Builder
	for i, r := range records {
		fmt.Fprintf(&b, "%3d  %-8s %s", i+1, ticks(r.At, parts), move(s, r.Move))
		for _, c := range r.Choices {
			fmt.Fprintf(&b, "  %s %d of %d", c.What, c.Is, c.Of)
		}
		for _, o := range r.Observations {
			fmt.Fprintf(&b, "  | %s %v %s", s.Name(o.Node), o.Kind, describe.Value(o.Value, s.Name))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// ticks formats an instant as whole ticks and a fraction.
func ticks(t world.Time, parts int64) string {
	parts = max(parts, 1)
	whole, rest := int64(t)/parts, int64(t)%parts
	if rest == 0 {
		return fmt.Sprint(whole)
	}
	return fmt.Sprintf("%d+%d/%d", whole, rest, parts)
}

func move(s *model.System, m world.Move) string {
	switch m.Kind {
	case model.Crash, model.Stop, model.Restart:
		return fmt.Sprintf("%v %s", m.Kind, s.Name(m.Node))
	case model.Partition:
		return fmt.Sprintf("%v %s", m.Kind, describe.Value(m.Value, s.Name))
	case model.Mistake:
		return fmt.Sprintf("%v %s: %s", m.Kind, s.Name(m.Node), describe.Value(m.Value, s.Name))
	case model.Forge:
		return fmt.Sprintf("%v %s → %s: %s", m.Kind, s.Name(m.From), s.Name(m.Node), describe.Value(m.Value, s.Name))
	}
	e := m.Event
	what := describe.Value(e.Value, s.Name)
	switch {
	case e.Kind == model.Deliver:
		return fmt.Sprintf("%v %s → %s: %s (%d)", m.Kind, s.Name(e.From), s.Name(e.Node), what, e.Occurrence)
	case e.Kind == model.Expire, e.Kind == model.Heal:
		return fmt.Sprintf("%v %s", m.Kind, what)
	}
	return fmt.Sprintf("%v %s: %s", m.Kind, s.Name(e.Node), what)
}
