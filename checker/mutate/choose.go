package mutate

import (
	"slices"
)

// leastSeconds is the least that a row counts for when rows are compared by time. Shorter times say more about the
// machine than about the row.
const leastSeconds = 0.05

// choices returns the listed rows and the proposed rows that are needed, with what they catch.
func choices(rows, proposed []*baseline, mutants []*Tried) (all []*Choice) {
	listed := len(rows)
	for i, r := range slices.Concat(rows, proposed) {
		c := &Choice{Row: r.row(), Listed: Default, steps: r.Steps}
		switch {
		case i >= listed:
			c.Listed = Proposed
		case r.Deep:
			c.Listed = Deep
		}
		for _, m := range mutants {
			if !m.killers[r] {
				continue
			}
			c.Kills = append(c.Kills, m)
			others := func(o *baseline) bool { return o != r && m.killers[o] }
			if !slices.ContainsFunc(rows, others) {
				c.Alone = append(c.Alone, m)
			}
		}
		all = append(all, c)
	}
	for _, c := range spare(all[:listed]) {
		c.Spare = true
	}
	for _, c := range cover(all) {
		c.Chosen = true
	}
	// The chosen rows catch all that proposed rows catch, so no other proposed row is needed.
	return slices.DeleteFunc(all, func(c *Choice) bool { return c.Listed == Proposed && !c.Chosen })
}

// cost returns the seconds that a row counts for.
func (c *Choice) cost() float64 { return max(c.Seconds, leastSeconds) }

// spare returns rows without which the others catch as much. It leaves out one at a time, the slowest first.
func spare(rows []*Choice) (out []*Choice) {
	killers := map[*Tried]int{}
	for _, c := range rows {
		for _, m := range c.Kills {
			killers[m]++
		}
	}
	for _, c := range bySteps(rows, func(a, b *Choice) bool { return a.cost() > b.cost() }) {
		if slices.ContainsFunc(c.Kills, func(m *Tried) bool { return killers[m] == 1 }) {
			continue
		}
		out = append(out, c)
		for _, m := range c.Kills {
			killers[m]--
		}
	}
	return out
}

// cover returns rows that catch all that any of the rows catches: again and again the row that catches most of the rest per
// second. Rows that the later ones made needless are left out again.
func cover(rows []*Choice) (chosen []*Choice) {
	rest := map[*Tried]bool{}
	for _, c := range rows {
		for _, m := range c.Kills {
			rest[m] = true
		}
	}
	for len(rest) > 0 {
		worth := map[*Choice]float64{}
		for _, c := range rows {
			for _, m := range c.Kills {
				if rest[m] {
					worth[c] += 1 / c.cost()
				}
			}
		}
		next := bySteps(rows, func(a, b *Choice) bool { return worth[a] > worth[b] })[0]
		chosen = append(chosen, next)
		for _, m := range next.Kills {
			delete(rest, m)
		}
	}
	needless := spare(chosen)
	return slices.DeleteFunc(chosen, func(c *Choice) bool { return slices.Contains(needless, c) })
}

// bySteps returns the rows in an order; equal rows by steps.
func bySteps(rows []*Choice, before func(a, b *Choice) bool) []*Choice {
	return slices.SortedStableFunc(slices.Values(rows), func(a, b *Choice) int {
		switch {
		case before(a, b):
			return -1
		case before(b, a):
			return 1
		}
		return int(a.steps - b.steps)
	})
}
