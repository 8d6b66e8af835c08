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

// BeyondSchedules is the number of schedules that are sampled after a search that stopped at a limit, if there is
// no Timeout: see [verdict.Options].Beyond.
const BeyondSchedules = 1000

// BeyondSteps is the total number of steps after which this sampling begins no further schedule. It matters for
// schedules that do not end by themselves.
const BeyondSteps = 1_000_000

// searchOrSample searches for claims. If the search stops at a limit, it samples the configuration for the
// undecided claims. The search has three quarters of the time.
func searchOrSample(planned *plan.Row, opt verdict.Options) (*verdict.Row, error) {
	if !opt.Beyond || opt.From != nil || opt.Dot != nil || opt.Checkpoints != "" || !slices.ContainsFunc(planned.Claims, finite) {
		return exhaustive.Search(planned, opt)
	}
	began, first := time.Now(), opt
	first.Timeout = (opt.Timeout*3 + 3) / 4
	row, err := exhaustive.Search(planned, first)
	if err != nil || !exhaustive.GivenUp(row) {
		return row, err
	}
	open := slices.DeleteFunc(slices.Clone(planned.Claims), func(c plan.Claim) bool { return !finite(c) || !undecided(row, c) })
	left := opt.Timeout - time.Since(began)
	if len(open) == 0 || opt.Timeout > 0 && left <= 0 {
		return row, nil
	}
	search.Collect(opt.MaxMemory)
	then, err := sampled.Sample(planned.Sampling(beyond(planned.Check, open, opt), open), beyondOptions(opt, row, left))
	if err != nil {
		return nil, err
	}
	addSampled(row, then)
	return row, nil
}

// finite reports whether a finite run may decide a claim.
func finite(c plan.Claim) bool {
	return c.Safety() || c.Kind == model.Sometimes
}

// undecided reports whether a claim has no verdict because of the row's limit.
func undecided(r *verdict.Row, claim plan.Claim) bool {
	return slices.ContainsFunc(r.Claims, func(c verdict.ClaimResult) bool {
		return c.Name == claim.Name && c.Verdict == verdict.Inconclusive && c.Limit == r.Limit
	})
}

// beyond returns the check that samples for the undecided claims of a search. If the search is on the grid, times
// are real-valued: their runs are runs of the system.
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

// beyondOptions returns the options of the sampling after the search of a row, with the time that is left.
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

// addSampled adds the results of a sampling to the row of a search.
func addSampled(r, sampled *verdict.Row) {
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
