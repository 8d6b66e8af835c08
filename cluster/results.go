package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/verdict"
	"contend/checker/verify/about"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/cluster/board"
	"contend/cluster/campaign"
)

func resultsVerb(t *tool.Tool) *cobra.Command {
	var access accessFlags
	var output flags.Output
	var html string
	c := t.Verb(cobra.Command{
		Use:   "results NAME",
		Short: "print what a campaign came to so far",
		Long: `Results prints what the jobs of a campaign came to so far, part by part, as check, run, mutants and selftest
print it. Each run that violates a claim is replayed once more, and written to --out with its page.

The sum at the end is of all that depends on the campaign alone: two campaigns with the same parts and the same
program have the same sum when all their jobs are done, with any workers.

--html writes a page, and goes on to write it until the campaign has ended.

` + exitCodes,
		Example: "  verify campaign results nightly\n  verify campaign results nightly --json\n  verify campaign results nightly --html nightly.html",
	}, func(args []string) (int, error) {
		name, err := campaignName(args, "results")
		if err != nil {
			return 0, err
		}
		if err := output.Writable(); err != nil {
			return 0, err
		}
		if html != "" {
			if err := flags.WritableFile("html", html); err != nil {
				return 0, err
			}
		}
		ctx, cancel := interrupted(t)
		defer cancel()
		r, c, err := access.openCampaign(ctx, t, name)
		if err != nil {
			return 0, err
		}
		defer r.close()
		p := newPage(t, c, html)
		if html != "" && r.inside == nil { // a server in this process has no workers
			if _, err := watch(ctx, t, c, p); err != nil {
				return 0, err
			}
			t.Status.Clear()
		}
		if ctx.Err() != nil { // an interrupt ends the page; the results are printed all the same
			ctx = context.WithoutCancel(ctx)
		}
		return results(ctx, t, c, output, p)
	})
	access.bind(c.Flags())
	output.Bind(c.Flags())
	output.BindRows(c.Flags())
	c.Flags().StringVar(&html, "html", "", "write a page of the campaign to `FILE`, again and again while it runs")
	return c
}

// results prints the results of a campaign, and writes its page.
func results(ctx context.Context, t *tool.Tool, c *board.Campaign, output flags.Output, p *page) (int, error) {
	outcomes, err := c.Outcomes(ctx)
	if err != nil {
		return 0, err
	}
	u, err := c.Work.Union(outcomes, func(object string) ([]byte, error) { return c.Load(ctx, object) })
	if err != nil {
		return 0, err
	}
	code := console.ExitHolds
	for i := range c.Work.Parts {
		one, err := printPart(t, c.Work, u, i, output)
		if err != nil {
			return 0, err
		}
		code = worseCode(code, one)
	}
	rest, err := remarks(ctx, t, c, u)
	if err != nil {
		return 0, err
	}
	if !output.JSON {
		fmt.Fprintf(t.Out, "\ncampaign %s: %d of %s done; sum %.16s\n", c.Spec.Name, u.Done, console.Counted(u.Jobs, "job", "jobs"), u.Sum())
	} else if err := console.PrintJSON(t.Out, summary{1, c.Spec.Name, u.Jobs, u.Done, len(u.Aside), u.Sum(), t.PrintedSeconds(u.Seconds), t.PrintedSeconds(u.CPU)}); err != nil {
		return 0, err
	}
	return worseCode(code, rest), p.last(ctx, u)
}

// A summary is the last line of JSON results. It is a stable contract.
type summary struct {
	Schema   int     `json:"schema"`
	Campaign string  `json:"campaign"`
	Jobs     int     `json:"jobs"`
	Done     int     `json:"done"`
	Aside    int     `json:"aside"`
	Sum      string  `json:"sum"`
	Seconds  float64 `json:"seconds"` // total of all jobs
	CPU      float64 `json:"cpu"`     // CPU seconds
}

// printPart prints a part in its verb's format.
func printPart(t *tool.Tool, w *campaign.Work, u *campaign.Union, i int, output flags.Output) (int, error) {
	part := w.Parts[i]
	if !output.JSON && len(w.Parts) > 1 {
		if i > 0 {
			fmt.Fprintln(t.Out)
		}
		fmt.Fprintf(t.Out, "== %s\n", console.Quoted(part.Line))
	}
	if part.Test != nil {
		return about.Tallied(t, part.Test.Seed, u.Tallies[i], output.JSON, u.Open[i][0] > 0)
	}
	if part.Fuzz != nil {
		return printFuzzed(t, part.Fuzz, u, i, output)
	}
	if part.Plan.Verb == "mutants" && !output.Changed() {
		output.Dir = "" // as the verb does
	}
	return part.Plan.Print(t, u.Rows[i], output)
}

// A fuzzed is the JSON result of a fuzz target. It is a stable contract.
type fuzzed struct {
	Schema int    `json:"schema"`
	Target string `json:"target"`
	*campaign.Fuzzed
}

// printFuzzed prints the results of fuzz targets, and writes the violating runs.
func printFuzzed(t *tool.Tool, f *campaign.Fuzz, u *campaign.Union, i int, output flags.Output) (int, error) {
	code := console.ExitHolds
	for k, r := range u.Fuzzed[i] {
		if output.JSON {
			if err := console.PrintJSON(t.Out, fuzzed{1, f.Label(k), r}); err != nil {
				return 0, err
			}
		} else {
			fmt.Fprintf(t.Out, "%s: %s, %s, at most %s of nodes in a job\n", f.Label(k), console.Counted(r.Inputs, "input", "inputs"),
				console.Counted(int(r.Steps), "step", "steps"), console.Counted(r.States, "state", "states"))
		}
		for _, v := range r.Violations {
			does, one := "is violated by a run of "+console.Counted(v.Steps, "step", "steps")+": "+v.Text, console.ExitViolated
			if v.Run == nil {
				does, one = "is inconclusive: "+v.Limit, console.ExitInternal
			}
			code = worseCode(code, one)
			if !output.JSON {
				fmt.Fprintf(t.Out, "  %s %s\n", v.Claim, console.Plain(does))
			}
			if v.Run == nil || output.Dir == "" {
				continue
			}
			file, _, err := console.SaveRun(output.Dir, v.Run, v.Claim)
			if err != nil {
				return 0, err
			}
			if !output.JSON {
				fmt.Fprintf(t.Out, "    %s show %s\n", verdict.Tool, file)
			}
		}
	}
	return code, nil
}

// worseCode returns the worse of two exit codes.
func worseCode(a, b int) int {
	for _, code := range []int{console.ExitViolated, console.ExitInternal, console.ExitUsage, console.ExitLimit} {
		if a == code || b == code {
			return code
		}
	}
	return console.ExitHolds
}

// remarks prints problems to stderr: failed jobs, jobs set aside, and disputes.
func remarks(ctx context.Context, t *tool.Tool, c *board.Campaign, u *campaign.Union) (code int, err error) {
	for _, o := range u.Failed {
		console.Say(t.Err, "job %d, %s: %s", o.Job, title(c.Work, o.Job), console.Plain(o.Error))
		code = worseCode(code, console.ExitUsage)
	}
	for _, o := range u.Aside {
		d := o.Aside.Deaths[len(o.Aside.Deaths)-1]
		printed := ""
		if d.Printed != "" {
			printed = ", which printed:\n" + indented(console.Plain(d.Printed))
		}
		console.Say(t.Err, "job %d, %s, is set aside: it ended %s, the last with %s%s", o.Job, title(c.Work, o.Job),
			console.Counted(len(o.Aside.Deaths), "process", "processes"), console.Plain(d.How), printed)
		code = worseCode(code, console.ExitLimit)
	}
	disputes, err := c.Disputes(ctx)
	slices.Sort(disputes)
	for _, text := range disputes {
		console.Say(t.Err, "%s; please report this with the campaign's parts", console.Plain(text))
		code = worseCode(code, console.ExitInternal)
	}
	if u.Done < u.Jobs {
		code = worseCode(code, console.ExitLimit)
	}
	return code, err
}

// mostLines is the maximum number of printed lines of a dead process.
const mostLines = 20

func indented(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines:mostLines], "…")
	}
	return "  " + strings.Join(lines, "\n  ")
}

func title(w *campaign.Work, number int) string { return console.Plain(w.Title(w.Job(number))) }

// verdicts counts the verdicts of rows.
func verdicts(rows []*checker.Row) (violated, findings, open int) {
	for _, row := range rows {
		for _, c := range row.Claims {
			switch {
			case c.Verdict == checker.Violated && c.Finding == "":
				violated++
			case c.Verdict == checker.Violated:
				findings++
			case c.Verdict == checker.Inconclusive:
				open++
			}
		}
	}
	return violated, findings, open
}
