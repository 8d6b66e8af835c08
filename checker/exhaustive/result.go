package exhaustive

import (
	"fmt"

	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
)

// giveUp fills the row after a handler did not return, with the violations that were found before.
func (x *exhaustive) giveUp(e watch.Endless) {
	x.row.Limit = decide.Limited(verdict.Stuck)
	for i := range len(x.claims) + 1 {
		res := verdict.NewClaim(x.claim(i))
		res.Verdict, res.Limit, res.Text = verdict.Inconclusive, decide.Limited(verdict.Stuck), e.Error()
		if v := x.violation(i); v != nil {
			res.Violate(v)
		} else if i == len(x.claims) {
			continue
		}
		x.row.Claims = append(x.row.Claims, res)
	}
}

// fill fills the row with the result of the search.
func (x *exhaustive) fill(r *search.Result) {
	row := x.row
	row.States, row.Transitions, row.Depth, row.HandlerCalls = r.States, r.Transitions, r.Depth, r.HandlerCalls
	row.Complete, row.Limit, row.Omission, row.Cut = r.Complete, r.Limit, r.Omission, r.Cut
	row.Handlers = r.Handlers
	row.BytesPer = float64(r.Bytes) / float64(max(r.States, 1))
	row.Reductions = append(row.Reductions, r.Reductions...)
	row.Notes = append(row.Notes, r.Notes...)
	if r.Histories > 0 {
		row.Notes = append(row.Notes, fmt.Sprintf("porcupine judged %d histories once more", r.Histories))
	}
	if row.Merged != nil {
		row.Notes = append(row.Notes, row.Merged.String())
	}
	for i := range r.Claims {
		if c, shown := x.claimResult(i, r); shown {
			row.Claims = append(row.Claims, c)
		}
	}
	if x.opt.Profile {
		row.Profile = r.Profile()
	}
}

// claimResult returns the result of the claim with an index, and whether the row has it. The row has the result of
// [verdict.NoHandlerFails] only if it does not hold for sure.
func (x *exhaustive) claimResult(i int, r *search.Result) (res verdict.ClaimResult, shown bool) {
	c, o := x.claim(i), &r.Claims[i]
	res = verdict.NewClaim(c)
	res.Witnessed = o.Witnessed
	state, limit := r.Verdict(i, c.Kind)
	switch state {
	case search.Violated:
		res.Violate(x.violations[i])
		res.Steps = len(o.Violated.Steps)
		if i < len(x.claims) { // only the trace has the place of a failing handler
			res.Text = o.Violated.Text
		}
	case search.Holds:
		res.Verdict = verdict.Holds
	case search.Unreached:
		x.unreached(&res, c)
	case search.Untested:
		x.untested(&res, c)
	default:
		res.Verdict, res.Limit, res.Text = verdict.Inconclusive, limit, x.why(c, o, limit)
	}
	return res, i < len(x.claims) || state == search.Violated || limit.Code == decide.StrictBound || limit.Code == search.Internal
}

// unreached sets the verdict on a goal that no run of a complete search reaches. The row does not claim a goal that
// the configuration rules out.
func (x *exhaustive) unreached(res *verdict.ClaimResult, c model.Claim) {
	why := x.vacuous(c)
	switch {
	case why != "":
		res.Verdict, res.Text = verdict.NotClaimed, "no run can reach the goal: "+why
	case x.opt.From != nil:
		res.Verdict, res.Text = verdict.Violated, "the goal is not reached by any run that continues the one that the search began with"
	default:
		res.Verdict, res.Text = verdict.Violated, "the search is complete and the goal was never reached"
	}
}

// vacuous returns the reason why no run of the system can test a claim; "" if some run may.
func (x *exhaustive) vacuous(c model.Claim) string {
	if c.Vacuous == nil {
		return ""
	}
	return c.Vacuous(x.sys)
}

// untested sets the verdict on a claim that no run of a complete search violated or tested.
func (x *exhaustive) untested(res *verdict.ClaimResult, c model.Claim) {
	res.Vacuous = x.vacuous(c)
	if res.Verdict = verdict.Holds; res.Vacuous == "" {
		res.Verdict, res.Limit = verdict.Inconclusive, decide.Limited(verdict.Untested)
		res.Text = "no run breaks it, and none put it to the test: give the row what the claim speaks of, such as a fault or another operation"
	}
}

// spurious returns a sentence about candidates that are no real runs.
func spurious(c model.Claim, n int) string {
	what := "ways to break it"
	if c.Kind == model.Sometimes {
		what = "ways to reach it"
	}
	return fmt.Sprintf("%d %s exist only because the grid closes strict bounds", n, what)
}

// why returns a sentence with the reason for a limit of a claim; "" if there is nothing to add to the limit.
func (x *exhaustive) why(c model.Claim, o *search.Outcome, limit decide.Limit) string {
	if o.Spurious > 0 && limit.Code == decide.StrictBound {
		return spurious(c, o.Spurious)
	}
	at := decide.Case{Kind: decide.KindOf(c), Reading: decide.ReadingOf(x.plan.Check.Reading), Channel: x.sys.Network.Channel}
	at.Strict, at.Cut = limit == decide.Limited(decide.StrictBound), limit == decide.Limited(decide.Cut)
	return decide.Because(at, limit.String())
}
