package checking

import (
	"fmt"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
	"contend/model"
)

var runHelp = `Run samples schedules, with real-valued times unless --time is untimed. It can find violations, but
cannot prove that there are none: without one the verdict is inconclusive. A seed gives the same result
on every machine.

--show prints a good run instead: a run that violates no claim and finishes, chosen among the
sampled schedules. It is printed as verify show prints a trace. --html and the other formats write it
to a file, and --out saves it as a trace. KIND says what the run should show:

` + kindsOfRuns() + `
` + ExitCodes

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
		if len(args) == 0 {
			return 0, fmt.Errorf("run needs a protocol; %s list lists them", checker.Tool)
		}
		if f.strategy.Strategy == "exhaustive" {
			return 0, fmt.Errorf("--strategy is exhaustive, but run only samples; use verify check")
		}
		jobs, err := sampled(t, args, &f)
		if err != nil {
			return 0, err
		}
		if good.asked() {
			return showGood(t, jobs, &f, &good)
		}
		if good.picture.Asked() > 0 {
			return 0, fmt.Errorf("--%s is set, but has no effect without --show", good.picture.First())
		}
		return decide(t, jobs, &f)
	})
	f.bind(c, t.Suite, "random")
	good.bind(c)
	return c
}

// sampled are the jobs that the arguments and the flags of run ask for.
func sampled(t *tool.Tool, args []string, f *checkFlags) ([]report.Job, error) {
	targets, err := t.Targets(args)
	if err != nil {
		return nil, err
	}
	if targets, err = withClaims(targets, f.config.Claims); err != nil {
		return nil, err
	}
	var jobs []report.Job
	for _, at := range targets {
		j, err := f.one(at, model.Config{})
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	if err := report.Validate(jobs); err != nil {
		return nil, err
	}
	return jobs, f.effective(jobs)
}
