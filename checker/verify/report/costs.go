package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/search/decide"
	"contend/checker/verify/console"
	"contend/model"
	"contend/traces/picture"
)

// Cost prints the result of a cost, and saves the runs.
func Cost(out io.Writer, p *model.Protocol, row *checker.CostRow, dir string, asJSON bool) error {
	for _, r := range []*checker.Reading{row.Least, row.Most} {
		if r == nil || r.Run == nil {
			continue
		}
		path, _, err := console.SaveRun(dir, picture.WithPicture(p, r.Run, nil), row.Cost)
		if err != nil {
			return fmt.Errorf("out: %w", err)
		}
		r.Trace = path
	}
	if asJSON {
		return console.PrintJSON(out, row)
	}
	_, err := fmt.Fprint(out, costText(p, row, console.Width(out)))
	return err
}

// costText writes a row for people, in lines of a width.
func costText(p *model.Protocol, row *checker.CostRow, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", console.Label(row.Protocol, row.Variant), row.Cost)
	say := func(text string, head ...string) {
		console.Paragraph(&b, "  ", append(head, strings.Fields(text)...), width)
	}
	say(row.Meaning)
	for _, r := range []struct {
		name string
		is   *checker.Reading
	}{{"least", row.Least}, {"most", row.Most}} {
		if r.is != nil {
			say(inUnit(r.is.String(), row.Unit)+shownBy(r.is), fmt.Sprintf("%-6s", r.name))
		}
	}
	if row.Least == nil {
		fmt.Fprintf(&b, "  no run has a value\n")
	}
	bounds := (&table{jobs: []*plan.Plan{{Protocol: p}}}).bounds(&checker.Row{
		Protocol: row.Protocol, Config: row.Config, Faults: row.Faults, Time: row.Time, Strategy: "exhaustive", Cut: row.Cut,
	})
	of := "over all runs"
	switch {
	case row.Limit.Code == decide.Cut:
		of = "over all runs up to the cut: " + row.Text
	case !row.Complete:
		of = "not over all runs: " + cmp.Or(row.Text, row.Limit.String())
	}
	say(of)
	say(fmt.Sprintf("within %s; %d states, %.1f s", strings.Join(bounds, " "), row.States, row.Seconds))
	return b.String()
}

// inUnit returns a number with its unit, "2 messages, one after another"; the unit is singular after 1.
func inUnit(number, unit string) string {
	first, rest, more := strings.Cut(unit, ",")
	if number == "1" {
		first = strings.TrimSuffix(first, "s")
	}
	if more {
		rest = "," + rest
	}
	return number + " " + first + rest
}

// shownBy returns a text on the run of a number.
func shownBy(r *checker.Reading) string {
	if r.Trace == "" {
		return ", but no run with exact times was found for it"
	}
	return fmt.Sprintf(", shown by a run of %s: %s", console.Counted(r.Steps, "step", "steps"), r.Trace)
}

// CostExit returns the exit code of a row. A declared cut is a bound, and not a limit.
func CostExit(row *checker.CostRow) int {
	switch {
	case row.Limit.Code == checker.Internal:
		return console.ExitInternal
	case row.Least == nil, !row.Limit.None() && row.Limit.Code != decide.Cut:
		return console.ExitLimit
	}
	return console.ExitHolds
}
