package measuring

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"contend/checker/measure"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/model"
)

// measurements prints points as they are measured, and then the results.
type measurements struct {
	to    *tool.Tool
	json  bool
	width int // of the first column
	study *model.Study
	begun bool
}

// newMeasurements starts to print measurements of variants of a protocol.
func newMeasurements(to *tool.Tool, asJSON bool, p *model.Protocol, variants []string) *measurements {
	f := &measurements{to: to, json: asJSON, width: len("PROTOCOL"), study: p.Study}
	for _, v := range variants {
		f.width = max(f.width, utf8.RuneCountInString(console.Label(p.Name, v)))
	}
	return f
}

const pointLine = "%-*s  %-6s  %5s  %14s  %14s  %14s  %8s  %14s  %6s  %8s\n"

// Point prints a line.
func (f *measurements) Point(p measure.Point) error {
	f.to.Status.Clear()
	if f.json {
		return console.PrintJSON(f.to.Out, p)
	}
	if !f.begun {
		f.begun = true
		fmt.Fprintf(f.to.Out, pointLine, f.width, "PROTOCOL", "FAULTY", "T", "MEAN", "MEDIAN", "P99", "LARGEST", "ALL RETURNED", "TRIES", "MESSAGES")
	}
	fmt.Fprintf(f.to.Out, pointLine, f.width, console.Label(p.Protocol, p.Variant), p.Faulty, fmt.Sprint(p.T), plusMinus(p.Amortised), plusMinus(p.Median),
		plusMinus(p.P99), measure.Number(p.Largest), plusMinus(p.Last), measure.Number(p.Tries.Value), measure.Number(p.Messages.Value))
	if p.Unfinished > 0 {
		fmt.Fprintf(f.to.Out, "  %d of %d runs did not finish, and are not part of this line\n", p.Unfinished, p.Runs)
	}
	return nil
}

func plusMinus(e measure.Estimate) string {
	return measure.Number(e.Value) + " ±" + measure.Number(e.Half())
}

// Close prints fits and statements.
func (f *measurements) Close(r *measure.Report, command string) error {
	if f.json {
		for _, fit := range r.Fits {
			if err := console.PrintJSON(f.to.Out, fit); err != nil {
				return err
			}
		}
		for _, a := range r.Assessments {
			if err := console.PrintJSON(f.to.Out, a); err != nil {
				return err
			}
		}
		return nil
	}
	var b strings.Builder
	f.fits(&b, r)
	f.assessments(&b, r)
	if r.Interrupted {
		b.WriteString("\nInterrupted: the remaining points were not measured.\n")
	}
	fmt.Fprintf(&b, "\nTimes are in ticks; ± is half of a 95%% confidence interval. To measure again:\n  %s\n", command)
	_, err := fmt.Fprint(f.to.Out, b.String())
	return err
}

const fitLine = "%-*s  %-6s  %-12s  %-7s  %-20s  %-20s  %-14s  %s\n"

func (f *measurements) fits(b *strings.Builder, r *measure.Report) {
	if len(r.Fits) == 0 {
		return
	}
	fmt.Fprintf(b, "\n"+fitLine, f.width, "PROTOCOL", "FAULTY", "GROWTH OF", "BEST", "POWER OF T", "OF THE LAST TWO", "ERROR OF A·T+B", "OF A·T·LOG T+B")
	for _, fit := range r.Fits {
		fmt.Fprintf(b, fitLine, f.width, console.Label(fit.Protocol, fit.Variant), fit.Faulty, measure.Growth[fit.Quantity], fit.Best,
			exponent(fit.Power.P), exponent(fit.Tail), percent(fit.Linear.Error), percent(fit.LogLinear.Error))
	}
}

func exponent(e measure.Estimate) string {
	return fmt.Sprintf("%.3f [%.3f, %.3f]", e.Value, e.Low, e.High)
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

func (f *measurements) assessments(b *strings.Builder, r *measure.Report) {
	for _, s := range f.study.Statements {
		fmt.Fprintf(b, "\n%s: %s (%s)\n", s.Name, s.Text, s.Source)
		for _, a := range r.Assessments {
			if a.Statement == s.Name {
				fmt.Fprintf(b, "  %-*s  %-6s  %s: %s\n", f.width, console.Label(a.Protocol, a.Variant), a.Faulty, a.Verdict, a.Why)
			}
		}
	}
}

// Code returns the exit code of a report.
func (f *measurements) Code(r *measure.Report) int {
	if r.Interrupted {
		return console.ExitLimit
	}
	for _, p := range r.Points {
		if p.Unfinished > 0 {
			return console.ExitLimit
		}
	}
	return console.ExitHolds
}
