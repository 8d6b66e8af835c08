package minimize

import (
	"slices"

	"contend/model"
	"contend/model/describe"
	"contend/traces/honest"
)

// honesty compares what liars say in a run with what honest nodes in their place would have said.
type honesty struct {
	instead map[int][]string // by step, from 1: what one would have said, as [honest.Answers] has it
	lies    int              // messages of liars that no honest node would have sent
}

// honesty compares what liars say in a run, once.
func (m *minimizer) honesty(t *taken) *honesty {
	if t.honest == nil {
		t.honest = m.compared(t)
	}
	return t.honest
}

func (m *minimizer) compared(t *taken) *honesty {
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
		if t.records[i].Move.Kind == model.Forge && slices.Contains(h.instead[i+1], t.said(i)) {
			h.lies--
		}
	}
	return h
}

// said is what a liar says in a step, from 0.
func (t *taken) said(i int) string {
	return describe.Value(t.records[i].Move.Value, t.stage.system.Name)
}

// fewerLies has liars say what an honest node would have said in their place. A run with fewer lies is easier to
// understand, though it is not shorter.
func (m *minimizer) fewerLies() {
	m.pass = "lies that an honest node would not have told"
	for i := 0; i < len(m.best.records) && !m.over(); i++ {
		if m.best.records[i].Move.Kind != model.Forge {
			continue
		}
		instead := m.honesty(m.best).instead[i+1]
		if slices.Contains(instead, m.best.said(i)) {
			continue
		}
		for _, text := range instead {
			p := m.plan()
			p.said = map[int]string{i: text}
			if m.try(p) {
				break
			}
		}
	}
}
