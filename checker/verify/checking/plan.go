package checking

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/exhaustive"
	"contend/checker/plan"
	"contend/checker/sample/strategy"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/mutants"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
)

// A Plan is the work of a command line of check, run or mutants, before it is done. It depends only on the line
// and the suite, so that programs of one build make the same plan.
type Plan struct {
	Verb    string // check, run or mutants
	Jobs    []*plan.Plan
	Options checker.Options
}

// unplanned are the flags that depend on the clock, the machine or its files, with a text for each.
var unplanned = map[string]string{
	"timeout":    "what the checks come to must not depend on how fast a machine is; --max-states bounds a search",
	"workers":    "it is for each worker to say how many threads it uses",
	"checkpoint": "a job that is not done begins anew",
	"resume":     "a job that is not done begins anew",
	"profile":    "profiles are printed by check",
}

// Planned returns the plan of a command line: a verb, its arguments, and flags that define checks.
func Planned(t *tool.Tool, line []string) (*Plan, error) {
	if len(line) == 0 {
		return nil, fmt.Errorf("a part is empty, but must be a verb: check, run or mutants, and what it is given")
	}
	p := &Plan{Verb: line[0]}
	c := &cobra.Command{Use: p.Verb, SilenceErrors: true, SilenceUsage: true, Args: cobra.ArbitraryArgs}
	switch p.Verb {
	case "check":
		p.ofCheck(t, c)
	case "run":
		p.ofRun(t, c)
	case "mutants":
		p.ofMutants(t, c)
	default:
		return nil, fmt.Errorf("%q is no verb of a part: that is check, run or mutants", p.Verb)
	}
	c.SetHelpFunc(func(*cobra.Command, []string) {}) // the flag is then none of the part's
	if f := c.Flags().Lookup("help"); f == nil {
		c.Flags().BoolP("help", "h", false, "")
	}
	c.SetArgs(append([]string{}, line[1:]...))
	c.SetOut(t.Err)
	c.SetErr(t.Err)
	if err := c.Execute(); err != nil {
		return nil, fmt.Errorf("%s: %w", console.Quoted(line), err)
	}
	if len(p.Jobs) == 0 { // as with --help
		return nil, fmt.Errorf("%s: it asks for no checks", console.Quoted(line))
	}
	return p, nil
}

// complete refuses the flags that no plan has, and checks the jobs.
func (p *Plan) complete(c *cobra.Command) error {
	for _, name := range []string{"timeout", "workers", "checkpoint", "resume", "profile"} {
		if f := c.Flags().Lookup(name); f != nil && f.Changed {
			return fmt.Errorf("--%s is set, but %s", name, unplanned[name])
		}
	}
	return exhaustive.RefuseAll(p.Jobs, p.Options)
}

func (p *Plan) ofCheck(t *tool.Tool, c *cobra.Command) {
	var f checkFlags
	f.bindPlan(c, t, "exhaustive")
	c.Flags().BoolVar(&f.deep, "deep", false, "")
	c.Flags().BoolVar(&f.all, "all", false, "")
	c.Flags().BoolVar(&f.unsampled, "no-sample", false, "")
	c.RunE = func(_ *cobra.Command, args []string) (err error) {
		f.limits.Sampling = !f.unsampled
		if len(args) == 0 && (f.config.Changed() || f.strategy.Changed()) {
			return fmt.Errorf("a configuration is given, but no protocol: of some protocols it is far more than can be searched")
		}
		targets, err := t.Targets(args)
		if err != nil {
			return err
		}
		if p.Jobs, err = f.jobs(targets); err != nil {
			return err
		}
		return p.with(&f, c)
	}
}

func (p *Plan) ofRun(t *tool.Tool, c *cobra.Command) {
	var f checkFlags
	f.bindPlan(c, t, strategy.Default)
	c.Flags().StringSliceVar(&f.adversaries, "adversary", nil, "")
	c.Flags().IntVar(&f.share, "share", 0, "")
	c.RunE = func(_ *cobra.Command, args []string) (err error) {
		if p.Jobs, err = f.sampled(t, args); err != nil {
			return err
		}
		return p.with(&f, c)
	}
}

// bindPlan binds the flags of check and run that define checks.
func (f *checkFlags) bindPlan(c *cobra.Command, t *tool.Tool, usual string) {
	f.config.Bind(c.Flags(), t.Suite)
	f.strategy.Bind(c.Flags(), usual)
	f.limits.Bind(c.Flags())
}

// with sets the options of the plan from the flags.
func (p *Plan) with(f *checkFlags, c *cobra.Command) (err error) {
	if p.Options, err = f.options(); err != nil {
		return err
	}
	return p.complete(c)
}

func (p *Plan) ofMutants(t *tool.Tool, c *cobra.Command) {
	var limits flags.Limits
	limits.Bind(c.Flags())
	c.RunE = func(_ *cobra.Command, args []string) error {
		targets, err := t.Targets(args)
		if err != nil {
			return err
		}
		if p.Options, err = limits.Options(); err != nil {
			return err
		}
		if p.Jobs, err = mutants.Trials(targets); err != nil {
			return err
		}
		if len(p.Jobs) == 0 {
			return fmt.Errorf("there are no variants of %s", strings.Join(args, ", "))
		}
		if err := limits.Effective(p.Jobs); err != nil {
			return err
		}
		return p.complete(c)
	}
}

// Print reports the jobs' results like the verb itself, and returns its exit code. rows has the rows of each job,
// nil for a job that is not done. Their counterexamples must replay.
func (p *Plan) Print(t *tool.Tool, rows [][]*checker.Row, output flags.Output) (int, error) {
	if p.Verb == "mutants" {
		return p.printTrials(t, rows, output)
	}
	r := report.New(surroundings(t), p.Jobs, output)
	for _, of := range rows {
		if of == nil {
			r.Skipped++
		}
		for _, row := range of {
			row.Seconds = t.PrintedSeconds(row.Seconds)
			if err := r.Add(row); err != nil {
				return 0, err
			}
		}
	}
	return r.Close()
}

func (p *Plan) printTrials(t *tool.Tool, rows [][]*checker.Row, output flags.Output) (int, error) {
	b := mutants.NewBench(t, p.Jobs, output)
	for i, of := range rows {
		if of == nil {
			b.Skipped++
			continue
		}
		for _, row := range of {
			row.Seconds = t.PrintedSeconds(row.Seconds)
		}
		if err := b.Add(p.Jobs[i], of); err != nil {
			return 0, err
		}
	}
	return b.Close(), nil
}
