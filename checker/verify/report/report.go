package report

import (
	"fmt"
	"io"
	"slices"

	"contend/checker"
	"contend/checker/verify/flags"
	"contend/traces"
)

// Surroundings are where results go.
type Surroundings struct {
	Out, Err io.Writer
	Status   *Status // the line of progress
	// Show prints the run of a counterexample to a protocol.
	Show func(protocol string, t *traces.Trace) error
	// Why says in a sentence or two why that run breaks its claim.
	Why func(protocol string, t *traces.Trace) []string
	// Page writes a page of that run.
	Page func(w io.Writer, protocol string, t *traces.Trace) error
}

// A Report prints rows as they come, and what they come to in the end.
type Report struct {
	to      Surroundings
	output  flags.Output
	list    listing // nil where rows are printed as JSON
	rows    []*checker.Row
	saved   []string // files of counterexamples
	unsaved error    // the last counterexample that could not be written
	Skipped int      // checks not begun, because the user stopped the tool
}

// New begins a report of jobs: an overview of several protocols, the rows of one, or of all where
// they are asked for, or JSON.
func New(to Surroundings, jobs []Job, output flags.Output) *Report {
	r := &Report{to: to, output: output}
	switch {
	case output.JSON:
	case !output.Rows && slices.ContainsFunc(jobs, func(j Job) bool { return j.Protocol != jobs[0].Protocol }):
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
		c.Why = r.to.Why(row.Protocol, c.Counterexample)
		path, err := Save(r.output.Dir, row, *c)
		if err != nil {
			r.unsaved = fmt.Errorf("--out: a run that breaks %s could not be written: %w", c.Name, err)
			continue // what was found is told all the same
		}
		c.Trace = path
		if err := r.savePage(path, row.Protocol, c.Counterexample); err != nil {
			r.unsaved = fmt.Errorf("--out: a page of a run that breaks %s could not be written: %w", c.Name, err)
		}
		if c.Finding == "" {
			r.saved = append(r.saved, path)
		}
	}
	if r.output.JSON {
		return PrintJSON(r.to.Out, row)
	}
	r.list.row(row)
	return nil
}

// render prints the run of the first violation of each row, and of each finding where runs of
// findings are asked for.
func (r *Report) render() error {
	for _, row := range r.rows {
		for _, known := range []bool{false, true} {
			i := slices.IndexFunc(row.Claims, func(c checker.ClaimResult) bool { return c.Counterexample != nil && (c.Finding != "") == known })
			if i < 0 || known && !r.output.Findings {
				continue
			}
			fmt.Fprintln(r.to.Out)
			if err := r.to.Show(row.Protocol, row.Claims[i].Counterexample); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close prints the runs of violations and the summary, and returns the exit code.
func (r *Report) Close() (int, error) {
	code := verdict(r.rows, r.Skipped)
	r.internal()
	if r.unsaved != nil {
		fmt.Fprintf(r.to.Err, "verify: %s\n", Plain(r.unsaved.Error()))
		if code == ExitHolds {
			code = ExitUsage
		}
	}
	if r.output.JSON {
		if r.Skipped > 0 {
			fmt.Fprintf(r.to.Err, "verify: interrupted; %s not begun\n", Counted(r.Skipped, "check was", "checks were"))
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
				fmt.Fprintf(r.to.Err, "verify: %s of %s has no verdict: %s; please report this with the command: %s\n",
					c.Name, Label(row.Protocol, row.Variant), c.Limit, row.Command)
			}
		}
	}
}

// verdict is the exit code that rows come to. A violation, which the interpreter confirmed,
// is known whatever went wrong elsewhere; an internal error is worse than a limit.
func verdict(rows []*checker.Row, skipped int) int {
	code := ExitHolds
	if skipped > 0 {
		code = ExitLimit
	}
	for _, row := range rows {
		for _, c := range row.Claims {
			switch {
			case c.Verdict == checker.Violated && c.Finding == "":
				return ExitViolated
			case c.Internal():
				code = ExitInternal
			case code == ExitInternal:
			case c.Verdict == checker.Inconclusive && !SampledOut(row, c):
				code = ExitLimit
			}
		}
		if row.Limit != "" && (!sampled(row) || row.Limit == checker.NothingClaimed || row.Limit == checker.Stuck) && code != ExitInternal {
			code = ExitLimit
		}
	}
	return code
}

func sampled(row *checker.Row) bool { return row.Strategy != "exhaustive" }

// SampledOut reports whether a claim is open only because sampling, which went to
// the end of its budget, proves nothing.
func SampledOut(row *checker.Row, c checker.ClaimResult) bool {
	return sampled(row) && c.Limit == "schedules"
}
