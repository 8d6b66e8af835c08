package exhaustive

import (
	"cmp"
	"fmt"
	"strings"

	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/space"
	"contend/checker/verdict"
	"contend/model"
)

// RefuseDrawing returns the reason why the state space of planned checks cannot be drawn, or nil. They must make one
// search, not in dense time.
func RefuseDrawing(planned []*plan.Plan, opt verdict.Options) error {
	n := 0
	for _, pl := range planned {
		switch {
		case pl.Check.Schedules > 0:
			return fmt.Errorf("it draws the state space of a search, but schedules are sampled")
		case pl.Check.Reading == model.Dense:
			return fmt.Errorf("it draws states, but time is dense, where states are classes that are merged; --time untimed or grid")
		}
		for _, of := range pl.Rows {
			if of.Check.Reading == model.Dense {
				return fmt.Errorf("it draws states, but %s is searched in dense time, where states are classes that are merged; --claim leaves it out", of.Claims[0].Name)
			}
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("it draws one search, but this makes %d; a configuration and --claim choose one", n)
	}
	if opt.Checkpoints != "" {
		return fmt.Errorf("it draws small searches, of which no checkpoints are kept")
	}
	return nil
}

// draw writes the state space of the search to Dot, if it is set.
func (x *exhaustive) draw(r *search.Result) error {
	if x.opt.Dot == nil || r.Space == nil {
		return nil
	}
	p := space.Picture{System: x.sys, Space: r.Space}
	for _, c := range x.claims {
		p.Claims = append(p.Claims, c.Name)
	}
	p.Title = []string{x.row.Command, fmt.Sprintf("%d states, %d steps", r.States, r.Transitions)}
	if len(r.Reductions) > 0 {
		p.Title = append(p.Title, "a state stands for all that these reductions make of it: "+strings.Join(r.Reductions, ", "))
	}
	if !r.Complete {
		why := cmp.Or(r.Limit.String(), "every claim is decided")
		p.Title = append(p.Title, "not all of the state space: "+why)
	}
	return p.DOT(x.opt.Dot)
}
