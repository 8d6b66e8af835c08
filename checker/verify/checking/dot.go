package checking

import (
	"bytes"
	"fmt"
	"os"

	"contend/checker"
	"contend/checker/exhaustive"
	"contend/checker/plan"
	"contend/checker/verify/abreast"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
)

// mostDrawn is the default bound on the number of drawn states.
const mostDrawn = 2000

// drawn runs the only job, whose state space --dot draws, and writes the file. It returns nil without the flag.
func drawn(t *tool.Tool, jobs []*plan.Plan, f *checkFlags, opt checker.Options) ([]*checker.Row, error) {
	if f.dot == "" {
		return nil, nil
	}
	if err := exhaustive.RefuseDrawing(jobs, opt); err != nil {
		return nil, fmt.Errorf("--dot: %w", err)
	}
	if err := flags.WritableFile("dot", f.dot); err != nil {
		return nil, err
	}
	usual := opt.MaxStates == 0
	if usual {
		opt.MaxStates = mostDrawn + 1
	}
	var dot bytes.Buffer
	opt.Dot = &dot
	rows, err := abreast.One(t, jobs[0], opt)
	switch {
	case err != nil:
		return nil, err
	case usual && rows[0].States > mostDrawn:
		return nil, fmt.Errorf("--dot: there are more than %d states, too many to look at; choose a smaller configuration, or draw about the first N with --max-states N", mostDrawn)
	case dot.Len() == 0:
		return nil, fmt.Errorf("--dot: there was no search to draw: %s", rows[0].Limit)
	}
	return rows, os.WriteFile(f.dot, dot.Bytes(), 0o644)
}
