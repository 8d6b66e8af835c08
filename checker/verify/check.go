package verify

import (
	"fmt"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/model"
)

// checkFlags are those of check and run.
type checkFlags struct {
	config   configFlags
	limits   limitFlags
	strategy strategyFlags
	output   outputFlags
}

func (f *checkFlags) bind(c *cobra.Command, strategy string) {
	flags := c.Flags()
	flags.SortFlags = false
	f.config.bind(flags)
	f.strategy.bind(flags, strategy)
	f.limits.bind(flags)
	f.output.bind(flags)
}

func (t *tool) checkCommand() *cobra.Command {
	var f checkFlags
	c := t.verb(cobra.Command{
		Use:   "check [PROTOCOL[/VARIANT]...]",
		Short: "check claims, exhaustively where that fits, else by sampling",
		Long: `Check decides the claims of protocols, of all in the suite unless some are named.

Without flags for a configuration it runs the checks that each protocol lists;
of a variant those that are listed for it, else the smallest that shows it. As
soon as a flag gives a configuration, just that one is checked.

` + exitCodes,
		Example: `  verify check
  verify check backoff -n 3 --tries 3 --time grid --claim "Lemma 1"
  verify check backoff/lease-delta
  verify check backoff -n 6 -b 1 --schedules 10000 --time dense --seed 7`,
		ValidArgsFunction: t.complete,
	}, func(args []string) (int, error) {
		targets, err := t.targets(args)
		if err != nil {
			return 0, err
		}
		jobs, err := f.jobs(targets)
		if err != nil {
			return 0, err
		}
		return t.decide(jobs, &f)
	})
	f.bind(c, "exhaustive")
	return c
}

// complete offers the protocols to the shell.
func (t *tool) complete(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return t.protocolNames(), cobra.ShellCompDirectiveNoFileComp
}

// jobs returns the checks that the flags ask for.
func (f *checkFlags) jobs(targets []target) ([]job, error) {
	targets, err := withClaims(targets, f.config.claims)
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, at := range targets {
		if !f.config.given() && !f.strategy.given() {
			jobs = append(jobs, listed(at, f.config.claims)...)
			continue
		}
		j, err := f.one(at)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("no listed check has the claims asked for; give a configuration, such as -n")
	}
	return jobs, validate(jobs)
}

// one is the check that the flags give.
func (f *checkFlags) one(at target) (job, error) {
	p, config, err := f.config.configure(at.protocol)
	if err != nil {
		return job{}, fmt.Errorf("%s: %w", at.protocol.Name, err)
	}
	schedules, err := f.strategy.sampled()
	if err != nil {
		return job{}, err
	}
	reading, ok, err := f.config.reading()
	switch {
	case err != nil:
		return job{}, err
	case !ok && schedules > 0:
		reading = model.Dense
	case !ok:
		reading = usual(p, f.config.claims)
	case reading == model.Grid && schedules > 0:
		return job{}, fmt.Errorf("--time is grid, but schedules are sampled untimed or in dense time")
	}
	return job{p, model.Check{Variant: at.variant, Config: config, Reading: reading, Schedules: schedules, Claims: f.config.claims}}, nil
}

// listed returns the checks that a protocol lists, of the whole or of a variant.
func listed(at target, claims []string) []job {
	var jobs []job
	for _, c := range at.protocol.Checks {
		names, ok := chosen(c, claims)
		if ok && (at.variant == "" || at.variant == c.Variant) {
			c.Claims = names
			jobs = append(jobs, job{at.protocol, c})
		}
	}
	if len(jobs) > 0 || at.variant == "" && len(at.protocol.Checks) > 0 {
		return jobs
	}
	return []job{{at.protocol, unlisted(at, claims)}}
}

// unlisted is the check of a variant for which none is listed: the smallest that
// shows a mutant, and the protocol's default configuration for an option.
func unlisted(at target, claims []string) model.Check {
	c := model.Check{Reading: usual(at.protocol, claims)}
	if v, err := at.protocol.Variant(at.variant); err == nil && v.Mutant() {
		c = v.Show
	}
	c.Variant, c.Claims = at.variant, claims
	return c
}

// decide runs jobs and reports on them.
func (t *tool) decide(jobs []job, f *checkFlags) (int, error) {
	opt, err := f.limits.options()
	if err != nil {
		return 0, err
	}
	for _, j := range jobs {
		if err := checker.Refuse(j.protocol, j.check, opt); err != nil {
			return 0, fmt.Errorf("%s: %w", j.protocol.Name, err)
		}
	}
	var planned []checker.Planned
	for _, j := range jobs {
		planned = append(planned, checker.Planned{Protocol: j.protocol, Check: j.check})
	}
	if err := checker.RefuseCheckpoints(planned, opt); err != nil {
		return 0, err
	}
	r := newReport(t, jobs, f.output)
	for i, j := range jobs {
		if t.interrupted() {
			r.skipped = len(jobs) - i
			break
		}
		rows, err := t.check(j, opt)
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			if err := r.add(row); err != nil {
				return 0, err
			}
		}
	}
	return r.close()
}

// check runs one job with live progress.
func (t *tool) check(j job, opt checker.Options) ([]*checker.Row, error) {
	opt.Interrupt, opt.Progress = t.interrupt, t.status.update
	rows, err := checker.Check(j.protocol, j.check, opt)
	t.status.clear()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.protocol.Name, err)
	}
	for _, row := range rows {
		row.Seconds = seconds(row.Seconds)
	}
	return rows, nil
}

// seconds is a hook for tests, whose transcripts show no real times.
var seconds = func(s float64) float64 { return s }
