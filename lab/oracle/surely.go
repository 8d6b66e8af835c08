package oracle

import (
	"slices"

	"contend/model"
)

// Surely decides a claim of probability on whole ticks: from every reachable state, against every adversary,
// the goal is reached with probability one.
//
// The claim is violated if the adversary can stay for ever, in runs that count, within positions without the
// goal. It can in an end component: a strongly connected set that chance never leaves and the adversary need
// not leave. All its positions are visited again and again with probability one. Its runs count if time
// passes, and no event that stays owed is omitted (de Alfaro, Formal verification of probabilistic systems,
// 1997). A larger end component takes more time and omits less, so the maximal end components suffice.
//
// If only stopping time avoids the goal, no run counts, and the verdict is Either. Strict is the graph's:
// whole ticks then miss runs.
func Surely(s *model.System, c model.Claim, limit int) (v Verdict, strict bool, err error) {
	g, strict, err := play(s, c, limit)
	if err != nil {
		return "", strict, err
	}
	short := make([]bool, len(g.positions))
	for i, p := range g.positions {
		short[i] = !p.goal
	}
	for _, c := range g.endComponents(short) {
		if g.counts(c) {
			return Violated, strict, nil
		}
	}
	switch {
	case g.cut:
		return Open, strict, nil
	case !g.goesOn(short):
		return Either, strict, nil
	}
	return Holds, strict, nil
}

// endComponents returns the maximal end components within a set. It removes positions that cannot stay in
// their component, and repeats.
func (g *game) endComponents(set []bool) []component {
	set = slices.Clone(set)
	for {
		found := strongly(set, func(i int) []int { return g.successors(i, set) })
		kept := make([]bool, len(set))
		for _, c := range found {
			for i := range c {
				kept[i] = g.stays(i, c)
			}
		}
		if slices.Equal(kept, set) {
			return found
		}
		set = kept
	}
}

func (g *game) successors(i int, set []bool) (to []int) {
	for _, e := range g.positions[i].exits {
		if e.To != beyond && set[e.To] {
			to = append(to, e.To)
		}
	}
	return to
}

// stays reports whether a run need not leave a component from a position.
func (g *game) stays(i int, c component) bool {
	leaves := func(e Edge) bool { return e.To == beyond || !c[e.To] }
	p := g.positions[i]
	if p.chance {
		return len(p.exits) > 0 && !slices.ContainsFunc(p.exits, leaves)
	}
	return slices.ContainsFunc(p.exits, func(e Edge) bool { return !leaves(e) })
}

// counts reports whether runs through all positions of an end component count.
func (g *game) counts(c component) bool {
	passes, gone := false, map[string]bool{}
	var owed []string
	first := true
	for i := range c {
		p := g.positions[i]
		for _, e := range p.exits {
			if e.To == beyond || !c[e.To] {
				continue
			}
			passes = passes || e.Takes
			for _, name := range e.Gone {
				gone[name] = true
			}
		}
		switch {
		case p.within:
		case first:
			owed, first = slices.Clone(p.owed), false
		default:
			owed = slices.DeleteFunc(owed, func(n string) bool { return !slices.Contains(p.owed, n) })
		}
	}
	return passes && !slices.ContainsFunc(owed, func(n string) bool { return !gone[n] })
}

// goesOn reports whether the goal, a cut or the passing of time is reachable from every position without the
// goal.
func (g *game) goesOn(short []bool) bool {
	in := make([]bool, len(short))
	for i := range in {
		in[i] = !short[i]
	}
	for changed := true; changed; {
		changed = false
		for i, p := range g.positions {
			if !in[i] && slices.ContainsFunc(p.exits, func(e Edge) bool { return e.Takes || e.To == beyond || in[e.To] }) {
				in[i], changed = true, true
			}
		}
	}
	return !slices.Contains(in, false)
}
