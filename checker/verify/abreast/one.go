package abreast

import (
	"fmt"

	"contend/checker"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
)

// One runs one job with live progress.
func One(t *tool.Tool, j report.Job, opt checker.Options) ([]*checker.Row, error) {
	opt.Interrupt, opt.Progress, opt.Stuck = t.Interrupt, t.Told, t.Status.Stuck
	rows, err := checker.Check(j.Protocol, j.Check, opt)
	return over(t, j, rows, err)
}

// over ends the live progress of a job that is over, and returns its rows, or what is wrong with it.
func over(t *tool.Tool, j report.Job, rows []*checker.Row, err error) ([]*checker.Row, error) {
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
