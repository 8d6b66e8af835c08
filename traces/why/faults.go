package why

import (
	"fmt"

	"contend/model"
	"contend/traces/draw"
)

// faults says what the environment did in the run, and was not spoken of.
func (s *scene) faults() {
	var parts []string
	for i, r := range s.run.Records {
		if r.Move.Kind.Adversarial() && !s.blamed[i+1] {
			parts = append(parts, fmt.Sprintf("%s (%s)", s.fault(s.d.Rows[i+1], i+1), s.step(i+1)))
		}
	}
	if len(parts) > 0 {
		also := ""
		if len(s.blamed) > 0 {
			also = "other "
		}
		s.sayf("%sfaults in this run: %s.", also, apart(parts))
	}
}

// fault says what the environment does in a step.
func (s *scene) fault(row draw.Row, step int) string {
	m := s.run.Records[step-1].Move
	switch m.Kind {
	case model.Lose, model.Duplicate:
		return fmt.Sprintf("the message %s, from %s to %s", row.What, s.name(m.Event.From), s.name(m.Event.Node))
	case model.Forge:
		return fmt.Sprintf("%s, which is Byzantine, makes up %s for %s", s.name(m.From), s.value(m.Value), s.name(m.Node))
	}
	return row.Who + " " + row.What
}
