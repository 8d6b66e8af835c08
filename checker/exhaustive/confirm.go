package exhaustive

import (
	"fmt"
	"slices"

	"contend/checker/confirm"
	"contend/checker/explain"
	"contend/checker/judge"
	"contend/checker/search"
	"contend/checker/verdict"
	"contend/model"
	"contend/model/world"
	"contend/model/wrapped"
	"contend/traces"
)

// confirm replays a candidate in the interpreter, on unmerged objects, and stores the violation.
func (x *exhaustive) confirm(c search.Candidate) (search.Confirmation, error) {
	system, release := wrapped.Alone(x.sys)
	defer release()
	run, is, err := confirm.Take(system, x.codec, x.claims, x.plan.Check.Reading != model.Untimed, c)
	x.refuse(err)
	if err == nil && is != search.Real && x.plan.Check.Reading == model.Dense {
		err = fmt.Errorf("no times are found for a run of %d steps that the search met in dense time", len(c.Steps))
	}
	if err != nil || is != search.Real || x.claim(c.Claim).Kind == model.Sometimes { // a witness is not shown
		return is, err
	}
	if cost := x.claim(c.Claim).Cost; cost != nil {
		return is, x.storeReading(cost, c.Number, run)
	}
	watched, _ := confirm.Watched(x.claims, c)
	if c.Claim == len(x.claims) {
		c.Text = violationText(run.World, model.NoHandlerFails)
	}
	h := verdict.NewTrace(x.plan, watched, x.claim(c.Claim).Name, c.Text)
	t, err := traces.FromRun(h, run.World, run.Parts, run.Records)
	if err != nil {
		return is, err
	}
	addEnd(t, run, c)
	x.lock.Lock()
	defer x.lock.Unlock()
	x.violations[c.Claim] = explain.New(x.plan.Protocol, t)
	return is, nil
}

// addEnd adds to a trace the loop of an infinite run, or the step after which the goal cannot be reached.
func addEnd(t *traces.Trace, run *confirm.Run, c search.Candidate) {
	if c.Loop >= 0 {
		t.Loop = run.Behind(c.Loop) + 1
	}
	if n := c.NoReturn; n != nil {
		t.NoReturn = &traces.NoReturn{After: n.After, AtLatest: n.AtLatest, Unknown: n.Unknown}
		if n.After > 0 {
			t.NoReturn.After = run.Behind(n.After)
		}
	}
}

// violation returns the violation of a claim, or nil.
func (x *exhaustive) violation(claim int) *explain.Violation {
	x.lock.Lock()
	defer x.lock.Unlock()
	return x.violations[claim]
}

// reportViolation reports the first violation of a claim, unless it is a recorded finding.
func (x *exhaustive) reportViolation(claim int) {
	v := x.violation(claim)
	if v == nil || slices.Contains(x.reported, claim) {
		return
	}
	x.reported = append(x.reported, claim)
	verdict.ReportViolation(x.plan, x.row, x.claim(claim), v, x.opt.Violated)
}

// violationText returns the text of the violation of a claim; "" if there is none.
func violationText(w *world.World, claim string) string {
	for _, v := range w.Violations {
		if v.Claim == claim {
			return v.Text
		}
	}
	return ""
}

// judgeHistory judges the history of a candidate with porcupine. The error is a disagreement with the monitor.
func (x *exhaustive) judgeHistory(c search.Candidate) error {
	system, release := wrapped.Alone(x.sys)
	defer release()
	run, err := confirm.Drive(system, x.codec, x.claims, c)
	if err != nil {
		return err
	}
	var history []model.Observation
	for _, r := range run.Records {
		history = append(history, r.Observations...)
	}
	for i, c := range x.claims {
		if c.Kind != model.Linearizable {
			continue
		}
		answer, err := judge.History(c.Object, history, judge.Patience(x.began, x.opt.Timeout))
		broken := slices.ContainsFunc(run.World.Violations, func(v world.Violation) bool { return v.Claim == c.Name })
		switch {
		case err != nil:
			return err
		case answer == judge.Unknown:
			x.unjudged[i] = true
		case (answer == judge.Illegal) != broken:
			return fmt.Errorf("claim %s: porcupine and the monitor differ on a history of %d observations", c.Name, len(history))
		}
	}
	return nil
}
