// Package rules has the bounds on requests of handlers and monitors. All engines check them here, so they
// refuse the same requests with the same text: by a panic with a [model.Misuse].
package rules

import "contend/model"

// MaxChoices is the largest n of [model.Env.Choose] and [model.Env.Draw], since a search explores each result.
const MaxChoices = 1 << 16

// MustChoose refuses a choice with n out of range.
func MustChoose(n int) {
	if n < 1 || n > MaxChoices {
		model.Misused("a handler chooses among %d, but may among 1 to %d", n, MaxChoices)
	}
}

// MustExist refuses a message to a node that does not exist.
func MustExist(s *model.System, from, to model.NodeID) {
	if to < 0 || int(to) >= len(s.Nodes) {
		model.Misused("node %s sends to node %d, which does not exist", s.Name(from), to)
	}
}

// Flight returns the firing window of a message. It refuses an invalid window of [model.Network.Messages];
// others were validated before the run.
func Flight(s *model.System, from, to model.NodeID, m any) model.Window {
	w := s.Network.Message(from, to, m)
	if s.Network.Messages != nil {
		if err := w.Validate(); err != nil {
			model.Misused("node %s sends %T to %s, for which Network.Messages gives a bad window: %v", s.Name(from), m, s.Name(to), err)
		}
	}
	return w
}

// MustArm refuses an alarm with an invalid window; who is a node or a claim.
func MustArm(who string, w model.Window) {
	if err := w.Validate(); err != nil {
		model.Misused("%s arms an alarm: %v", who, err)
	}
}

// MustHold refuses a hold with a length out of range; who is a node or a claim.
func MustHold(who string, d model.Bound) {
	if d.At < 0 || d.At > model.MaxTicks {
		model.Misused("%s holds for %d ticks, but a hold lasts 0 to %d", who, d.At, model.MaxTicks)
	}
}

// MustMeasure refuses a number of a cost that is out of range, or the second one for an observation; who is a
// claim.
func MustMeasure(who string, n int, again bool) {
	if n < 0 || n > MaxMeasure || again {
		model.Misused("%s measures %d, but must measure 0 to %d, and once for each observation", who, n, MaxMeasure)
	}
}

// MaxMeasure is the largest number that a meter may report.
const MaxMeasure = 1 << 30

// MaxEffects and MaxAnswers are the maximum numbers of effects and of choices in one call of a handler. A
// broadcast has one effect for each message. A handler with more is assumed to be endless.
const (
	MaxEffects = 10_000
	MaxAnswers = 1_000
)

// MustEnd refuses a further effect or choice at these bounds; who is a node or a claim.
func MustEnd(who string, effects, answers int) {
	switch {
	case effects >= MaxEffects:
		model.Misused("%s does more than %d things in one run of a handler: it is endless", who, MaxEffects)
	case answers >= MaxAnswers:
		model.Misused("%s asks for more than %d choices in one run of a handler: it is endless", who, MaxAnswers)
	}
}

// MustReturn refuses a Return without an invocation.
func MustReturn(s *model.System, id model.NodeID, runs bool) {
	if !runs {
		model.Misused("node %s returns, but no invocation runs", s.Name(id))
	}
}
