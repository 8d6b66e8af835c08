package minimize

import (
	"slices"

	"contend/model"
	"contend/model/world"
)

// simplify simplifies lies, answers and times.
func (m *minimizer) simplify() {
	m.fewerLies()
	m.simplerLies()
	m.smallerAnswers()
	if m.best.stage.header.Timed() {
		m.simplerTimes()
	}
}

// simplerLies replaces forged messages by earlier ones of their alphabets.
func (m *minimizer) simplerLies() {
	m.pass = "lies"
	for i := 0; i < len(m.best.records) && !m.expired(); i++ {
		if m.best.records[i].Move.Kind != model.Forge {
			continue
		}
		for at := range m.best.places[i+1].index {
			p := m.plan()
			p.forged = map[int]int{i: at}
			if m.try(p) {
				break
			}
		}
	}
}

// smallerAnswers replaces answers to a step's questions by smaller ones.
func (m *minimizer) smallerAnswers() {
	m.pass = "answers"
	for i := 0; i < len(m.best.records) && !m.expired(); i++ {
		for at := 0; i < len(m.best.records) && at < len(m.best.records[i].Choices); at++ {
			for _, answer := range valuesBelow(0, int64(m.best.records[i].Choices[at].Is)) {
				p := m.plan()
				p.chosen = map[int]map[int]int{i: {at: int(answer)}}
				if m.try(p) {
					break
				}
			}
		}
	}
}

// simplerTimes makes steps as early as possible, then rounds their instants to coarser fractions of a tick,
// down or up. Then it joins instants.
func (m *minimizer) simplerTimes() {
	m.pass = "times"
	p := m.plan()
	p.early = true
	m.try(p)
	for parts := int64(1); parts < min(m.best.parts, 4) && !m.expired(); parts++ {
		for _, up := range []int64{0, m.best.parts - 1} {
			p := m.plan()
			p.parts, p.times = parts, make([]world.Time, len(m.best.records))
			for i, r := range m.best.records {
				p.times[i] = world.Time((int64(r.At)*parts + up) / m.best.parts)
			}
			if m.try(p) {
				break
			}
		}
	}
	m.fewerInstants()
}

// fewerInstants moves the steps of an instant to the previous instant, and the later steps as much earlier,
// or not at all.
func (m *minimizer) fewerInstants() {
	for k := 1; !m.expired(); k++ {
		var instants []world.Time
		for _, r := range m.best.records {
			instants = append(instants, r.At)
		}
		if instants = slices.Compact(instants); k >= len(instants) {
			return
		}
		for _, shift := range []bool{true, false} {
			p := m.plan()
			p.times = make([]world.Time, len(m.best.records))
			for i, r := range m.best.records {
				switch p.times[i] = r.At; {
				case r.At == instants[k]:
					p.times[i] = instants[k-1]
				case r.At > instants[k] && shift:
					p.times[i] -= instants[k] - instants[k-1]
				}
			}
			if m.try(p) {
				k--
				break
			}
		}
	}
}

// mostOtherwise is the maximum number of other lies, and of other answers, tried for one step.
const mostOtherwise = 6

// substitute replaces a lie or an answer and omits another step. That step may have been needed only for the
// small lie.
func (m *minimizer) substitute() {
	m.pass = "steps, with another lie or answer"
	for i := len(m.best.records) - 1; i >= 0; i-- {
		for _, p := range m.substitutions(i) {
			for j := len(p.drop) - 1; j >= 0 && !m.expired(); j-- {
				if j == i || len(p.base.records) != len(m.best.records) {
					continue
				}
				one := p
				one.drop = slices.Clone(p.drop)
				if one.drop[j] = true; m.try(one) {
					break
				}
			}
		}
		i = min(i, len(m.best.records))
	}
}

// substitutions returns plans with another lie or another answer in a step.
func (m *minimizer) substitutions(i int) (all []plan) {
	present := m.best.places[i+1]
	for at := range min(present.size, mostOtherwise) {
		if p := m.plan(); at != present.index {
			p.forged = map[int]int{i: at}
			all = append(all, p)
		}
	}
	for k, c := range m.best.records[i].Choices {
		for v := range min(c.Of, mostOtherwise) {
			if p := m.plan(); v != c.Is {
				p.chosen = map[int]map[int]int{i: {k: v}}
				all = append(all, p)
			}
		}
	}
	return all
}
