package verify

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/verify/flags"
	"contend/checker/verify/report"
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
	completeParams(c, &f.config)
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

` + exitCodes

func (t *tool) checkCommand() *cobra.Command {
	var f checkFlags
	c := t.verb(cobra.Command{
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
		ValidArgsFunction: t.complete,
	}, func(args []string) (int, error) {
		if f.from.file != "" {
			jobs, err := t.fromJobs(args, &f)
			if err != nil {
				return 0, err
			}
			return t.decide(jobs, &f)
		}
		if f.config.Flags.Changed("step") {
			return 0, fmt.Errorf("--step is set, but it changes nothing without --from")
		}
		targets, err := t.targets(args)
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
			return t.costs(targets, &f)
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
		return t.decide(jobs, &f)
	})
	f.bind(c, t.suite, "exhaustive")
	f.from.bind(c)
	c.Flags().BoolVar(&f.deep, "deep", false, "run the checks that protocols list as deep, of minutes each, in place of the others")
	c.Flags().BoolVar(&f.all, "all", false, "run the checks that protocols list as deep besides the others")
	c.Flags().StringVar(&f.dot, "dot", "", "draw the state space into `FILE`, in the language of Graphviz")
	c.Flags().BoolVar(&f.costs, "costs", false, "in place of claims, find the least and the most of the costs that protocols declare")
	return c
}

// jobs returns the checks that the flags ask for.
func (f *checkFlags) jobs(targets []target) ([]report.Job, error) {
	targets, err := withClaims(targets, f.config.Claims)
	if err != nil {
		return nil, err
	}
	var jobs []report.Job
	if err := f.refuseDeep(); err != nil {
		return nil, err
	}
	for _, at := range targets {
		switch {
		case f.all:
			jobs = append(jobs, listed(at, f.config.Claims)...)
			jobs = append(jobs, chosenOf(at, at.protocol.Deep, f.config.Claims)...)
			continue
		case f.deep:
			jobs = append(jobs, chosenOf(at, at.protocol.Deep, f.config.Claims)...)
			continue
		case !f.config.Given() && !f.strategy.Given():
			jobs = append(jobs, listed(at, f.config.Claims)...)
			continue
		}
		j, err := f.one(at, model.Config{})
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	if len(jobs) == 0 && f.deep {
		return nil, fmt.Errorf("--deep is set, but what is asked for has no deep checks")
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("no listed check has the claims asked for; give a configuration, such as -n")
	}
	if err := report.Validate(jobs); err != nil {
		return nil, err
	}
	return jobs, f.effective(jobs)
}

// refuseDeep refuses --deep and --all with each other, and with what gives a check of its own.
func (f *checkFlags) refuseDeep() error {
	if f.deep && f.all {
		return fmt.Errorf("--deep is set, but --all runs those checks and the others")
	}
	if f.all && (f.config.Given() || f.strategy.Given()) {
		return fmt.Errorf("--all is set, but a configuration or a strategy is given, which is checked alone")
	}
	if f.deep && (f.config.Given() || f.strategy.Given()) {
		return fmt.Errorf("--deep is set, but a configuration or a strategy is given, which is checked alone")
	}
	return nil
}

// effective refuses flags that can change nothing about any of the jobs.
func (f *checkFlags) effective(jobs []report.Job) error {
	if err := f.limits.Effective(report.Checks(jobs)); err != nil {
		return err
	}
	if f.output.JSON && f.output.Findings {
		return fmt.Errorf("--findings is set, but it changes nothing here: --json prints no runs")
	}
	if f.output.JSON && f.output.Rows {
		return fmt.Errorf("--rows is set, but it changes nothing here: --json prints every row")
	}
	if f.config.Anyway && !slices.ContainsFunc(jobs, func(j report.Job) bool { return checker.PassesOver(j.Protocol, j.Check) }) {
		return fmt.Errorf("--assume-anyway is set, but it changes nothing: no claim asked for has an assumption that is not met and can be passed over")
	}
	return nil
}

// one is the check that the flags give, over a configuration.
func (f *checkFlags) one(at target, over model.Config) (report.Job, error) {
	p := at.protocol
	config, err := f.config.Configure(p, over)
	if err != nil {
		return report.Job{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	schedules, err := f.strategy.Sampled()
	if err != nil {
		return report.Job{}, err
	}
	reading, ok, err := f.config.Reading()
	switch {
	case err != nil:
		return report.Job{}, err
	case !ok && schedules > 0:
		reading = model.Dense
	case !ok:
		reading = checker.UsualReading(p, f.config.Claims)
	case reading == model.Grid && schedules > 0:
		return report.Job{}, fmt.Errorf("--time is grid, but schedules are sampled untimed or in dense time")
	}
	return report.Job{Protocol: p, Check: model.Check{Variant: at.variant, Config: config, Reading: reading, Schedules: schedules, Claims: f.config.Claims, AssumeAnyway: f.config.Anyway}}, nil
}

// listed returns the checks that a protocol lists, of the whole or of a variant.
func listed(at target, claims []string) []report.Job {
	jobs := chosenOf(at, at.protocol.Checks, claims)
	if len(jobs) > 0 || at.variant == "" && len(at.protocol.Checks) > 0 {
		return jobs
	}
	return []report.Job{{Protocol: at.protocol, Check: unlisted(at, claims)}}
}

// chosenOf returns those of a protocol's checks that a target and claims ask for.
func chosenOf(at target, checks []model.Check, claims []string) []report.Job {
	var jobs []report.Job
	for _, c := range checks {
		names, ok := chosen(c, claims)
		if ok && (at.variant == "" || at.variant == c.Variant) {
			c.Claims = names
			if len(claims) > 0 && !checker.Claimed(at.protocol, c) {
				continue // another one puts them to the test, if any does
			}
			jobs = append(jobs, report.Job{Protocol: at.protocol, Check: c})
		}
	}
	return jobs
}

// unlisted is the check of a variant for which none is listed: the smallest that
// shows a mutant, and the protocol's default configuration for an option.
func unlisted(at target, claims []string) model.Check {
	c := model.Check{Reading: checker.UsualReading(at.protocol, claims)}
	if v, err := at.protocol.Variant(at.variant); err == nil && v.Mutant() {
		c = v.Show
	}
	c.Variant, c.Claims = at.variant, claims
	return c
}

// decide runs jobs and reports on them.
func (t *tool) decide(jobs []report.Job, f *checkFlags) (int, error) {
	opt, err := f.limits.Options()
	if err != nil {
		return 0, err
	}
	opt.From = f.from.run
	if err := flags.AllWritable(&f.output, &f.limits); err != nil {
		return 0, err
	}
	if err := refuse(jobs, opt); err != nil {
		return 0, err
	}
	if err := t.resumes(jobs, opt); err != nil {
		return 0, err
	}
	if f.forewarn {
		t.forewarn("check")
	}
	if bound := f.limits.Bounded(); bound > 0 {
		fmt.Fprintf(t.err, "verify: no protocol is named, so each search stops after %v; --timeout and --max-states say otherwise\n", bound)
	}
	if err := t.openProgress(f.progress); err != nil {
		return 0, err
	}
	drawn, err := t.drawn(jobs, f, opt)
	if err != nil {
		return 0, err
	}
	r := report.New(t.surroundings(), jobs, f.output)
	opt.Violated = func(row *checker.Row, c checker.ClaimResult) { t.progress.Violated(row, r.Violated(row, c)) }
	for i, j := range jobs {
		if t.interrupted() {
			r.Skipped = len(jobs) - i
			break
		}
		t.status.Begin(i, len(jobs))
		rows, err := t.rowsOf(j, drawn, opt)
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			if err := r.Add(row); err != nil {
				return 0, err
			}
		}
	}
	code, err := r.Close()
	return code, errors.Join(err, t.progress.Close())
}

// openProgress opens the file that progress is written into, if one is named.
func (t *tool) openProgress(path string) (err error) {
	if path == "" {
		return nil
	}
	if err := flags.WritableFile("progress-file", path); err != nil {
		return err
	}
	t.progress, err = report.NewProgress(path)
	return err
}

// told is told of a check's progress.
func (t *tool) told(p checker.Progress) {
	t.status.Update(p)
	t.progress.Update(p)
}

// refuse says in a sentence why not all of the jobs can be done with these options, before the
// first of them is.
func refuse(jobs []report.Job, opt checker.Options) error {
	for _, j := range jobs {
		if err := checker.Refuse(j.Protocol, j.Check, opt); err != nil {
			return fmt.Errorf("%s: %w", j.Protocol.Name, err)
		}
	}
	return checker.RefuseCheckpoints(report.Planned(jobs), opt)
}

// resumes tells on stderr from where searches go on.
func (t *tool) resumes(jobs []report.Job, opt checker.Options) error {
	lines, err := checker.Resumed(report.Planned(jobs), opt)
	for _, line := range lines {
		fmt.Fprintf(t.err, "verify: resume: %s\n", line)
	}
	return err
}

// rowsOf are the rows of a job: those that were drawn, if any were.
func (t *tool) rowsOf(j report.Job, drawn []*checker.Row, opt checker.Options) ([]*checker.Row, error) {
	if drawn != nil {
		return drawn, nil
	}
	return t.check(j, opt)
}

// check runs one job with live progress.
func (t *tool) check(j report.Job, opt checker.Options) ([]*checker.Row, error) {
	opt.Interrupt, opt.Progress, opt.Stuck = t.interrupt, t.told, t.status.Stuck
	rows, err := checker.Check(j.Protocol, j.Check, opt)
	t.status.Clear()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.Protocol.Name, err)
	}
	for _, row := range rows {
		row.Seconds = seconds(row.Seconds)
		t.progress.End(row)
	}
	return rows, nil
}

// seconds is a hook for tests, whose transcripts show no real times.
var seconds = func(s float64) float64 { return s }
