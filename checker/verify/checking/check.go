// Package checking has the verbs that check claims, check and run, and the plans of them and of mutants.
package checking

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/model"
)

// checkFlags are the flags of check and run.
type checkFlags struct {
	config   flags.Config
	limits   flags.Limits
	strategy flags.Strategy
	// adversaries restricts the adversaries of run.
	adversaries []string
	share       int // of schedules of run that share an opening
	output      flags.Output
	costs       bool
	deep        bool
	all         bool
	progress    string // the file that progress is written into, or ""
	from        fromFlags
	dot         string // the file that the state space is drawn into, or ""
	forewarn    bool   // of how long the whole suite takes
	unsampled   bool   // what a search leaves open when a limit stops it
}

// usualBound bounds each search when a configuration is given without a protocol: some protocols are small then,
// and others too large to search.
const usualBound = 30 * time.Second

func (f *checkFlags) bind(c *cobra.Command, suite []*model.Protocol, strategy string) {
	flags := c.Flags()
	flags.SortFlags = false
	f.config.Bind(flags, suite)
	f.strategy.Bind(flags, strategy)
	f.limits.Bind(flags)
	f.output.Bind(flags)
	f.output.BindRows(flags)
	flags.StringVar(&f.progress, "progress-file", "", "write the progress of each search to `FILE`, one JSON object per line")
}

var checkHelp = `Check decides the claims of protocols: of the protocols that are named, or of the whole suite.

Without a configuration it runs the checks that each protocol lists. For a variant it runs the
checks that are listed for the variant, or the smallest one that shows it. Once a flag sets a part of
the configuration, only that configuration is checked. If then no protocol is named, it is checked
for each protocol that has these parameters, for at most 30s each unless a limit is given.

--deep runs the checks that protocols list as deep instead; each of them takes minutes. --all runs
both.

Several protocols are printed with one line each, followed by the findings: the known violations.
--rows prints every row instead. A row is one configuration with the verdicts on its claims.

Several checks run at the same time, each on one processor. They run one after another, each on all
processors, with --timeout, --max-memory, --checkpoint, --resume or --progress-file.

--costs computes costs instead of deciding claims: the least and the most that each cost of a
protocol, such as the messages of a request, comes to over all runs, with a run that shows it.

--from begins the search where the run of a trace ends, or after --step of its steps. The
configuration is that of the trace; flags change it, for example to allow more faults from there.
The verdicts are about runs that continue the given one: a violation is a violation of the protocol,
but that a claim holds says nothing about other runs. The trace and the search are untimed.

Where a limit stops a search, schedules are sampled for the claims that it leaves open: in the last
quarter of --timeout, or, without it, 1000 schedules or a million steps. Times are real-valued then, also where the
search reads whole ticks. A sampled run can violate a claim, but proves nothing; the row says how many
were sampled, and with --no-sample none are. None are with --from, --dot or --checkpoint either.

--dot also writes the state space of one search as a Graphviz graph, with a node for each state and
an edge for each step; dot -Tsvg FILE makes a picture of it. A state space of more than 2000 states
is refused; --max-states N draws the first N states.

` + ExitCodes

// ExitCodes describes the exit codes of a check.
const ExitCodes = `Exit codes:
  0   every claim holds within the bounds of its row, or sampling ended without a violation
  1   a claim is violated, or a handler fails
  2   bad usage or bad input
  3   nothing is violated, but a limit was hit, a handler did not return, or a row tested no claim
  70  an internal error

Ctrl-C, SIGTERM and SIGHUP count as limits: the results so far are printed, and --checkpoint keeps the
search. A signal a second or more after the first ends the tool at once.`

// Check is the verb check.
func Check(t *tool.Tool) *cobra.Command {
	var f checkFlags
	c := t.Verb(cobra.Command{
		Use:   "check [PROTOCOL[/VARIANT]...]",
		Short: "check claims: search all runs, or sample some",
		Long:  checkHelp,
		Example: `  verify check
  verify check backoff -n 3 --tries 3 --time grid --claim "Lemma 1"
  verify check backoff/lease-delta
  verify check backoff -n 6 -b 1 --schedules 10000 --time dense --seed 7
  verify check maekawa --deep
  verify check ricartagrawala --costs
  verify check --from contend-traces/elected.json --claim "Log Matching"
  verify check backoff -n 1 --tries 1 --claim "Lemma 1, grants" --dot states.dot`,
		ValidArgsFunction: t.Complete,
	}, func(args []string) (int, error) {
		f.limits.Sampling = !f.unsampled
		if f.from.file != "" {
			jobs, err := fromJobs(t, args, &f)
			if err != nil {
				return 0, err
			}
			return decide(t, jobs, &f)
		}
		if f.config.Flags.Changed("step") {
			return 0, fmt.Errorf("--step is set, but has no effect without --from")
		}
		targets, err := t.Targets(args)
		if err != nil {
			return 0, err
		}
		if f.deep && f.costs {
			return 0, fmt.Errorf("--deep is set, but --costs checks no claims")
		}
		if f.all && f.costs {
			return 0, fmt.Errorf("--all is set, but --costs checks no claims")
		}
		if f.dot != "" && f.costs {
			return 0, fmt.Errorf("--dot is set, but --costs makes more than one search")
		}
		if f.progress != "" && f.costs {
			return 0, fmt.Errorf("--progress-file is set, but --costs checks no claims")
		}
		if f.costs {
			return findCosts(t, targets, &f)
		}
		jobs, err := f.jobs(targets)
		if err != nil {
			return 0, err
		}
		if len(args) == 0 && (f.config.Changed() || f.strategy.Changed()) {
			f.limits.Bound(usualBound)
		} else if len(args) == 0 && len(f.config.Claims) == 0 && !f.deep && !f.all {
			f.forewarn = true
		}
		return decide(t, jobs, &f)
	})
	f.bind(c, t.Suite, "exhaustive")
	t.CompleteParams(c, &f.config)
	f.from.bind(c)
	c.Flags().BoolVar(&f.deep, "deep", false, "run the checks that protocols list as deep, which take minutes each, instead of the others")
	c.Flags().BoolVar(&f.all, "all", false, "run the checks that protocols list as deep, and the others")
	c.Flags().BoolVar(&f.unsampled, "no-sample", false, "sample no schedules where a limit stops a search")
	c.Flags().StringVar(&f.dot, "dot", "", "write the state space to `FILE` as a Graphviz graph")
	c.Flags().BoolVar(&f.costs, "costs", false, "compute the least and the most of each cost, instead of deciding claims")
	return c
}
