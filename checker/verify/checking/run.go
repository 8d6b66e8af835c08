package checking

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/plan"
	"contend/checker/sample/adversary"
	"contend/checker/sample/strategy"
	"contend/checker/verdict"
	"contend/checker/verify/tool"
)

var runHelp = `Run samples schedules, with real-valued times unless --time is untimed. It can find violations, but
cannot prove that there are none: without one the verdict is inconclusive. A seed gives the same result
on every machine, with any number of workers. --schedules and --timeout limit all workers together.

--strategy says how the next event of a schedule is chosen; docs/sampling.md says what each one guarantees. NAME is one of:

` + strategies() + `

--adversary restricts what strikes and lies in the schedules: NAME is one or more of these, separated by
commas. Without it each schedule draws from all of them; docs/sampling.md describes them.

` + adversaries() + `
--share N lets N schedules in a row share an opening, which is run once: the first steps, up to one that the
protocol says, such as that a leader is elected. No fault strikes in it. docs/programs.md says what this saves.

--show prints a good run instead: a run that violates no claim and finishes, chosen among the
sampled schedules. It is printed as the verb show prints a trace. --html and the other formats write it
to a file, and --out saves it as a trace. KIND says what the run should show:

` + kindsOfRuns() + `
` + ExitCodes

// strategies returns the list of sampling strategies, for the help.
func strategies() string {
	var b strings.Builder
	for _, k := range strategy.All() {
		fmt.Fprintf(&b, "  %-10s  %s\n", k.Name, k.Description)
	}
	return b.String()
}

// adversaries lists them, for the help.
func adversaries() string {
	var b strings.Builder
	for _, k := range adversary.Kinds() {
		fmt.Fprintf(&b, "  %-12s  %s\n", k.Name, k.Does)
	}
	return b.String()
}

// Run is the verb run.
func Run(t *tool.Tool) *cobra.Command {
	var f checkFlags
	var good goodFlags
	c := t.Verb(cobra.Command{
		Use:   "run PROTOCOL[/VARIANT]...",
		Short: "sample runs of one configuration",
		Long:  runHelp,
		Example: `  verify run backoff -n 6 -b 1 --tries 3 --schedules 10000
  verify run backoff/lease-delta -n 1 --seed 7
  verify run backoff -n 3 --show contended
  verify run bully --restarts 1 --show crash --html crash.html`,
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) {
		jobs, err := f.sampled(t, args)
		if err != nil {
			return 0, err
		}
		if good.asked() && f.config.Flags.Changed("strategy") {
			return 0, fmt.Errorf("--strategy is set, but has no effect with --show: a good run is chosen among random walks")
		}
		if good.asked() && len(f.adversaries) > 0 {
			return 0, fmt.Errorf("--adversary is set, but has no effect with --show")
		}
		if good.asked() && f.share > 0 {
			return 0, fmt.Errorf("--share is set, but has no effect with --show")
		}
		if good.asked() {
			return showGood(t, jobs, &f, &good)
		}
		if good.picture.Count() > 0 {
			return 0, fmt.Errorf("--%s is set, but has no effect without --show", good.picture.First())
		}
		return decide(t, jobs, &f)
	})
	f.bind(c, t.Suite, strategy.Default)
	t.CompleteParams(c, &f.config)
	c.Flags().StringSliceVar(&f.adversaries, "adversary", nil, "let only `NAME` strike and lie; NAME is one of those above, or several with commas")
	c.Flags().IntVar(&f.share, "share", 0, "let `N` schedules in a row share an opening; 0 stands for none")
	good.bind(c)
	return c
}

// sampling returns an error if the flags that only run has are wrong.
func (f *checkFlags) sampling() error {
	if f.share < 0 {
		return fmt.Errorf("--share is %d, but must not be negative", f.share)
	}
	if err := adversary.Known(f.adversaries); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// sampled returns the checks that the arguments and the flags of run ask for.
func (f *checkFlags) sampled(t *tool.Tool, args []string) ([]*plan.Plan, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("run needs a protocol; %s list lists them", verdict.Tool)
	}
	if f.strategy.Strategy == "exhaustive" {
		return nil, fmt.Errorf("--strategy is exhaustive, but run only samples; use check")
	}
	if err := f.sampling(); err != nil {
		return nil, err
	}
	targets, err := t.Targets(args)
	if err != nil {
		return nil, err
	}
	if targets, err = withClaims(targets, f.config.Claims); err != nil {
		return nil, err
	}
	var jobs []*plan.Plan
	for _, at := range targets {
		j, err := f.one(at)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, f.effective(jobs)
}
