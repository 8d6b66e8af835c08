package claims

import (
	"fmt"
	"slices"

	"contend/model"
)

// Implies says that no run gets ahead of its premise: wherever the conclusion is violated, the
// premise is violated already, or by the same event. Both are of the kind always, and so is the
// implication. It is about every beginning of a run: if it holds, the conclusion follows from the
// premise in whole runs too. The other way round it does not: a conclusion may be violated at a
// moment from which every run goes on to violate the premise. See [ImpliesInTheEnd].
//
// The monitors of both watch the run until one of them is violated. They must set no alarms and
// hold nothing, and see no causal past.
func Implies(premise, conclusion model.Claim) model.Claim {
	mustJudge("Implies", model.Always, premise, conclusion)
	return joined(premise.Name+" implies "+conclusion.Name, model.Always, premise, conclusion, func(s *model.System) model.Monitor {
		return newImplies(s, premise, conclusion, false)
	})
}

// ImpliesInTheEnd says of whole runs that the conclusion is so where the premise is: in each fair
// run there is a moment from which on either the premise is violated or the conclusion is so. A
// claim of the kind always is so while it is not violated, and one of the kind eventually while
// its goal is reached. The implication is of the kind eventually, which looks at fair runs alone:
// what is on its way arrives, so that a premise which a beginning of the run leaves open is
// decided. It is meant for systems whose runs come to an end; in runs without one it says that
// conclusion and premise stand so time and again.
func ImpliesInTheEnd(premise, conclusion model.Claim) model.Claim {
	mustJudge("ImpliesInTheEnd", model.Eventually, premise, conclusion)
	return joined(premise.Name+" implies "+conclusion.Name+" in the end", model.Eventually, premise, conclusion, func(s *model.System) model.Monitor {
		return newImplies(s, premise, conclusion, true)
	})
}

// Both is the conjunction of two claims of one kind, always or eventually, under a name of its
// own. Their monitors are as for [Implies].
func Both(name string, one, other model.Claim) model.Claim {
	mustJudge("Both", model.Eventually, one, other)
	if one.Kind != other.Kind {
		model.Misused("Both of %s and %s: they are of the kinds %v and %v, but must be of one", one.Name, other.Name, one.Kind, other.Kind)
	}
	return joined(name, one.Kind, one, other, func(s *model.System) model.Monitor {
		return &both{One: one.Monitor(s), Other: other.Monitor(s)}
	})
}

// mustJudge refuses claims that no monitor decides by itself.
func mustJudge(what string, most model.Kind, all ...model.Claim) {
	kinds := model.Always.String()
	if most != model.Always {
		kinds += " or " + most.String()
	}
	for _, c := range all {
		if c.Monitor == nil || c.Causal != nil || c.Kind != model.Always && c.Kind != most {
			model.Misused("%s of %s: it needs claims with a monitor that sees no causal past, of the kind %s", what, c.Name, kinds)
		}
	}
}

// joined makes a claim of two, which rests on what they rest on.
func joined(name string, kind model.Kind, one, other model.Claim, monitor func(*model.System) model.Monitor) model.Claim {
	assumes := slices.Concat(one.Assumes, other.Assumes)
	slices.Sort(assumes)
	return model.Claim{Name: name, Kind: kind, Assumes: slices.Compact(assumes), Monitor: monitor}
}

// implies has the monitors of the two sides. What is decided is not watched further, and its
// monitor is as it was made, so that states which differ in nothing else are one.
type implies struct {
	inTheEnd            bool
	asMade              [2]model.Monitor
	Premise, Conclusion model.Monitor
	Unlike              bool // the premise is violated
	Refuted             bool // the conclusion is
}

func newImplies(s *model.System, premise, conclusion model.Claim, inTheEnd bool) *implies {
	return &implies{
		inTheEnd: inTheEnd, asMade: [2]model.Monitor{premise.Monitor(s), conclusion.Monitor(s)},
		Premise: premise.Monitor(s), Conclusion: conclusion.Monitor(s),
	}
}

func (i *implies) Observe(w model.Watch, o model.Observation) {
	if i.Unlike || i.Refuted && !i.inTheEnd {
		return
	}
	premise, conclusion := &hearing{Watch: w}, &hearing{Watch: w}
	i.Premise.Observe(premise, o)
	if !i.Refuted {
		i.Conclusion.Observe(conclusion, o)
	}
	if conclusion.heard || i.inTheEnd && premise.heard {
		w.Witness()
	}
	switch {
	case premise.violated:
		i.Unlike, i.Refuted = true, false
		i.Premise, i.Conclusion = i.asMade[0], i.asMade[1]
	case conclusion.violated:
		i.Refuted, i.Conclusion = true, i.asMade[1]
		if !i.inTheEnd {
			w.Violate("the premise is not violated, but the conclusion is: %s", conclusion.how)
		}
	}
}

// Reached reports, of an implication in the end, whether the conclusion is so or the premise is
// not.
func (i *implies) Reached() bool {
	return i.Unlike || !reached(i.Premise) || !i.Refuted && reached(i.Conclusion)
}

// reached reports whether a monitor that is not violated says that its claim is so.
func reached(m model.Monitor) bool {
	g, ok := m.(model.Goal)
	return !ok || g.Reached()
}

// both has the monitors of two claims.
type both struct{ One, Other model.Monitor }

func (b *both) Observe(w model.Watch, o model.Observation) {
	for _, m := range []model.Monitor{b.One, b.Other} {
		h := &hearing{Watch: w}
		m.Observe(h, o)
		if h.heard {
			w.Witness()
		}
		if h.violated {
			w.Violate("%s", h.how)
			return
		}
	}
}

// Reached reports whether the goals of both are.
func (b *both) Reached() bool { return reached(b.One) && reached(b.Other) }

// hearing is what the monitor of a side is told of the world, and keeps what it says.
type hearing struct {
	model.Watch
	violated, heard bool // heard: it was put to the test
	how             string
}

// Violate keeps that the side is violated.
func (h *hearing) Violate(format string, args ...any) {
	h.violated, h.heard, h.how = true, true, fmt.Sprintf(format, args...)
}

// Witness keeps that the side was put to the test.
func (h *hearing) Witness() { h.heard = true }

// What follows is not for the sides of a claim.

func (h *hearing) Hold(any, model.Bound)   { mustWatchAlone() }
func (h *hearing) Held(any) bool           { mustWatchAlone(); return false }
func (h *hearing) After(any, model.Window) { mustWatchAlone() }
func (h *hearing) Cancel(any)              { mustWatchAlone() }
func (h *hearing) Measure(int)             { mustWatchAlone() }

func mustWatchAlone() {
	model.Misused("the monitor of a claim that is made of others holds, sets an alarm or measures; such a claim must stand alone")
}
