package abreast

import (
	"fmt"

	"contend/checker"
	"contend/checker/check"
	"contend/checker/plan"
	"contend/checker/verify/tool"
)

// One runs one job with live progress.
func One(t *tool.Tool, j *plan.Plan, opt checker.Options) ([]*checker.Row, error) {
	opt.Interrupt, opt.Progress, opt.Stuck = t.Interrupt, t.Update, t.Status.Stuck
	rows, err := check.Decide(j, opt)
	return over(t, j, rows, err)
}

// over ends the progress of a finished job, and returns its rows or its error.
func over(t *tool.Tool, j *plan.Plan, rows []*checker.Row, err error) ([]*checker.Row, error) {
	t.Status.Clear()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.Protocol.Name, err)
	}
	for _, row := range rows {
		row.Seconds = t.PrintedSeconds(row.Seconds)
		t.Progress.End(row)
	}
	return rows, nil
}
