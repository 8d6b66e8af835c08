package claims

import (
	"fmt"
	"slices"

	"contend/model"
)

// Implies claims that the conclusion is violated only after the premise, or by the same event. All three claims
// are of kind always. The implication is about every prefix of a run. If it holds, the conclusion follows from
// the premise in whole runs too. The converse is wrong, since a conclusion may be violated when every
// continuation violates the premise later. See [ImpliesInTheEnd].
//
// The monitors of both claims observe the run until one is violated. They must not use alarms, holds or causal
// pasts.
func Implies(premise, conclusion model.Claim) model.Claim {
	mustJudge("Implies", model.Always, premise, conclusion)
	return combine(premise.Name+" implies "+conclusion.Name, model.Always, premise, conclusion, func(s *model.System) model.Monitor {
		return newImplies(s, premise, conclusion, false)
	})
}

// ImpliesInTheEnd claims that in each fair run, from some moment on, the premise is false or the conclusion is
// true. A claim of kind always is true while it is not violated, and one of kind eventually while its goal is
// reached. The implication is of kind eventually. In a fair run messages in flight arrive, so a premise that a
// prefix leaves open is decided. It is meant for systems whose runs end; in an infinite run the condition must
// recur forever.
func ImpliesInTheEnd(premise, conclusion model.Claim) model.Claim {
	mustJudge("ImpliesInTheEnd", model.Eventually, premise, conclusion)
	return combine(premise.Name+" implies "+conclusion.Name+" in the end", model.Eventually, premise, conclusion, func(s *model.System) model.Monitor {
		return newImplies(s, premise, conclusion, true)
	})
}

// Both returns the conjunction of two claims of one kind, always or eventually. Their monitors are as for
// [Implies].
func Both(name string, one, other model.Claim) model.Claim {
	mustJudge("Both", model.Eventually, one, other)
	if one.Kind != other.Kind {
		model.Misused("Both of %s and %s: they are of the kinds %v and %v, but must be of one", one.Name, other.Name, one.Kind, other.Kind)
	}
	return combine(name, one.Kind, one, other, func(s *model.System) model.Monitor {
		return &both{One: one.Monitor(s), Other: other.Monitor(s)}
	})
}

// mustJudge panics with a Misuse if a claim has no monitor that decides it without causal pasts.
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

// combine returns a claim with the assumptions of two claims.
func combine(name string, kind model.Kind, one, other model.Claim, monitor func(*model.System) model.Monitor) model.Claim {
	assumes := slices.Concat(one.Assumes, other.Assumes)
	slices.Sort(assumes)
	return model.Claim{Name: name, Kind: kind, Assumes: slices.Compact(assumes), Monitor: monitor}
}

// implies has the monitors of both sides. A side that is decided gets a new monitor, so that states without
// other differences are equal.
type implies struct {
	inTheEnd            bool
	asMade              [2]model.Monitor
	Premise, Conclusion model.Monitor
	Unlike              bool // the premise is violated
	Refuted             bool // the conclusion is violated
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
	premise, conclusion := &recorder{Watch: w}, &recorder{Watch: w}
	i.Premise.Observe(premise, o)
	if !i.Refuted {
		i.Conclusion.Observe(conclusion, o)
	}
	if conclusion.tested || i.inTheEnd && premise.tested {
		w.Witness()
	}
	switch {
	case premise.violated:
		i.Unlike, i.Refuted = true, false
		i.Premise, i.Conclusion = i.asMade[0], i.asMade[1]
	case conclusion.violated:
		i.Refuted, i.Conclusion = true, i.asMade[1]
		if !i.inTheEnd {
			w.Violate("the premise is not violated, but the conclusion is: %s", conclusion.text)
		}
	}
}

// Reached reports whether the premise is false or the conclusion is true.
func (i *implies) Reached() bool {
	return i.Unlike || !reached(i.Premise) || !i.Refuted && reached(i.Conclusion)
}

// reached reports whether the claim of a monitor that has not reported a violation is true.
func reached(m model.Monitor) bool {
	g, ok := m.(model.Goal)
	return !ok || g.Reached()
}

// both has the monitors of two claims.
type both struct{ One, Other model.Monitor }

func (b *both) Observe(w model.Watch, o model.Observation) {
	for _, m := range []model.Monitor{b.One, b.Other} {
		h := &recorder{Watch: w}
		m.Observe(h, o)
		if h.tested {
			w.Witness()
		}
		if h.violated {
			w.Violate("%s", h.text)
			return
		}
	}
}

// Reached reports whether both goals are reached.
func (b *both) Reached() bool { return reached(b.One) && reached(b.Other) }

// A recorder is the environment of the monitor of a side. It records the monitor's reports.
type recorder struct {
	model.Watch
	violated, tested bool // heard: the side was tested
	text             string
}

// Violate records a violation of the side.
func (h *recorder) Violate(format string, args ...any) {
	h.violated, h.tested, h.text = true, true, fmt.Sprintf(format, args...)
}

// Witness records a test of the side.
func (h *recorder) Witness() { h.tested = true }

// The methods below panic with a Misuse.

func (h *recorder) Hold(any, model.Bound)   { mustWatchAlone() }
func (h *recorder) Held(any) bool           { mustWatchAlone(); return false }
func (h *recorder) After(any, model.Window) { mustWatchAlone() }
func (h *recorder) Cancel(any)              { mustWatchAlone() }
func (h *recorder) Measure(int)             { mustWatchAlone() }

func mustWatchAlone() {
	model.Misused("the monitor of a claim that is made of others holds, sets an alarm or measures; such a claim must stand alone")
}
