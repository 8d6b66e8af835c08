package check

import (
	"fmt"
	"slices"
	"time"

	"contend/checker/exhaustive"
	"contend/checker/plan"
	"contend/checker/sampled"
	"contend/checker/sampling"
	"contend/checker/search"
	"contend/checker/verdict"
	"contend/model"
)

// BeyondSchedules is how many schedules are sampled after a search that a limit stopped, where no Timeout
// is given: see [Options.Beyond].
const BeyondSchedules = 1000

// BeyondSteps is how many steps are taken there: few schedules are sampled where they do not end by themselves.
const BeyondSteps = 1_000_000

// searchOrSample searches for claims and, if a limit stops the search, samples the same configuration for
// the claims that it leaves open. Of the time the search has three quarters.
func searchOrSample(of *plan.Row, opt verdict.Options) (*verdict.Row, error) {
	if !opt.Beyond || opt.From != nil || opt.Dot != nil || opt.Checkpoints != "" || !slices.ContainsFunc(of.Claims, finite) {
		return exhaustive.Search(of, opt)
	}
	began, first := time.Now(), opt
	first.Timeout = (opt.Timeout*3 + 3) / 4
	row, err := exhaustive.Search(of, first)
	if err != nil || !exhaustive.GivenUp(row) {
		return row, err
	}
	open := slices.DeleteFunc(slices.Clone(of.Claims), func(c plan.Claim) bool { return !finite(c) || !leavesOpen(row, c) })
	left := opt.Timeout - time.Since(began)
	if len(open) == 0 || opt.Timeout > 0 && left <= 0 {
		return row, nil
	}
	search.Collect(opt.MaxMemory)
	then, err := sampled.Sample(of.Sampling(beyond(of.Check, open, opt), open), beyondOptions(opt, row, left))
	if err != nil {
		return nil, err
	}
	takeUp(row, then)
	return row, nil
}

// finite reports whether a run of a schedule may decide a claim.
func finite(c plan.Claim) bool {
	return c.Safety() || c.Kind == model.Sometimes
}

// leavesOpen reports whether the limit of a row leaves a claim without a verdict.
func leavesOpen(r *verdict.Row, claim plan.Claim) bool {
	return slices.ContainsFunc(r.Claims, func(c verdict.ClaimResult) bool {
		return c.Name == claim.Name && c.Verdict == verdict.Inconclusive && c.Limit == r.Limit
	})
}

// beyond is the check that samples what a search leaves open. Where the search reads the grid, times are
// real-valued: a run of them that violates a claim is one of the system.
func beyond(c model.Check, open []plan.Claim, opt verdict.Options) model.Check {
	c.Claims = nil
	for _, claim := range open {
		c.Claims = append(c.Claims, claim.Name)
	}
	c.Schedules = BeyondSchedules
	if opt.Timeout > 0 {
		c.Schedules = sampling.Endless
	}
	if c.Reading == model.Grid {
		c.Reading = model.Dense
	}
	return c
}

// beyond are the options of what is sampled after the search of a row, in the time that is left.
func beyondOptions(opt verdict.Options, row *verdict.Row, left time.Duration) verdict.Options {
	if opt.Timeout > 0 {
		opt.Timeout = left
	} else {
		opt.Steps = BeyondSteps
	}
	if tell := opt.Progress; tell != nil {
		opt.Progress = func(p verdict.Progress) { p.Row = row; tell(p) }
	}
	return opt
}

// takeUp writes into the row of a search what was sampled after it.
func takeUp(r, sampled *verdict.Row) {
	r.Then, r.Seed, r.Schedules = sampled.Strategy, sampled.Seed, sampled.Schedules
	r.Seconds += sampled.Seconds
	r.Notes = append(r.Notes, fmt.Sprintf("then %d schedules were sampled (%s, time %s) for the claims that the search left open: %s",
		sampled.Schedules, sampled.Strategy, sampled.Time, sampled.Command))
	for _, c := range sampled.Claims {
		at := slices.IndexFunc(r.Claims, func(is verdict.ClaimResult) bool { return is.Name == c.Name })
		switch {
		case at < 0: // a handler fails
			r.Claims = append(r.Claims, c)
		case c.Verdict != verdict.Inconclusive:
			r.Claims[at] = c
		default:
			r.Claims[at].Witnessed = r.Claims[at].Witnessed || c.Witnessed
		}
	}
	verdict.Conclude(r)
}
