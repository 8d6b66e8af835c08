package sampled

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"contend/checker/explain"
	"contend/checker/judge"
	"contend/checker/minimize"
	"contend/checker/plan"
	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/checker/sampling"
	"contend/checker/search/decide"
	"contend/checker/search/runs"
	"contend/checker/shrink"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
	"contend/traces"
)

// Sample samples the schedules of a planned row. Times are real-valued unless the row is untimed.
func Sample(planned *plan.Row, opt verdict.Options) (*verdict.Row, error) {
	if planned.Check.Reading == model.Grid {
		return nil, fmt.Errorf("time is grid, but schedules are sampled untimed or with real-valued times: --time untimed or dense")
	}
	if opt.Share > 0 && planned.System.Opening == nil {
		return nil, fmt.Errorf("--share is set, but has no effect: the system says of no observation that the opening of a run ends there")
	}
	kind, err := strategy.Find(cmp.Or(opt.Strategy, strategy.Default))
	if err != nil {
		return nil, err
	}
	row := verdict.New(planned)
	row.Strategy, row.Seed, row.Limit = kind.Name, fmt.Sprint(opt.Seed), decide.Limited(string(sample.Budget))
	row.Command = command(planned, planned.Check, kind, opt)
	if met := planned.Met(); len(met) > 0 {
		system, err := planned.Take()
		if err != nil {
			return nil, err
		}
		claims := judge.Watched(met)
		x := &sampler{sampling: sampling.New(planned, system, claims, opt, row), plan: planned, row: row, opt: opt, claims: claims, violated: map[string]violation{}}
		if err := x.run(kind); err != nil {
			return nil, err
		}
	}
	verdict.Conclude(row)
	return row, nil
}

// command returns the command line that samples the same schedules.
func command(planned *plan.Row, c model.Check, kind strategy.Kind, opt verdict.Options) string {
	line := fmt.Sprintf("%s --seed %d", verdict.CommandLine(planned.Protocol, c, planned.System), opt.Seed)
	if kind.Name != strategy.Default {
		line += " --strategy " + kind.Name
	}
	if opt.Share > 0 {
		line += fmt.Sprint(" --share ", opt.Share)
	}
	if len(opt.Adversaries) > 0 {
		line += " --adversary " + strings.Join(opt.Adversaries, ",")
	}
	return line
}

// A sampler fills the row of a sampling.
type sampler struct {
	sampling *sampling.Sampling
	plan     *plan.Row
	row      *verdict.Row
	opt      verdict.Options
	claims   []model.Claim
	violated map[string]violation // by claim
}

// A violation is a sampled violation, or the error of its replay.
type violation struct {
	*explain.Violation
	err error
}

// run samples, and fills the row.
func (x *sampler) run(kind strategy.Kind) error {
	start := time.Now()
	w := verdict.NewWatch(&x.opt, start)
	var res sample.Result
	by := kind.New()
	if x.opt.Cover != nil {
		strategy.Begin(by, x.opt.Cover)
	}
	err := w.Run(func() (err error) {
		options := x.sampling.Options(start, w)
		options.Strategy, options.Found = by, x.found
		res, err = sample.Sample(x.sampling.System, x.claims, options)
		return err
	})
	x.row.Seconds = time.Since(start).Seconds()
	if stuck, ok := err.(watch.Endless); ok {
		x.giveUp(decide.Limited(verdict.Stuck), decide.Limited(verdict.Stuck), stuck.Error())
		return nil
	}
	if bug := new(runs.Disagreement); errors.As(err, bug) {
		x.giveUp(decide.Limited(string(sample.Budget)), decide.Limit{Code: verdict.Internal, Detail: bug.Error()}, "")
		return nil
	}
	if err != nil {
		return err
	}
	if n, has := by.(strategy.Noter); has {
		for _, note := range n.Notes() {
			x.row.Notes = append(x.row.Notes, kind.Name+": "+note)
		}
	}
	if x.plan.Check.Schedules == sampling.Endless || res.Stop == sample.Spent {
		again := x.plan.Check
		again.Schedules = int(res.Schedules)
		x.row.Command = command(x.plan, again, kind, x.opt)
	}
	return x.fill(&res)
}

// fill fills the row with the result of the sampling.
func (x *sampler) fill(res *sample.Result) error {
	row := x.row
	row.Schedules, row.Transitions, row.Depth, row.Cut = res.Schedules, res.Steps, res.MaxDepth, res.Cut
	if res.Stop != sample.AllViolated {
		row.Limit = decide.Limited(string(res.Stop))
	}
	if res.Steps == 0 && res.Stop == sample.Budget {
		row.Limit = decide.Limited(verdict.NoStep)
	}
	for _, claim := range append(slices.Clone(x.claims), verdict.NoHandlerFails) {
		r, err := x.result(claim, res)
		if err != nil {
			return err
		}
		if claim.Name != verdict.NoHandlerFails.Name || r.Verdict == verdict.Violated {
			row.Claims = append(row.Claims, r)
		}
	}
	row.Notes = append(row.Notes, x.untested()...)
	verdict.AddUnmet(row, x.plan)
	return nil
}

// giveUp fills the row after a handler did not return, or after a bug of the checker: no claim has a verdict.
func (x *sampler) giveUp(rowLimit, limit decide.Limit, text string) {
	x.row.Limit = rowLimit
	for _, c := range x.claims {
		r := verdict.NewClaim(c)
		r.Verdict, r.Limit, r.Text = verdict.Inconclusive, limit, text
		x.row.Claims = append(x.row.Claims, r)
	}
}

// found records a violation and reports it: the sampling continues for other claims, and a minimization takes its
// time. The trace is replayed first. A trace that does not break its claim again shows a handler that is not a
// function of its arguments, or a bug.
func (x *sampler) found(f sample.Found) {
	t, err := traces.FromRun(verdict.NewTrace(x.plan, x.claims, f.Claim, f.Text), f.World, f.Parts, f.Records)
	if err != nil {
		x.violated[f.Claim] = violation{nil, err}
		return
	}
	v := explain.New(x.plan.Protocol, t)
	if _, err := v.Run(); err != nil {
		x.violated[f.Claim] = violation{nil, fmt.Errorf("a violation of %s that was sampled does not come again: some handler is not a function of what it is given: %w", t.Claim, err)}
		return
	}
	x.violated[f.Claim] = violation{v, nil}
	claim := verdict.NoHandlerFails
	if i := slices.IndexFunc(x.claims, func(c model.Claim) bool { return c.Name == f.Claim }); i >= 0 {
		claim = x.claims[i]
	}
	verdict.ReportViolation(x.plan, x.row, claim, v, x.opt.Violated)
}

// minimizing returns the function that reports the progress of a minimization; nil if nobody listens.
func (x *sampler) minimizing(t *traces.Trace) func(minimize.Progress) {
	if x.opt.Progress == nil {
		return nil
	}
	began := time.Now()
	return func(at minimize.Progress) {
		x.opt.Progress(verdict.Progress{Row: x.row, Sampled: true, Minimizing: &verdict.Minimizing{Progress: at, From: len(t.Steps)}, Elapsed: time.Since(began)})
	}
}

// result returns the result of a claim. It minimizes the counterexample. The error is that of the counterexample's
// replay.
func (x *sampler) result(c model.Claim, res *sample.Result) (verdict.ClaimResult, error) {
	r := verdict.NewClaim(c)
	r.Verdict, r.Limit, r.Witnessed, r.Tested = verdict.Inconclusive, x.row.Limit, res.Witnessed[c.Name], res.Tested[c.Name]
	if limit := x.sampling.Undecided(c.Name); !limit.None() {
		r.Limit = limit
	}
	if r.Limit.Code == verdict.NoStep {
		r.Text = "no schedule took a step: nothing was put to the test"
	} else if c.Kind == model.Eventually {
		r.Text = "no schedule ended without its goal; one that goes on does not refute it"
	} else if c.Kind == model.PossibleFromEverywhere || c.Kind == model.AlmostSurely {
		r.Text = "no finite run can refute it"
	}
	if c.Kind == model.Sometimes && res.Reached[c.Name] {
		r.Verdict, r.Limit = verdict.Holds, decide.Limit{}
	}
	for _, f := range res.Violations {
		if f.Claim != c.Name {
			continue
		}
		run := x.violated[f.Claim]
		if run.err != nil {
			return r, run.err
		}
		small, minimized := shrink.Sampled(x.opt, x.plan.Protocol, run.Trace, x.minimizing(run.Trace))
		if small != run.Trace {
			run.Violation = explain.New(x.plan.Protocol, small)
		}
		r.Violate(run.Violation)
		r.Minimized = minimized
		r.Found = &verdict.Found{Schedule: f.Schedule + 1, Strategy: cmp.Or(f.Maker, x.row.Strategy)}
	}
	return r, nil
}
