package show

import (
	"fmt"

	"contend/model"
	"contend/model/world"
)

// A HoldQuery is a query of a hold in a step.
type HoldQuery struct {
	Since int  // the step that set the hold
	Lasts bool // the answer
	Watch bool // the query is a monitor's
	// Free reports that drift allowed both answers, and that the node's clock chose one. Unknown reports that
	// the record does not determine which.
	Free, Unknown bool
}

// HoldQueries returns the queries of holds in a step, one for each hold, and the other choices of the step.
// Under clock drift a hold is two countdowns with a choice between their ends: see [model.Soonest].
func HoldQueries(r world.Record) (queries []HoldQuery, choices []world.Choice) {
	for _, c := range r.Choices {
		if c.What != "held" {
			choices = append(choices, c)
		}
	}
	free := 0
	for _, h := range r.Held {
		a := HoldQuery{Since: h.Since, Lasts: h.Held, Watch: h.Watch}
		switch h.Key.(type) {
		case model.Soonest:
			if !h.Held {
				continue // the query of the other countdown follows
			}
		case model.Latest:
			if a.Free = h.Held; a.Free {
				free++
			}
		}
		queries = append(queries, a)
	}
	return resolveFree(queries, choices, free)
}

// resolveFree sets the answers of the free holds from the step's choices of two, in order. If the handler makes
// such choices too, the answers are unknown and the choices stay.
func resolveFree(queries []HoldQuery, choices []world.Choice, free int) ([]HoldQuery, []world.Choice) {
	var answers, others []world.Choice
	for _, c := range choices {
		if c.Of == 2 && c.What == "choose" {
			answers = append(answers, c)
		} else {
			others = append(others, c)
		}
	}
	unknown := len(answers) != free
	for i := range queries {
		switch {
		case !queries[i].Free:
		case unknown:
			queries[i].Unknown = true
		default:
			queries[i].Lasts, answers = answers[0].Is == 0, answers[1:]
		}
	}
	if unknown {
		return queries, choices
	}
	return queries, others
}

func (a HoldQuery) String() string {
	state, drift := "is over", ""
	switch {
	case a.Unknown:
		state = "lasts or is over"
	case a.Lasts:
		state = "lasts"
	}
	if a.Free {
		drift = ", by a clock that drifts"
	}
	return fmt.Sprintf("the hold of step %d %s%s", a.Since, state, drift)
}
