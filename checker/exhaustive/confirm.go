package exhaustive

import (
	"fmt"
	"slices"

	"contend/checker/confirm"
	"contend/checker/judge"
	"contend/checker/search"
	"contend/checker/verdict"
	"contend/model"
	"contend/model/world"
	"contend/model/wrapped"
	"contend/traces"
)

// confirm replays a candidate, on objects that are not merged, and keeps its trace.
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
		return is, x.keepReading(cost, c.Number, run)
	}
	watched, _ := confirm.Watched(x.claims, c)
	if c.Claim == len(x.claims) {
		c.Text = saysOf(run.World, model.NoHandlerFails)
	}
	h := verdict.NewTrace(x.plan, watched, x.claim(c.Claim).Name, c.Text)
	t, err := traces.FromRun(h, run.World, run.Parts, run.Records)
	if err != nil {
		return is, err
	}
	goesOn(t, run, c)
	x.lock.Lock()
	defer x.lock.Unlock()
	x.traces[c.Claim] = t
	return is, nil
}

// goesOn writes into the trace of a run how the search says that it goes on for ever.
func goesOn(t *traces.Trace, run *confirm.Run, c search.Candidate) {
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

// trace returns that of the run which violates a claim, or nil.
func (x *exhaustive) trace(claim int) *traces.Trace {
	x.lock.Lock()
	defer x.lock.Unlock()
	return x.traces[claim]
}

// tellViolated tells of a violation, once, unless it is a recorded finding.
func (x *exhaustive) tellViolated(claim int) {
	t := x.trace(claim)
	if t == nil || slices.Contains(x.told, claim) {
		return
	}
	x.told = append(x.told, claim)
	verdict.ReportViolation(x.plan, x.row, x.claim(claim), t, x.opt.Violated)
}

// saysOf is what a run says of how a claim is violated.
func saysOf(w *world.World, claim string) string {
	for _, v := range w.Violations {
		if v.Claim == claim {
			return v.Text
		}
	}
	return ""
}

// judgeHistory gives one history to porcupine. That it disagrees with the monitor
// is an internal error.
func (x *exhaustive) judgeHistory(of search.Candidate) error {
	system, release := wrapped.Alone(x.sys)
	defer release()
	run, err := confirm.Drive(system, x.codec, x.claims, of)
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
		verdict, err := judge.History(c.Object, history, judge.Patience(x.began, x.opt.Timeout))
		broken := slices.ContainsFunc(run.World.Violations, func(v world.Violation) bool { return v.Claim == c.Name })
		switch {
		case err != nil:
			return err
		case verdict == judge.Unknown:
			x.unjudged[i] = true
		case (verdict == judge.Illegal) != broken:
			return fmt.Errorf("claim %s: porcupine and the monitor differ on a history of %d observations", c.Name, len(history))
		}
	}
	return nil
}
