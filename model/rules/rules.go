// Package rules has what handlers and monitors may ask for, with its bounds. Whatever runs handlers asks it, so that the search, the
// interpreter and the measurements refuse the same things in the same words: by a panic with a [model.Misuse].
package rules

import "contend/model"

// MaxChoices is the largest number that [model.Env.Choose] and [model.Env.Draw] may be asked to choose
// among: a search explores each of them.
const MaxChoices = 1 << 16

// MustChoose refuses a choice among none or too many.
func MustChoose(n int) {
	if n < 1 || n > MaxChoices {
		model.Misused("a handler chooses among %d, but may among 1 to %d", n, MaxChoices)
	}
}

// MustExist refuses a message to a node that there is not.
func MustExist(s *model.System, from, to model.NodeID) {
	if to < 0 || int(to) >= len(s.Nodes) {
		model.Misused("node %s sends to node %d, which does not exist", s.Name(from), to)
	}
}

// Flight is the firing window of a message that is sent. One that [model.Network.Messages] gives
// is refused unless it is valid; the others were looked at before the run.
func Flight(s *model.System, from, to model.NodeID, m any) model.Window {
	w := s.Network.Message(from, to, m)
	if s.Network.Messages != nil {
		if err := w.Validate(); err != nil {
			model.Misused("node %s sends %T to %s, for which Network.Messages gives a bad window: %v", s.Name(from), m, s.Name(to), err)
		}
	}
	return w
}

// MustArm refuses an alarm with a bad window; who is a node or a claim.
func MustArm(who string, w model.Window) {
	if err := w.Validate(); err != nil {
		model.Misused("%s arms an alarm: %v", who, err)
	}
}

// MustHold refuses a hold that is too short or too long; who is a node or a claim.
func MustHold(who string, d model.Bound) {
	if d.At < 0 || d.At > model.MaxTicks {
		model.Misused("%s holds for %d ticks, but a hold lasts 0 to %d", who, d.At, model.MaxTicks)
	}
}

// MustMeasure refuses a number of a cost that is negative, or a second one of an observation;
// who is a claim.
func MustMeasure(who string, n int, again bool) {
	if n < 0 || n > MaxMeasure || again {
		model.Misused("%s measures %d, but must measure 0 to %d, and once for each observation", who, n, MaxMeasure)
	}
}

// MaxMeasure is the largest number that a meter may report.
const MaxMeasure = 1 << 30

// MaxEffects and MaxAnswers bound what one run of a handler does (a broadcast sends one message
// to each) and how many choices it asks for: a handler that comes to more is taken for an endless
// one.
const (
	MaxEffects = 10_000
	MaxAnswers = 1_000
)

// MustEnd refuses what a handler does when it has done so much, or asked for so many choices,
// already; who is a node or a claim.
func MustEnd(who string, effects, answers int) {
	switch {
	case effects >= MaxEffects:
		model.Misused("%s does more than %d things in one run of a handler: it is endless", who, MaxEffects)
	case answers >= MaxAnswers:
		model.Misused("%s asks for more than %d choices in one run of a handler: it is endless", who, MaxAnswers)
	}
}

// MustReturn refuses a Return when no invocation of the node runs.
func MustReturn(s *model.System, id model.NodeID, runs bool) {
	if !runs {
		model.Misused("node %s returns, but no invocation runs", s.Name(id))
	}
}
