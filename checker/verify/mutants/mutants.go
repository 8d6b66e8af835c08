// Package mutants has the verb mutants. It checks that mutants are caught (mutants.go, reported by bench.go), or
// compares how soon strategies catch them (strategies.go, reported by comparison.go).
package mutants

import (
	"fmt"
	"reflect"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/exhaustive"
	"contend/checker/plan"
	"contend/checker/verify/abreast"
	"contend/checker/verify/flags"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
	"contend/model"
)

// Verb is the verb mutants.
func Verb(t *tool.Tool) *cobra.Command {
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

// A trial is the check of one variant. Its JSON is a stable contract.
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
	jobs, err := Trials(targets)
	if err != nil {
		return 0, err
	}
	if len(jobs) == 0 && len(targets) == 1 {
		return 0, fmt.Errorf("protocol %s has no variants; a mutant is a model.Variant with the claim that it must break in Breaks", targets[0].Protocol.Name)
	}
	if err := limits.Effective(jobs); err != nil {
		return 0, err
	}
	if err := flags.AllWritable(output, limits); err != nil {
		return 0, err
	}
	if err := exhaustive.RefuseAll(jobs, opt); err != nil {
		return 0, err
	}
	if len(args) == 0 {
		t.Forewarn("mutants")
	}
	b := NewBench(t, jobs, *output)
	if b.Skipped, err = abreast.Run(t, jobs, opt, abreast.Width(limits, opt), abreast.Sink{Over: b.Add}); err != nil {
		return 0, err
	}
	return b.Close(), nil
}

// Trials lists the checks of the variants.
func Trials(targets []tool.Target) (jobs []*plan.Plan, err error) {
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
			j, err := tool.Plan(at.Protocol, c, "")
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// ordinary is the protocol's first check.
func ordinary(p *model.Protocol) model.Check {
	if len(p.Checks) > 0 {
		return p.Checks[0]
	}
	reading, _ := plan.UsualReading(p, model.Check{})
	return model.Check{Reading: reading}
}

// tried returns the trial of a variant from its rows, with the claim that catches it or nil.
func tried(j *plan.Plan, rows []*checker.Row) (trial, *checker.ClaimResult) {
	out := trial{Schema: 1, Protocol: j.Protocol.Name, Mutant: j.Check.Variant}
	if v, err := j.Protocol.Variant(j.Check.Variant); err == nil {
		out.Claim, out.option = v.Breaks, !v.Mutant()
	}
	for _, row := range rows {
		if row.Limit.Code == checker.NothingClaimed {
			out.limit = row.Limit.String()
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
			if c.Verdict == checker.Inconclusive && !report.SampledOut(row, *c) && !(c.Limit.Code == checker.Untested && out.option) {
				out.limit = c.Limit.String() // of an option each claim counts that is put to the test
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
