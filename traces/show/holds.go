package show

import (
	"fmt"

	"contend/model"
	"contend/model/world"
)

// An Asked hold is one that a step asked about.
type Asked struct {
	Since int  // the step that set it
	Lasts bool // what the answer was
	Watch bool // a monitor asked
	// Free says that drift allowed both answers, of which the clock of the node chose one; Unknown, that it
	// cannot be told which.
	Free, Unknown bool
}

// HoldsAsked lists the holds that a step asked about, each once, and the choices of the step that are no answers
// about a hold. On a clock that drifts a hold is two countdowns, and between their ends a choice:
// see [model.Soonest].
func HoldsAsked(r world.Record) (asked []Asked, choices []world.Choice) {
	for _, c := range r.Choices {
		if c.What != "held" {
			choices = append(choices, c)
		}
	}
	free := 0
	for _, h := range r.Held {
		a := Asked{Since: h.Since, Lasts: h.Held, Watch: h.Watch}
		switch h.Key.(type) {
		case model.Soonest:
			if !h.Held {
				continue // the other countdown, which is asked then, says more
			}
		case model.Latest:
			if a.Free = h.Held; a.Free {
				free++
			}
		}
		asked = append(asked, a)
	}
	return answered(asked, choices, free)
}

// answered gives the free holds their answers, which are the step's choices between two, in their order. Where a
// handler makes such choices of its own they cannot be told apart, and stay.
func answered(asked []Asked, choices []world.Choice, free int) ([]Asked, []world.Choice) {
	var answers, others []world.Choice
	for _, c := range choices {
		if c.Of == 2 && c.What == "choose" {
			answers = append(answers, c)
		} else {
			others = append(others, c)
		}
	}
	unknown := len(answers) != free
	for i := range asked {
		switch {
		case !asked[i].Free:
		case unknown:
			asked[i].Unknown = true
		default:
			asked[i].Lasts, answers = answers[0].Is == 0, answers[1:]
		}
	}
	if unknown {
		return asked, choices
	}
	return asked, others
}

func (a Asked) String() string {
	is, drift := "is over", ""
	switch {
	case a.Unknown:
		is = "lasts or is over"
	case a.Lasts:
		is = "lasts"
	}
	if a.Free {
		drift = ", by a clock that drifts"
	}
	return fmt.Sprintf("the hold of step %d %s%s", a.Since, is, drift)
}
