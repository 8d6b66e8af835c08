package exhaustive

import (
	"fmt"

	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
)

// giveUp writes into the row what is known when a handler does not return: the violations that were
// found before.
func (x *exhaustive) giveUp(e watch.Endless) {
	x.row.Limit = decide.Limited(verdict.Stuck)
	for i := range len(x.claims) + 1 {
		res := verdict.NewClaim(x.claim(i))
		res.Verdict, res.Limit, res.Text = verdict.Inconclusive, decide.Limited(verdict.Stuck), e.Error()
		if t := x.trace(i); t != nil {
			res.Violate(t)
		} else if i == len(x.claims) {
			continue
		}
		x.row.Claims = append(x.row.Claims, res)
	}
}

// fill writes a search's result into the row.
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

// claimResult returns what a search comes to for the claim of a place, and whether a row shows it: that no handler fails is shown
// where that is in doubt.
func (x *exhaustive) claimResult(i int, r *search.Result) (res verdict.ClaimResult, shown bool) {
	c, o := x.claim(i), &r.Claims[i]
	res = verdict.NewClaim(c)
	res.Witnessed = o.Witnessed
	state, limit := r.Verdict(i, c.Kind)
	switch state {
	case search.Violated:
		res.Verdict, res.Witnessed, res.Text, res.Steps, res.Counterexample = verdict.Violated, true, o.Violated.Text, len(o.Violated.Steps), x.traces[i]
		if i == len(x.claims) {
			res.Text = x.traces[i].Text // the search does not say where
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

// unreached judges a goal that no run of a complete search reaches: the row does not claim one that none can reach.
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

// vacuous says why no run of the system can put a claim to the test, or "".
func (x *exhaustive) vacuous(c model.Claim) string {
	if c.Vacuous == nil {
		return ""
	}
	return c.Vacuous(x.sys)
}

// untested judges a claim that no run of a complete search broke, or put to the test.
func (x *exhaustive) untested(res *verdict.ClaimResult, c model.Claim) {
	res.Vacuous = x.vacuous(c)
	if res.Verdict = verdict.Holds; res.Vacuous == "" {
		res.Verdict, res.Limit = verdict.Inconclusive, decide.Limited(verdict.Untested)
		res.Text = "no run breaks it, and none put it to the test: give the row what the claim speaks of, such as a fault or another operation"
	}
}

// spurious says what came of candidates that are no real runs.
func spurious(c model.Claim, n int) string {
	what := "ways to break it"
	if c.Kind == model.Sometimes {
		what = "ways to reach it"
	}
	return fmt.Sprintf("%d %s exist only because the grid closes strict bounds", n, what)
}

// why says in a sentence why a claim is left open for a limit; "" if the limit says it all.
func (x *exhaustive) why(c model.Claim, o *search.Outcome, limit decide.Limit) string {
	if o.Spurious > 0 && limit.Code == decide.StrictBound {
		return spurious(c, o.Spurious)
	}
	at := decide.Case{Kind: decide.KindOf(c), Reading: decide.ReadingOf(x.plan.Check.Reading), Channel: x.sys.Network.Channel}
	at.Strict, at.Cut = limit == decide.Limited(decide.StrictBound), limit == decide.Limited(decide.Cut)
	return decide.Because(at, limit.String())
}
