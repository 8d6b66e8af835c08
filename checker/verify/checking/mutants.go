package checking

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
	"contend/model"
)

// Mutants is the verb mutants.
func Mutants(t *tool.Tool) *cobra.Command {
	var limits flags.Limits
	var output flags.Output
	var by strategiesFlags
	c := t.Verb(cobra.Command{
		Use:   "mutants [PROTOCOL[/VARIANT]...]",
		Short: "check that each mutant is caught, and no option breaks a claim",
		Long: `Mutants tests the checks themselves. A mutant is a protocol with a seeded bug: it must violate the
claim that it names, at the smallest configuration that shows it. An option is a variant that is meant
to be correct: it must violate no claim at a check that tries it. Traces are written only if --out is
set.

` + strategiesHelp + `

Exit codes:
  0   every mutant is caught, and no option violates a claim; or strategies were compared
  1   a mutant escapes, or an option violates a claim
  2   bad usage or bad input
  3   a limit was hit
  70  an internal error`,
		Example: `  verify mutants
  verify mutants backoff --out mutants --json
  verify mutants backoff --strategies portfolio,pos --html strategies.html`,
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) {
		if by.asked() {
			return compare(t, args, &by, &limits, &output)
		}
		if err := by.idle(); err != nil {
			return 0, err
		}
		return tryMutants(t, args, &limits, &output)
	})
	c.Flags().SortFlags = false
	limits.Bind(c.Flags())
	output.Bind(c.Flags())
	by.bind(c.Flags())
	c.Flags().Lookup("out").DefValue = ""
	output.Dir = ""
	return c
}

// trial is the check of one variant. Its JSON is a stable contract.
type trial struct {
	Schema    int     `json:"schema"`
	Protocol  string  `json:"protocol"`
	Mutant    string  `json:"mutant"`
	Claim     string  `json:"claim"`
	Caught    bool    `json:"caught"`
	Strategy  string  `json:"strategy"`
	Schedules int64   `json:"schedules"`
	States    int64   `json:"states"`
	Steps     int     `json:"steps"`
	Seconds   float64 `json:"seconds"`
	Trace     string  `json:"trace"`

	option bool
	limit  string // why it is open, when it is
}

// mutants tries the variants of the protocols named, or of all.
func tryMutants(t *tool.Tool, args []string, limits *flags.Limits, output *flags.Output) (int, error) {
	targets, err := t.Targets(args)
	if err != nil {
		return 0, err
	}
	opt, err := limits.Options()
	if err != nil {
		return 0, err
	}
	jobs := trials(targets)
	if len(jobs) == 0 && len(targets) == 1 {
		return 0, fmt.Errorf("protocol %s has no variants; a mutant is a model.Variant with the claim that it must break in Breaks", targets[0].Protocol.Name)
	}
	if err := report.Validate(jobs); err != nil {
		return 0, err
	}
	if err := limits.Effective(report.Checks(jobs)); err != nil {
		return 0, err
	}
	if err := flags.AllWritable(output, limits); err != nil {
		return 0, err
	}
	if err := refuse(jobs, opt); err != nil {
		return 0, err
	}
	if len(args) == 0 {
		t.Forewarn("mutants")
	}
	b := newBench(t, jobs, *output)
	if b.skipped, err = runAll(t, jobs, opt, abreastOf(limits, opt), sink{over: b.add}); err != nil {
		return 0, err
	}
	return b.close(), nil
}

// trials lists the checks of the variants.
func trials(targets []tool.Target) []report.Job {
	var jobs []report.Job
	for _, at := range targets {
		for _, v := range at.Protocol.Variants {
			if at.Variant != "" && v.Name != at.Variant {
				continue
			}
			c := v.Show
			if v.Mutant() {
				c.Claims = []string{v.Breaks}
			} else if reflect.DeepEqual(c, model.Check{}) {
				c = ordinary(at.Protocol)
			}
			c.Variant = v.Name
			jobs = append(jobs, report.Job{Protocol: at.Protocol, Check: c})
		}
	}
	return jobs
}

// ordinary is the protocol's first check.
func ordinary(p *model.Protocol) model.Check {
	if len(p.Checks) > 0 {
		return p.Checks[0]
	}
	return model.Check{Reading: checker.UsualReading(p, model.Check{})}
}

// tried makes of the rows of a variant's check what they say of it, with the claim that catches it or nil.
func tried(j report.Job, rows []*checker.Row) (trial, *checker.ClaimResult) {
	out := trial{Schema: 1, Protocol: j.Protocol.Name, Mutant: j.Check.Variant}
	if v, err := j.Protocol.Variant(j.Check.Variant); err == nil {
		out.Claim, out.option = v.Breaks, !v.Mutant()
	}
	for _, row := range rows {
		if row.Limit == checker.NothingClaimed {
			out.limit = row.Limit
		}
		out.Strategy = row.Strategy
		out.Schedules += row.Schedules
		out.States += row.States
		out.Seconds += row.Seconds
		for i := range row.Claims {
			c := &row.Claims[i]
			if c.Verdict == checker.Violated && (c.Name == out.Claim || out.option && c.Finding == "") {
				out.Caught, out.Claim, out.Steps, out.limit = true, c.Name, c.Steps, ""
				return out, c
			}
			if c.Verdict == checker.Inconclusive && !report.SampledOut(row, *c) && !(c.Limit == checker.Untested && out.option) {
				out.limit = c.Limit // of an option each claim counts that is put to the test
			}
		}
	}
	return out, nil
}

// fails reports whether the trial did not come out as it must.
func (x trial) fails() bool { return x.limit == "" && x.Caught == x.option }

// verdict is the trial in a word or two.
func (x trial) verdict() string {
	switch {
	case x.limit != "":
		return "open: " + x.limit
	case x.option && x.Caught:
		return "BREAKS A CLAIM"
	case x.option:
		return "keeps the claims"
	case x.Caught:
		return "caught"
	}
	return "ESCAPES"
}

// bench reports on trials.
type bench struct {
	tool    *tool.Tool
	output  flags.Output
	layout  string // of a line of the table; "" if that is too wide
	width   int    // in columns
	trials  []trial
	skipped int
}

func newBench(t *tool.Tool, jobs []report.Job, output flags.Output) *bench {
	protocol, variant, claim := 8, 7, 5
	for _, j := range jobs {
		protocol = max(protocol, len([]rune(j.Protocol.Name)))
		variant = max(variant, len([]rune(j.Check.Variant)))
		for _, name := range j.Check.Claims {
			claim = max(claim, len([]rune(name)))
		}
	}
	b := &bench{tool: t, output: output, width: console.Width(t.Out)}
	if protocol+variant+claim+50 <= b.width {
		b.layout = fmt.Sprintf("%%-%ds  %%-%ds  %%-%ds  %%-16s  %%10s  %%5s  %%7s\n", protocol, variant, claim)
	}
	if !output.JSON && b.layout != "" {
		fmt.Fprintf(t.Out, b.layout, "PROTOCOL", "VARIANT", "CLAIM", "VERDICT", "STATES", "STEPS", "SECONDS")
	}
	return b
}

// add prints a trial. An option is no mutant: its JSON would be a line too many.
func (b *bench) add(j report.Job, rows []*checker.Row) error {
	x, c := tried(j, rows)
	if c != nil && c.Counterexample != nil && b.output.Dir != "" {
		path, _, err := console.SaveRun(b.output.Dir, b.tool.Pictured(c.Counterexample), c.Name)
		if err != nil {
			return fmt.Errorf("out: %w", err)
		}
		x.Trace = path
	}
	b.trials = append(b.trials, x)
	if !b.output.JSON {
		b.print(x)
		return nil
	}
	if x.option {
		return nil
	}
	return console.PrintJSON(b.tool.Out, x)
}

// print prints a trial as a line of the table or, where the table is too wide, as a sentence.
func (b *bench) print(x trial) {
	steps, seconds := "", fmt.Sprintf("%.1f", x.Seconds)
	if x.Caught {
		steps = fmt.Sprint(x.Steps)
	}
	if b.layout != "" {
		fmt.Fprintf(b.tool.Out, b.layout, x.Protocol, x.Mutant, x.Claim, x.verdict(), x.explored(), steps, seconds)
		return
	}
	text := fmt.Sprintf("%s: %s", console.Label(x.Protocol, x.Mutant), x.verdict())
	if x.Claim != "" {
		text += " (" + x.Claim + ")"
	}
	text += ", " + x.explored()
	if x.Schedules == 0 {
		text += " states"
	}
	if steps != "" {
		text += fmt.Sprintf(", %s", console.Counted(x.Steps, "step", "steps"))
	}
	console.Paragraph(b.tool.Out, "", strings.Fields(text+", "+seconds+" s"), b.width)
}

func (x trial) explored() string {
	if x.Schedules > 0 {
		return fmt.Sprintf("%d runs", x.Schedules)
	}
	return fmt.Sprint(x.States)
}

// close says what went wrong, or that nothing did, and returns the exit code.
func (b *bench) close() int {
	code, caught, mutants := console.ExitHolds, 0, 0
	if b.skipped > 0 {
		code = console.ExitLimit
		console.Say(b.tool.Err, "interrupted; %s not tried", console.Counted(b.skipped, "variant was", "variants were"))
	}
	for _, x := range b.trials {
		if x.limit != "" {
			code = console.ExitLimit
		}
		if !x.option {
			mutants++
			if x.Caught {
				caught++
			}
		}
	}
	for _, x := range b.trials {
		switch {
		case x.fails() && x.option:
			code = console.ExitViolated
			console.Say(b.tool.Err, "option %s violates %s", console.Label(x.Protocol, x.Mutant), x.Claim)
		case x.fails():
			code = console.ExitViolated
			console.Say(b.tool.Err, "mutant %s escapes %s; its field Show can name a check with the sizes and faults that it needs", console.Label(x.Protocol, x.Mutant), x.Claim)
		}
	}
	if !b.output.JSON && mutants > 0 {
		fmt.Fprintf(b.tool.Out, "\n%d of %s.\n", caught, console.Counted(mutants, "mutant is caught by the claim it names", "mutants are caught by the claims they name"))
	}
	return code
}
