package oracle

import (
	"slices"

	"contend/model"
)

// Surely judges a claim of probability on whole ticks: from every state that can be
// reached, whatever the adversary does, the goal is reached with probability one.
//
// It is not exactly when the adversary can stay for ever, in runs that count, among
// positions short of the goal: in an end component, a strongly connected set that chance
// never leaves and the adversary need not, of which all is visited again and again with
// probability one. Its runs count if time goes on, and nothing that is owed all along is
// left out. (de Alfaro, Formal verification of probabilistic systems, 1997.) A larger end
// component only takes more time and leaves less out, so the largest are looked at.
//
// Where only stopping time keeps the goal from being reached no run counts, and nothing
// is said. Strict is the same as for a graph: whole ticks then miss runs.
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

// endComponents returns the largest end components within a set. What cannot stay in
// its component is no part of one; then those that are left are looked for anew.
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

// stays reports whether a run need not leave a component from one of its positions.
func (g *game) stays(i int, c component) bool {
	leaves := func(e Edge) bool { return e.To == beyond || !c[e.To] }
	p := g.positions[i]
	if p.chance {
		return len(p.exits) > 0 && !slices.ContainsFunc(p.exits, leaves)
	}
	return slices.ContainsFunc(p.exits, func(e Edge) bool { return !leaves(e) })
}

// counts reports whether runs through all of an end component count.
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

// goesOn reports whether from everywhere short of the goal some way leads to it, or to
// where time passes.
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
