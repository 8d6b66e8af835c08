package checking

import (
	"errors"

	"contend/checker"
	"contend/checker/exhaustive"
	"contend/checker/plan"
	"contend/checker/verify/abreast"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
)

// decide runs jobs and reports on them.
func decide(t *tool.Tool, jobs []*plan.Plan, f *checkFlags) (int, error) {
	opt, err := f.options()
	if err != nil {
		return 0, err
	}
	if err := flags.AllWritable(&f.output, &f.limits); err != nil {
		return 0, err
	}
	if err := exhaustive.RefuseAll(jobs, opt); err != nil {
		return 0, err
	}
	if err := resumes(t, jobs, opt); err != nil {
		return 0, err
	}
	if f.forewarn {
		t.Forewarn("check")
	}
	if bound := f.limits.Bounded(); bound > 0 {
		console.Say(t.Err, "no protocol is named, so each search stops after %v; --timeout or --max-states changes that", bound)
	}
	if err := openProgress(t, f.progress); err != nil {
		return 0, err
	}
	drawn, err := drawn(t, jobs, f, opt)
	if err != nil {
		return 0, err
	}
	r := report.New(surroundings(t), jobs, f.output)
	to := abreast.Sink{Violated: func(row *checker.Row, c checker.ClaimResult) { t.Progress.Violated(row, r.Violated(row, c)) },
		Over: func(_ *plan.Plan, rows []*checker.Row) error { return addAll(r, rows) }}
	switch n := abreast.Width(&f.limits, opt); {
	case drawn != nil:
		err = addAll(r, drawn)
	case f.progress != "":
		r.Skipped, err = abreast.Run(t, jobs, opt, 1, to) // the file is about one search at a time
	default:
		r.Skipped, err = abreast.Run(t, jobs, opt, n, to)
	}
	if err != nil {
		return 0, err
	}
	code, err := r.Close()
	return code, errors.Join(err, t.Progress.Close())
}

// options returns the checker's options for the flags.
func (f *checkFlags) options() (checker.Options, error) {
	opt, err := f.limits.Options()
	opt.From, opt.Strategy, opt.Adversaries, opt.Share = f.from.run, f.strategy.Sampler(), f.adversaries, f.share
	return opt, err
}

// addAll reports on a check that is over.
func addAll(r *report.Report, rows []*checker.Row) error {
	for _, row := range rows {
		if err := r.Add(row); err != nil {
			return err
		}
	}
	return nil
}

// openProgress opens the file for the progress, if the flag names one.
func openProgress(t *tool.Tool, path string) (err error) {
	if path == "" {
		return nil
	}
	if err := flags.WritableFile("progress-file", path); err != nil {
		return err
	}
	t.Progress, err = console.NewProgress(path)
	return err
}

// resumes prints on stderr where searches continue.
func resumes(t *tool.Tool, jobs []*plan.Plan, opt checker.Options) error {
	lines, err := exhaustive.Resumed(jobs, opt)
	for _, line := range lines {
		console.Say(t.Err, "resume: %s", line)
	}
	return err
}
