package mutants

import (
	"fmt"
	"strings"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
)

// A Bench reports the results of the checks of variants.
type Bench struct {
	tool    *tool.Tool
	output  flags.Output
	layout  string // of a line of the table; "" if that is too wide
	width   int    // in columns
	trials  []trial
	unsaved error // the last run that could not be written
	Skipped int   // variants that were not tried
}

// NewBench begins a report on checks that [Trials] lists.
func NewBench(t *tool.Tool, jobs []*plan.Plan, output flags.Output) *Bench {
	protocol, variant, claim := 8, 7, 5
	for _, j := range jobs {
		protocol = max(protocol, len([]rune(j.Protocol.Name)))
		variant = max(variant, len([]rune(j.Check.Variant)))
		for _, name := range j.Check.Claims {
			claim = max(claim, len([]rune(name)))
		}
	}
	b := &Bench{tool: t, output: output, width: console.Width(t.Out)}
	if protocol+variant+claim+50 <= b.width {
		b.layout = fmt.Sprintf("%%-%ds  %%-%ds  %%-%ds  %%-16s  %%10s  %%5s  %%7s\n", protocol, variant, claim)
	}
	if !output.JSON && b.layout != "" {
		fmt.Fprintf(t.Out, b.layout, "PROTOCOL", "VARIANT", "CLAIM", "VERDICT", "STATES", "STEPS", "SECONDS")
	}
	return b
}

// Add prints a trial. An option is no mutant: its JSON would be a line too many.
func (b *Bench) Add(j *plan.Plan, rows []*checker.Row) error {
	x, c := tried(j, rows)
	if c != nil && c.Counterexample != nil && b.output.Dir != "" {
		path, _, err := console.SaveRun(b.output.Dir, b.tool.Pictured(c.Counterexample), c.Name)
		if err != nil {
			b.unsaved = fmt.Errorf("--out: cannot write a run that violates %s: %w", c.Name, err) // what was found is told all the same
		} else {
			x.Trace = path
		}
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
func (b *Bench) print(x trial) {
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

// Close prints a summary, and returns the exit code.
func (b *Bench) Close() int {
	code, caught, mutants := console.ExitHolds, 0, 0
	if b.unsaved != nil {
		code = console.ExitUsage
		console.Say(b.tool.Err, "%s", console.Plain(b.unsaved.Error()))
	}
	if b.Skipped > 0 {
		code = console.ExitLimit
		console.Say(b.tool.Err, "interrupted; %s not tried", console.Counted(b.Skipped, "variant was", "variants were"))
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
