package checker

import (
	"fmt"
	"math"
	"slices"
	"time"

	"contend/checker/plan"
	"contend/checker/search"
	"contend/model"
)

// BeyondSchedules is how many schedules are sampled after a search that a limit stopped, where no Timeout
// is given: see [Options.Beyond].
const BeyondSchedules = 1000

// BeyondSteps is how many steps are taken there: few schedules are sampled where they do not end by themselves.
const BeyondSteps = 1_000_000

// endless is a number of schedules that nobody waits for: sampling goes on until the time is over.
const endless = math.MaxInt32

// searchOrSample searches for claims and, if a limit stops the search, samples the same configuration for
// the claims that it leaves open. Of the time the search has three quarters.
func searchOrSample(of *plan.Row, opt Options) (*Row, error) {
	if !opt.Beyond || opt.From != nil || opt.Dot != nil || opt.Checkpoints != "" || !slices.ContainsFunc(of.Claims, finite) {
		return searchRow(of, opt)
	}
	began, first := time.Now(), opt
	first.Timeout = (opt.Timeout*3 + 3) / 4
	row, err := searchRow(of, first)
	if err != nil || !givenUp(row) {
		return row, err
	}
	open := slices.DeleteFunc(slices.Clone(of.Claims), func(c plan.Claim) bool { return !finite(c) || !row.leavesOpen(c) })
	left := opt.Timeout - time.Since(began)
	if len(open) == 0 || opt.Timeout > 0 && left <= 0 {
		return row, nil
	}
	search.Collect(opt.MaxMemory)
	sampled, err := sampleRow(of.Sampling(beyond(of.Check, open, opt), open), opt.beyond(row, left))
	if err != nil {
		return nil, err
	}
	row.takeUp(sampled)
	return row, nil
}

// finite reports whether a run of a schedule may decide a claim.
func finite(c plan.Claim) bool {
	return c.Safety() || c.Kind == model.Sometimes
}

// leavesOpen reports whether the limit of a row leaves a claim without a verdict.
func (r *Row) leavesOpen(claim plan.Claim) bool {
	return slices.ContainsFunc(r.Claims, func(c ClaimResult) bool {
		return c.Name == claim.Name && c.Verdict == Inconclusive && c.Limit == r.Limit
	})
}

// beyond is the check that samples what a search leaves open. Where the search reads the grid, times are
// real-valued: a run of them that violates a claim is one of the system.
func beyond(c model.Check, open []plan.Claim, opt Options) model.Check {
	c.Claims = nil
	for _, claim := range open {
		c.Claims = append(c.Claims, claim.Name)
	}
	c.Schedules = BeyondSchedules
	if opt.Timeout > 0 {
		c.Schedules = endless
	}
	if c.Reading == model.Grid {
		c.Reading = model.Dense
	}
	return c
}

// beyond are the options of what is sampled after the search of a row, in the time that is left.
func (opt Options) beyond(row *Row, left time.Duration) Options {
	if opt.Timeout > 0 {
		opt.Timeout = left
	} else {
		opt.steps = BeyondSteps
	}
	if tell := opt.Progress; tell != nil {
		opt.Progress = func(p Progress) { p.Row = row; tell(p) }
	}
	return opt
}

// takeUp writes into the row of a search what was sampled after it.
func (r *Row) takeUp(sampled *Row) {
	r.Then, r.Seed, r.Schedules = sampled.Strategy, sampled.Seed, sampled.Schedules
	r.Seconds += sampled.Seconds
	r.Notes = append(r.Notes, fmt.Sprintf("then %d schedules were sampled (%s, time %s) for the claims that the search left open: %s",
		sampled.Schedules, sampled.Strategy, sampled.Time, sampled.Command))
	for _, c := range sampled.Claims {
		at := slices.IndexFunc(r.Claims, func(is ClaimResult) bool { return is.Name == c.Name })
		switch {
		case at < 0: // a handler fails
			r.Claims = append(r.Claims, c)
		case c.Verdict != Inconclusive:
			r.Claims[at] = c
		default:
			r.Claims[at].Witnessed = r.Claims[at].Witnessed || c.Witnessed
		}
	}
	overall(r)
}
