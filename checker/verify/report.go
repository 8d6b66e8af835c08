package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"contend/checker"
)

// report prints rows as they come, and what they come to in the end.
type report struct {
	tool    *tool
	output  outputFlags
	table   *table
	rows    []*checker.Row
	saved   []string // files of counterexamples
	skipped int      // checks not begun
}

func newReport(t *tool, jobs []job, output outputFlags) *report {
	r := &report{tool: t, output: output}
	if !output.json {
		r.table = newTable(t.out, jobs)
		r.table.header()
	}
	return r
}

// add prints a row and saves its counterexamples.
func (r *report) add(row *checker.Row) error {
	r.rows = append(r.rows, row)
	for i := range row.Claims {
		c := &row.Claims[i]
		if c.Counterexample == nil {
			continue
		}
		path, err := save(r.output.dir, row, *c)
		if err != nil {
			return fmt.Errorf("out: %w", err)
		}
		c.Trace = path
		r.saved = append(r.saved, path)
	}
	if r.output.json {
		return printJSON(r.tool.out, row)
	}
	r.table.row(row)
	return nil
}

// render prints the run of the first violation of each row.
func (r *report) render() error {
	for _, row := range r.rows {
		i := slices.IndexFunc(row.Claims, func(c checker.ClaimResult) bool { return c.Counterexample != nil })
		if i < 0 {
			continue
		}
		p, err := r.tool.protocol(row.Protocol)
		if err != nil {
			return err
		}
		fmt.Fprintln(r.tool.out)
		if err := r.tool.render(p, row.Claims[i].Counterexample); err != nil {
			return err
		}
	}
	return nil
}

// printJSON prints a value on one line.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// close prints the runs of violations and the summary, and returns the exit code.
func (r *report) close() (int, error) {
	code := verdict(r.rows, r.skipped)
	r.internal()
	if r.output.json {
		if r.skipped > 0 {
			fmt.Fprintf(r.tool.err, "verify: interrupted; %s not begun\n", counted(r.skipped, "check was", "checks were"))
		}
		return code, nil
	}
	if err := r.render(); err != nil {
		return 0, err
	}
	_, err := fmt.Fprintf(r.tool.out, "\n%s", summary(r.rows, r.saved, r.skipped))
	return code, err
}

// internal asks for reports of the claims that bugs of the tool left without a verdict.
func (r *report) internal() {
	for _, row := range r.rows {
		for _, c := range row.Claims {
			if c.Internal() {
				fmt.Fprintf(r.tool.err, "verify: %s of %s has no verdict: %s; please report this with the command: %s\n",
					c.Name, label(row.Protocol, row.Variant), c.Limit, row.Command)
			}
		}
	}
}

// verdict is the exit code that rows come to. A violation, which the interpreter confirmed,
// is known whatever went wrong elsewhere; an internal error is worse than a limit.
func verdict(rows []*checker.Row, skipped int) int {
	code := exitHolds
	if skipped > 0 {
		code = exitLimit
	}
	for _, row := range rows {
		for _, c := range row.Claims {
			switch {
			case c.Verdict == checker.Violated && c.Finding == "":
				return exitViolated
			case c.Internal():
				code = exitInternal
			case code == exitInternal:
			case c.Verdict == checker.Inconclusive && !sampledOut(row, c):
				code = exitLimit
			}
		}
		if row.Limit != "" && !sampled(row) && code != exitInternal {
			code = exitLimit
		}
	}
	return code
}

func sampled(row *checker.Row) bool { return row.Strategy != "exhaustive" }

// sampledOut reports whether a claim is open only because sampling, which went to
// the end of its budget, proves nothing.
func sampledOut(row *checker.Row, c checker.ClaimResult) bool {
	return sampled(row) && c.Limit == "schedules"
}

// counted is a number with the word that fits it.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
