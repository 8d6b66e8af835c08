package checking

import (
	"errors"
	"fmt"

	"contend/checker"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
)

// decide runs jobs and reports on them.
func decide(t *tool.Tool, jobs []report.Job, f *checkFlags) (int, error) {
	opt, err := f.limits.Options()
	if err != nil {
		return 0, err
	}
	opt.From, opt.Strategy = f.from.run, f.strategy.Sampler()
	opt.Adversaries = f.adversaries
	if err := flags.AllWritable(&f.output, &f.limits); err != nil {
		return 0, err
	}
	if err := refuse(jobs, opt); err != nil {
		return 0, err
	}
	if err := resumes(t, jobs, opt); err != nil {
		return 0, err
	}
	if f.forewarn {
		t.Forewarn("check")
	}
	if bound := f.limits.Bounded(); bound > 0 {
		fmt.Fprintf(t.Err, "verify: no protocol is named, so each search stops after %v; --timeout or --max-states changes that\n", bound)
	}
	if err := openProgress(t, f.progress); err != nil {
		return 0, err
	}
	drawn, err := drawn(t, jobs, f, opt)
	if err != nil {
		return 0, err
	}
	r := report.New(surroundings(t), jobs, f.output)
	opt.Violated = func(row *checker.Row, c checker.ClaimResult) { t.Progress.Violated(row, r.Violated(row, c)) }
	for i, j := range jobs {
		if t.Interrupted() {
			r.Skipped = len(jobs) - i
			break
		}
		t.Status.Begin(i, len(jobs))
		rows, err := rowsOf(t, j, drawn, opt)
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			if err := r.Add(row); err != nil {
				return 0, err
			}
		}
	}
	code, err := r.Close()
	return code, errors.Join(err, t.Progress.Close())
}

// openProgress opens the file that progress is written into, if one is named.
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

// refuse says in a sentence why not all of the jobs can be done with these options, before the
// first of them is.
func refuse(jobs []report.Job, opt checker.Options) error {
	for _, j := range jobs {
		if err := checker.Refuse(j.Protocol, j.Check, opt); err != nil {
			return fmt.Errorf("%s: %w", j.Protocol.Name, err)
		}
	}
	return checker.RefuseCheckpoints(report.Planned(jobs), opt)
}

// resumes tells on stderr from where searches go on.
func resumes(t *tool.Tool, jobs []report.Job, opt checker.Options) error {
	lines, err := checker.Resumed(report.Planned(jobs), opt)
	for _, line := range lines {
		fmt.Fprintf(t.Err, "verify: resume: %s\n", line)
	}
	return err
}

// rowsOf are the rows of a job: those that were drawn, if any were.
func rowsOf(t *tool.Tool, j report.Job, drawn []*checker.Row, opt checker.Options) ([]*checker.Row, error) {
	if drawn != nil {
		return drawn, nil
	}
	return checkJob(t, j, opt)
}

// check runs one job with live progress.
func checkJob(t *tool.Tool, j report.Job, opt checker.Options) ([]*checker.Row, error) {
	opt.Interrupt, opt.Progress, opt.Stuck = t.Interrupt, t.Told, t.Status.Stuck
	rows, err := checker.Check(j.Protocol, j.Check, opt)
	t.Status.Clear()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.Protocol.Name, err)
	}
	for _, row := range rows {
		row.Seconds = t.Shown(row.Seconds)
		t.Progress.End(row)
	}
	return rows, nil
}
