package minimize

import (
	"slices"

	"contend/model"
	"contend/model/world"
)

// simpler gives lies that an honest node would have told, or that come earlier in their alphabet, answers that are smaller, and times that are earlier, whole and fewer.
func (m *minimizer) simpler() {
	m.fewerLies()
	m.simplerLies()
	m.smallerAnswers()
	if m.best.stage.header.Timed() {
		m.simplerTimes()
	}
}

// simplerLies has liars say what comes earlier in their alphabet.
func (m *minimizer) simplerLies() {
	m.pass = "lies"
	for i := 0; i < len(m.best.records) && !m.over(); i++ {
		if m.best.records[i].Move.Kind != model.Forge {
			continue
		}
		for at := range m.best.places[i+1].at {
			p := m.plan()
			p.forged = map[int]int{i: at}
			if m.try(p) {
				break
			}
		}
	}
}

// smallerAnswers answers what a step asks with less.
func (m *minimizer) smallerAnswers() {
	m.pass = "answers"
	for i := 0; i < len(m.best.records) && !m.over(); i++ {
		for at := 0; i < len(m.best.records) && at < len(m.best.records[i].Choices); at++ {
			for _, is := range valuesBelow(0, int64(m.best.records[i].Choices[at].Is)) {
				p := m.plan()
				p.chosen = map[int]map[int]int{i: {at: int(is)}}
				if m.try(p) {
					break
				}
			}
		}
	}
}

// simplerTimes takes each step as early as may be, then at whole ticks, down or up, or at larger parts of a tick, and then moves the steps of an instant to
// the one before.
func (m *minimizer) simplerTimes() {
	m.pass = "times"
	p := m.plan()
	p.early = true
	m.try(p)
	for parts := int64(1); parts < min(m.best.parts, 4) && !m.over(); parts++ {
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

// fewerInstants moves the steps of an instant to the one before, and the steps behind them as much earlier, or else not.
func (m *minimizer) fewerInstants() {
	for k := 1; !m.over(); k++ {
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

// mostOtherwise is how many other lies and answers are tried in place of each, with one step less.
const mostOtherwise = 6

// otherwise gives another lie, or another answer, and leaves out one of the other steps, which may have been there only
// because the lie was small.
func (m *minimizer) otherwise() {
	m.pass = "steps, with another lie or answer"
	for i := len(m.best.records) - 1; i >= 0; i-- {
		for _, p := range m.others(i) {
			for j := len(p.drop) - 1; j >= 0 && !m.over(); j-- {
				if j == i || len(p.of.records) != len(m.best.records) {
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

// others are plans in which a step is a liar's other message, or is given another answer.
func (m *minimizer) others(i int) (all []plan) {
	is := m.best.places[i+1]
	for at := range min(is.of, mostOtherwise) {
		if p := m.plan(); at != is.at {
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
