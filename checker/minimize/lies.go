package minimize

import (
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/traces/honest"
)

// An honesty compares a run's forged messages with the messages of honest nodes in the place of the liars.
type honesty struct {
	instead map[int][]string // messages of honest nodes by step, from 1: see [honest.Answers]
	lies    int              // number of messages that no honest node would have sent
}

// honesty returns the comparison for a run, computed once.
func (m *minimizer) honesty(t *result) *honesty {
	if t.honest == nil {
		t.honest = m.compareLies(t)
	}
	return t.honest
}

func (m *minimizer) compareLies(t *result) *honesty {
	h := &honesty{}
	for _, r := range t.records {
		if r.Move.Kind == model.Forge {
			h.lies++
		}
	}
	if h.lies == 0 {
		return h
	}
	tr, err := t.trace()
	if err != nil {
		return h
	}
	run, err := m.replay(tr)
	if err != nil {
		return h
	}
	h.instead = honest.Answers(run)
	for i := range t.records {
		if t.records[i].Move.Kind == model.Forge && slices.Contains(h.instead[i+1], t.forged(i)) {
			h.lies--
		}
	}
	return h
}

// forged returns the text of the forged message of a step, from 0.
func (t *result) forged(i int) string {
	return describe.Value(t.records[i].Move.Value, t.stage.system.Name)
}

// fewerLies replaces forged messages by messages of honest nodes. The run is easier to understand, though not
// shorter.
func (m *minimizer) fewerLies() {
	m.pass = "lies that an honest node would not have told"
	for i := 0; i < len(m.best.records) && !m.expired(); i++ {
		if m.best.records[i].Move.Kind != model.Forge {
			continue
		}
		instead := m.honesty(m.best).instead[i+1]
		if slices.Contains(instead, m.best.forged(i)) {
			continue
		}
		for _, text := range instead {
			p := m.plan()
			p.texts = map[int]string{i: text}
			if m.try(p) {
				break
			}
		}
	}
}
