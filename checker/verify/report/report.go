package report

import (
	"fmt"
	"io"
	"slices"

	"contend/checker"
	"contend/checker/explain"
	"contend/checker/plan"
	"contend/checker/sample"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/model"
	"contend/traces/show"
)

// Surroundings are the outputs of a report.
type Surroundings struct {
	Out, Err io.Writer
	Status   *console.Status // the line of progress
	// Protocol returns the protocol with a name.
	Protocol func(name string) (*model.Protocol, error)
	// Style returns the style of printed runs.
	Style func() show.Style
}

// A Report prints rows as they come, and finally a summary.
type Report struct {
	to      Surroundings
	output  flags.Output
	list    listing // nil where rows are printed as JSON
	rows    []*checker.Row
	saved   []string                  // files of counterexamples
	unsaved error                     // the last counterexample that could not be written
	early   map[announcement][]string // the files of violations whose rows are still to come, in the order of the rows
	Skipped int                       // checks not begun, because the user stopped the tool
}

// An announcement identifies a reported violation whose row is not complete. Its row's command is not known yet.
type announcement struct{ protocol, variant, claim string }

// New starts the report of jobs: an overview of several protocols, the rows of one or, if requested, of all, or
// JSON.
func New(to Surroundings, jobs []*plan.Plan, output flags.Output) *Report {
	r := &Report{to: to, output: output, early: map[announcement][]string{}}
	switch {
	case output.JSON:
	case !output.Rows && slices.ContainsFunc(jobs, func(j *plan.Plan) bool { return j.Protocol != jobs[0].Protocol }):
		r.list = newOverview(to.Out, jobs)
	default:
		r.list = newTable(to.Out, jobs, !output.Rows && len(jobs) > 1)
	}
	return r
}

// Add prints a row and saves its counterexamples.
func (r *Report) Add(row *checker.Row) error {
	r.rows = append(r.rows, row)
	for i := range row.Claims {
		c := &row.Claims[i]
		if c.Counterexample == nil {
			continue
		}
		v := r.explain(row, c)
		path, err := r.save(row, c, v)
		c.Trace = path
		if err != nil {
			r.unsaved = unsaved(*c, err)
			continue // what was found is told all the same
		}
		if err := r.savePage(path, v); err != nil {
			r.unsaved = fmt.Errorf("--out: cannot write the page of a run that violates %s: %w", c.Name, err)
		}
		if c.Finding == "" {
			r.saved = append(r.saved, path)
		}
	}
	if r.output.JSON {
		return console.PrintJSON(r.to.Out, row)
	}
	r.list.row(row)
	return nil
}

// explain returns the explained counterexample of a claim. It panics if the counterexample does not replay: this is
// a bug of the tool.
func (r *Report) explain(row *checker.Row, c *checker.ClaimResult) *explain.Violation {
	p, err := r.to.Protocol(row.Protocol)
	if err != nil {
		panic(err) // the row is of a protocol of the suite
	}
	v := c.Explain(p)
	if _, err := v.Run(); err != nil {
		panic(fmt.Errorf("a counterexample to %s does not replay: %w", c.Name, err))
	}
	return v
}

// save writes the counterexample of a complete row, and returns its file. It replaces the run that [Report.Violated]
// wrote; if it cannot be written, that run's file is returned.
func (r *Report) save(row *checker.Row, c *checker.ClaimResult, v *explain.Violation) (path string, err error) {
	run, of := v.Stored(), announcement{row.Protocol, row.Variant, c.Name}
	if len(r.early[of]) == 0 {
		path, _, err = console.SaveRun(r.output.Dir, run, c.Name)
		return path, err
	}
	before := r.early[of][0]
	r.early[of] = r.early[of][1:]
	if before == "" { // it was there already, or could not be written
		path, _, err = console.SaveRun(r.output.Dir, run, c.Name)
		return path, err
	}
	if path, err = console.ReplaceRun(r.output.Dir, run, c.Name, before); err != nil {
		path = before
	}
	return path, err
}

// Violated reports a violation on stderr before its row is complete, and saves its run. It returns the claim's
// result with the file.
func (r *Report) Violated(row *checker.Row, c checker.ClaimResult) checker.ClaimResult {
	run, goesOn := c.Counterexample, ", as it was sampled"
	if !sampled(row) {
		run, goesOn = r.explain(row, &c).Stored(), "; the search continues"
	}
	path, fresh, err := console.SaveRun(r.output.Dir, run, c.Name)
	of := announcement{row.Protocol, row.Variant, c.Name}
	switch {
	case err != nil:
		r.unsaved, path = unsaved(c, err), "its trace cannot be written"
		r.early[of] = append(r.early[of], "")
	case fresh:
		c.Trace = path
		r.early[of] = append(r.early[of], path)
	default:
		c.Trace = path
		r.early[of] = append(r.early[of], "")
	}
	r.to.Status.Clear()
	console.Say(r.to.Err, "%s: %s is violated by a run of %s: %s%s",
		console.Label(row.Protocol, row.Variant), c.Name, console.Counted(c.Steps, "step", "steps"), console.Plain(path), goesOn)
	return c
}

// unsaved returns the error that a counterexample could not be written.
func unsaved(c checker.ClaimResult, err error) error {
	return fmt.Errorf("--out: cannot write a run that violates %s: %w", c.Name, err)
}

// render prints the run of the first violation of each row, and if requested the runs of findings.
func (r *Report) render() error {
	for _, row := range r.rows {
		for _, known := range []bool{false, true} {
			i := slices.IndexFunc(row.Claims, func(c checker.ClaimResult) bool { return c.Counterexample != nil && (c.Finding != "") == known })
			if i < 0 || known && !r.output.Findings {
				continue
			}
			fmt.Fprintln(r.to.Out)
			picture, err := r.explain(row, &row.Claims[i]).Picture()
			if err != nil {
				return err
			}
			if err := picture.Text(r.to.Out, r.to.Style()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close prints the runs of violations and the summary, and returns the exit code.
func (r *Report) Close() (int, error) {
	code := exitCode(r.rows, r.Skipped)
	r.internal()
	if r.unsaved != nil {
		console.Say(r.to.Err, "%s", console.Plain(r.unsaved.Error()))
		if code == console.ExitHolds {
			code = console.ExitUsage
		}
	}
	if r.output.JSON {
		if r.Skipped > 0 {
			console.Say(r.to.Err, "interrupted; %s not started", console.Counted(r.Skipped, "check was", "checks were"))
		}
		return code, nil
	}
	r.list.end()
	if err := r.render(); err != nil {
		return code, err
	}
	return code, r.list.last(tallied(r.rows), append(stopped(r.Skipped), replays(r.saved)...))
}

// internal asks for reports of the claims that bugs of the tool left without a verdict.
func (r *Report) internal() {
	for _, row := range r.rows {
		for _, c := range row.Claims {
			if c.Internal() {
				console.Say(r.to.Err, "%s of %s has no verdict: %s; please report this with the command: %s",
					c.Name, console.Label(row.Protocol, row.Variant), c.Limit, row.Command)
			}
		}
	}
}

// exitCode returns the exit code of rows. A violation, which the interpreter confirmed,
// is known whatever went wrong elsewhere; an internal error is worse than a limit.
func exitCode(rows []*checker.Row, skipped int) int {
	code := console.ExitHolds
	if skipped > 0 {
		code = console.ExitLimit
	}
	for _, row := range rows {
		for _, c := range row.Claims {
			switch {
			case c.Verdict == checker.Violated && c.Finding == "":
				return console.ExitViolated
			case c.Internal():
				code = console.ExitInternal
			case code == console.ExitInternal:
			case c.Verdict == checker.Inconclusive && !SampledOut(row, c):
				code = console.ExitLimit
			}
		}
		if !row.Limit.None() && (!sampled(row) || row.Limit.Code == checker.NothingClaimed || row.Limit.Code == checker.Stuck) && code != console.ExitInternal {
			code = console.ExitLimit
		}
	}
	return code
}

func sampled(row *checker.Row) bool { return row.Strategy != "exhaustive" }

// SampledOut reports whether a claim is open only because complete sampling proves nothing.
func SampledOut(row *checker.Row, c checker.ClaimResult) bool {
	return sampled(row) && c.Limit.Code == string(sample.Budget)
}
