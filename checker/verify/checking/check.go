// Package checking has the verbs that check claims: check, run and mutants.
package checking

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/model"
)

// checkFlags are those of check and run.
type checkFlags struct {
	config   flags.Config
	limits   flags.Limits
	strategy flags.Strategy
	output   flags.Output
	costs    bool
	deep     bool
	all      bool
	progress string // the file that progress is written into, or ""
	from     fromFlags
	dot      string // the file that the state space is drawn into, or ""
	forewarn bool   // of how long the whole suite takes
}

// usualBound is how long each search may take where a configuration is given, and no protocol: of some
// protocols it is small, of others far more than can be searched.
const usualBound = 30 * time.Second

func (f *checkFlags) bind(c *cobra.Command, suite []*model.Protocol, strategy string) {
	flags := c.Flags()
	flags.SortFlags = false
	f.config.Bind(flags, suite)
	tool.CompleteParams(c, &f.config)
	f.strategy.Bind(flags, strategy)
	f.limits.Bind(flags)
	f.output.Bind(flags)
	f.output.BindRows(flags)
	flags.StringVar(&f.progress, "progress-file", "", "write how far each search comes into `FILE`, one JSON object per line")
}

var checkHelp = `Check decides the claims of protocols, of all in the suite unless some are named.

Without flags for a configuration it runs the checks that each protocol lists;
of a variant those that are listed for it, else the smallest that shows it. As
soon as a flag gives a configuration, just that one is checked; of every protocol
that has it where none is named, and then for 30s each, unless a limit is given.

With --deep it runs the checks that protocols list as deep, which take minutes each;
with --all these and the others.

Of several protocols it prints a line each, and below their findings; --rows prints
each row.

With --costs it finds in place of that the least and the most that each cost of a
protocol comes to over all runs, such as the messages of a request, with a run for
each.

With --from it begins where the run of a trace ends, after --step of its steps, in the trace's
configuration; flags change it, such as to have more faults from there. Verdicts are about
the runs that continue this one: that a claim holds says nothing of others. A violation is
one of the protocol, and its trace a whole run. Trace and search are untimed.

With --dot it draws the state space of one search besides, in the language of Graphviz:
a node for each state, an edge for each step; of at most 2000 states, unless --max-states
says otherwise: then so many are drawn of a larger one. dot -Tsvg FILE makes a picture.

` + ExitCodes

// ExitCodes says what those of a check mean.
const ExitCodes = `Exit codes: 0 every claim holds within its stated bounds, or was sampled to the
end of its budget without a violation; 1 a claim is violated, or a handler fails;
2 bad usage or bad input; 3 a limit was hit, a handler does not return, or no claim
of a row was put to the test, and nothing is violated; 70 an internal error. Ctrl-C,
SIGTERM and SIGHUP are limits: what is known is told, and with --checkpoint kept; the
second ends the tool at once.`

// Check is the verb check.
func Check(t *tool.Tool) *cobra.Command {
	var f checkFlags
	c := t.Verb(cobra.Command{
		Use:   "check [PROTOCOL[/VARIANT]...]",
		Short: "check claims, exhaustively where that fits, else by sampling",
		Long:  checkHelp,
		Example: `  verify check
  verify check backoff -n 3 --tries 3 --time grid --claim "Lemma 1"
  verify check backoff/lease-delta
  verify check backoff -n 6 -b 1 --schedules 10000 --time dense --seed 7
  verify check maekawa --deep
  verify check ricartagrawala --costs
  verify check --from contend-traces/elected.json --claim "Log Matching"
  verify check backoff -n 1 --tries 1 --time untimed --claim "Lemma 1, grants" --dot states.dot`,
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) {
		if f.from.file != "" {
			jobs, err := fromJobs(t, args, &f)
			if err != nil {
				return 0, err
			}
			return decide(t, jobs, &f)
		}
		if f.config.Flags.Changed("step") {
			return 0, fmt.Errorf("--step is set, but it changes nothing without --from")
		}
		targets, err := t.Targets(args)
		if err != nil {
			return 0, err
		}
		if f.deep && f.costs {
			return 0, fmt.Errorf("--deep is set, but with --costs no claims are checked")
		}
		if f.all && f.costs {
			return 0, fmt.Errorf("--all is set, but with --costs no claims are checked")
		}
		if f.dot != "" && f.costs {
			return 0, fmt.Errorf("--dot is set, but with --costs no one search is made")
		}
		if f.progress != "" && f.costs {
			return 0, fmt.Errorf("--progress-file is set, but with --costs no claims are checked")
		}
		if f.costs {
			return findCosts(t, targets, &f)
		}
		jobs, err := f.jobs(targets)
		if err != nil {
			return 0, err
		}
		if len(args) == 0 && (f.config.Given() || f.strategy.Given()) {
			f.limits.Bound(usualBound)
		} else if len(args) == 0 && len(f.config.Claims) == 0 && !f.deep && !f.all {
			f.forewarn = true
		}
		return decide(t, jobs, &f)
	})
	f.bind(c, t.Suite, "exhaustive")
	f.from.bind(c)
	c.Flags().BoolVar(&f.deep, "deep", false, "run the checks that protocols list as deep, of minutes each, in place of the others")
	c.Flags().BoolVar(&f.all, "all", false, "run the checks that protocols list as deep besides the others")
	c.Flags().StringVar(&f.dot, "dot", "", "draw the state space into `FILE`, in the language of Graphviz")
	c.Flags().BoolVar(&f.costs, "costs", false, "in place of claims, find the least and the most of the costs that protocols declare")
	return c
}
