package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/checker"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/lab/tables"
)

// printer prints the entries of a table as they are computed, and saves the runs that show
// differences and problems.
type printer struct {
	to       *tool.Tool
	output   flags.Output
	markdown bool
	code     int
	row      string // the last
	page     page
	matrix   *matrix // that is not printed yet, or nil
}

// newPrinter begins to print a table: as text, as JSON or as a page in Markdown.
func newPrinter(to *tool.Tool, output flags.Output, markdown bool) *printer {
	return &printer{to: to, output: output, markdown: markdown}
}

// Add prints an entry.
func (p *printer) Add(e *tables.Entry) error {
	p.to.Status.Clear()
	p.code = max(p.code, entryCode(e))
	if e.Run != nil && p.output.Dir != "" {
		path, _, err := console.SaveRun(p.output.Dir, p.to.Pictured(e.Run), e.Shows)
		if err != nil {
			return fmt.Errorf("out: %w", err)
		}
		e.Trace = path
	}
	switch {
	case p.markdown:
		p.page.add(e)
		return nil
	case p.output.JSON:
		return console.PrintJSON(p.to.Out, e)
	case isMatrix(e):
		return p.addToMatrix(e)
	}
	if err := p.endMatrix(); err != nil {
		return err
	}
	if e.Row != p.row {
		p.row = e.Row
		if _, err := fmt.Fprintf(p.to.Out, "%s: %s (%s)\n", e.Row, e.Title, e.Source); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(p.to.Out, entryText(e))
	return err
}

// Close prints the end.
func (p *printer) Close() error {
	if !p.markdown {
		return p.endMatrix()
	}
	_, err := fmt.Fprint(p.to.Out, p.page.String())
	return err
}

// addToMatrix keeps a cell until its matrix is whole.
func (p *printer) addToMatrix(e *tables.Entry) error {
	if p.matrix != nil && p.matrix.table != e.Comparison.Table {
		if err := p.endMatrix(); err != nil {
			return err
		}
	}
	if p.matrix == nil {
		p.matrix, p.row = &matrix{table: e.Comparison.Table}, ""
	}
	p.matrix.add(e)
	return nil
}

// endMatrix prints the matrix that is whole now.
func (p *printer) endMatrix() error {
	if p.matrix == nil {
		return nil
	}
	_, err := fmt.Fprint(p.to.Out, p.matrix.text(p.output.Dir))
	p.matrix = nil
	return err
}

// Code returns the exit code of the table.
func (p *printer) Code() int { return p.code }

// entryCode returns the exit code of an entry.
func entryCode(e *tables.Entry) int {
	for _, r := range e.Claims {
		if strings.HasPrefix(r.Limit, checker.Internal+":") {
			return console.ExitInternal
		}
	}
	for _, at := range e.Points {
		if strings.HasPrefix(at.Limit, checker.Internal+":") {
			return console.ExitInternal
		}
	}
	switch {
	case e.Verdict == tables.Inconclusive:
		return console.ExitLimit
	case !e.Expected:
		return console.ExitViolated
	}
	return console.ExitHolds
}

// entryText writes an entry for people.
func entryText(e *tables.Entry) string {
	var b strings.Builder
	name := e.Name
	if e.When != "" {
		name += ", " + e.When
	}
	if e.Kind == tables.Problem {
		fmt.Fprintf(&b, "  problem: %s\n    %s: %s\n", e.Printed, e.Name, computed(e))
	} else {
		fmt.Fprintf(&b, "  %s%s%s%s\n", padded(name, 58), padded(orNone(e.Printed), 20), padded(computed(e), 34), verdictOf(e))
	}
	if remarkable(e) {
		fmt.Fprintf(&b, "    %s\n", why(e))
	}
	if e.Trace != "" {
		fmt.Fprintf(&b, "    by a run of %s: %s\n", console.Counted(e.Steps, "step", "steps"), e.Trace)
	}
	return b.String()
}

// remarkable reports whether a cell needs more than its verdict.
func remarkable(e *tables.Entry) bool {
	return e.Why != "" || e.Verdict == tables.Differs && !e.Expected
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(2, width-utf8.RuneCountInString(text)))
}

func orNone(printed string) string {
	if printed == "" {
		return "–"
	}
	return printed
}

// verdictOf is the verdict, and whether it is known.
func verdictOf(e *tables.Entry) string {
	switch {
	case e.Verdict == tables.Differs && e.Expected:
		return "differs (known)"
	case e.Verdict == tables.Agrees && !e.Expected:
		return "agrees, although a difference is recorded"
	}
	return string(e.Verdict)
}

// why returns the known reason of a difference, or of an open cell.
func why(e *tables.Entry) string {
	if e.Why == "" {
		return "no reason is recorded for this difference"
	}
	return e.Why
}

// computed returns the result of a cell.
func computed(e *tables.Entry) string {
	if e.Kind != tables.Number {
		return verdicts(e)
	}
	if e.Least == "" {
		return "no number"
	}
	numbers := e.Least
	switch {
	case strings.Contains(e.Least+e.Most, ", "):
		numbers = "least " + e.Least + "; most " + e.Most
	case e.Least != e.Most:
		numbers += " to " + e.Most
	}
	return fmt.Sprintf("%s  (%s)", numbers, sizes(e))
}

// verdicts returns the verdicts on the claims of a property or a problem, check by check.
func verdicts(e *tables.Entry) string {
	var parts, checks []string
	at := ""
	for i, r := range e.Claims {
		if next := boundsOf(r.Command); i > 0 && next != at {
			checks, parts = append(checks, strings.Join(slices.Compact(parts), ", ")), nil
		}
		at = boundsOf(r.Command)
		part := string(r.Verdict)
		if severalClaims(e) {
			part = r.Name + " " + part
		}
		parts = append(parts, part)
	}
	return strings.Join(append(checks, strings.Join(slices.Compact(parts), ", ")), "; ")
}

// severalClaims reports whether a property consists of several claims.
func severalClaims(e *tables.Entry) bool {
	return slices.ContainsFunc(e.Claims, func(r tables.Result) bool { return r.Name != e.Claims[0].Name })
}

// boundsOf returns the configuration in a command.
func boundsOf(command string) string {
	command = strings.TrimPrefix(command, verdict.Tool+" check ")
	command, _, _ = strings.Cut(command, " --claim ")
	return strings.TrimSuffix(command, " --costs")
}

// sizes returns the sizes of computed numbers: "N = 2, 3, 5", or "N = 2–5" if none is missing.
func sizes(e *tables.Entry) string {
	var at []int
	for _, p := range e.Points {
		if p.Least != nil && (p.Limit == "" || p.Cut) {
			at = append(at, p.Size)
		}
	}
	all := len(at) > 2
	for i := range at {
		all = all && at[i] == at[0]+i
	}
	if all {
		return fmt.Sprintf("%s = %d–%d", e.Size, at[0], at[len(at)-1])
	}
	return e.Size + " = " + strings.Trim(strings.ReplaceAll(fmt.Sprint(at), " ", ", "), "[]")
}
