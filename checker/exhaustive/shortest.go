package exhaustive

import (
	"slices"
	"time"

	"contend/checker/minimize"
	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
	"contend/traces"
)

// Goal is the limit of [Shortest] for a claim about a goal. Its run shows the step after which the goal is missed,
// and a shorter run may miss the goal by another step.
const Goal = "of a claim about a goal"

// Shortest searches for the shortest run that breaks the claim of a trace. The search goes layer by layer, so the first
// run that it finds is a shortest run.
func Shortest(p *model.Protocol, t *traces.Trace, opt verdict.Options, began time.Time) (minimize.Search, error) {
	claims, name := p.Claims, t.Claim
	if name != model.NoHandlerFails {
		claim, err := p.Claim(name)
		if err != nil {
			return minimize.Search{}, err
		}
		claims = plan.Undivided([]model.Claim{claim})
	}
	check := model.Check{Variant: t.Variant, Config: t.Config.Model(), Reading: t.Reading(), AssumeAnyway: true}
	if f := check.Config.Faults; check.Reading == model.Dense && (f.Duplication > 0 || f.Restarts > 0) {
		check.Reading = model.Grid // dense time does not support them
	}
	planned, err := plan.Whole(p, check, claims)
	if err != nil {
		return minimize.Search{}, err
	}
	if len(planned.Met()) == 0 || slices.ContainsFunc(planned.Claims, func(c plan.Claim) bool { return c.Idle }) {
		return minimize.Search{Limit: verdict.NothingClaimed}, nil
	}
	found := minimize.Search{By: "search"}
	for _, reductions := range [][]string{nil, {"symmetry", "clients", "merging"}} {
		if opt.Timeout > 0 {
			if opt.Timeout -= time.Since(began); opt.Timeout <= 0 {
				found.Limit = search.Timeout
				break
			}
			began = time.Now()
		}
		x, err := newExhaustive(planned, verdict.New(planned), verdict.Options{Reduce: reductions, MaxStates: opt.MaxStates, MaxMemory: opt.MaxMemory, Timeout: opt.Timeout,
			Workers: opt.Workers, Interrupt: opt.Interrupt, Stuck: opt.Stuck, Patience: opt.Patience})
		if err != nil {
			return found, err
		}
		again, err := x.shorter(&found, name)
		if err != nil {
			return found, err
		}
		if !again {
			break
		}
	}
	if found.Limit == "" && len(claims) > 0 && claims[0].HasGoal() {
		found.Limit = Goal
	}
	if found.Limit == "" && t.Reading() != check.Reading {
		found.Limit = "the grid has not all times"
	}
	return found, nil
}

// shorter searches for the run and fills found. It reports whether other reductions may find a shorter run.
func (x *exhaustive) shorter(found *minimize.Search, name string) (again bool, err error) {
	claim := slices.IndexFunc(x.claims, func(c model.Claim) bool { return c.Name == name })
	if claim < 0 {
		claim = len(x.claims)
	}
	res, err := x.search()
	if _, stuck := err.(watch.Endless); stuck {
		found.Limit = verdict.Stuck
		if v := x.violation(claim); v != nil { // found before
			found.Trace, found.Limit = v.Trace, ""
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	found.States += res.States
	is, shown := x.claimResult(claim, res)
	if is.Counterexample == nil {
		found.Limit = res.Limit.String()
		if shown && !is.Limit.None() {
			found.Limit = is.Limit.String()
		}
		return false, nil
	}
	if found.Trace, found.Limit = is.Counterexample, ""; is.Steps == len(found.Trace.Steps) {
		return false, nil
	}
	found.Limit = "messages that do nothing count as steps" // of the run, but not of the search
	return true, nil
}
