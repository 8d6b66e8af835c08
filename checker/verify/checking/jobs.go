package checking

import (
	"fmt"
	"slices"

	"contend/checker"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
	"contend/model"
)

// jobs returns the checks that the flags ask for.
func (f *checkFlags) jobs(targets []tool.Target) ([]report.Job, error) {
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
			jobs = append(jobs, chosenOf(at, at.Protocol.Deep, f.config.Claims)...)
			continue
		case f.deep:
			jobs = append(jobs, chosenOf(at, at.Protocol.Deep, f.config.Claims)...)
			continue
		case !f.config.Given() && !f.strategy.Given():
			jobs = append(jobs, listed(at, f.config.Claims)...)
			continue
		}
		j, err := f.one(at, model.Config{})
		if err != nil {
			return nil, err
		}
		if same := f.sameAsListed(at, j); len(same) > 0 {
			jobs = append(jobs, same...)
		} else {
			jobs = append(jobs, j)
		}
	}
	if len(jobs) == 0 && f.deep {
		return nil, fmt.Errorf("--deep is set, but the protocols and claims asked for have no deep checks")
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("no listed check includes the claims asked for; give a configuration, such as -n")
	}
	if err := report.Validate(jobs); err != nil {
		return nil, err
	}
	return jobs, f.effective(jobs)
}

// refuseDeep refuses --deep and --all with each other, and with what gives a check of its own.
func (f *checkFlags) refuseDeep() error {
	if f.deep && f.all {
		return fmt.Errorf("--deep is set, but --all already includes the deep checks")
	}
	if f.all && (f.config.Given() || f.strategy.Given()) {
		return fmt.Errorf("--all is set, but so is a configuration or a strategy, and then only that is checked")
	}
	if f.deep && (f.config.Given() || f.strategy.Given()) {
		return fmt.Errorf("--deep is set, but so is a configuration or a strategy, and then only that is checked")
	}
	return nil
}

// effective refuses flags that can change nothing about any of the jobs.
func (f *checkFlags) effective(jobs []report.Job) error {
	if err := f.limits.Effective(report.Checks(jobs)); err != nil {
		return err
	}
	if f.output.JSON && f.output.Findings {
		return fmt.Errorf("--findings is set, but has no effect: --json prints no runs")
	}
	if f.output.JSON && f.output.Rows {
		return fmt.Errorf("--rows is set, but has no effect: --json prints every row")
	}
	if f.config.Anyway && !slices.ContainsFunc(jobs, func(j report.Job) bool { return checker.PassesOver(j.Protocol, j.Check) }) {
		return fmt.Errorf("--assume-anyway is set, but has no effect: no claim asked for has an unmet assumption that can be ignored")
	}
	return nil
}

// one is the check that the flags give, over a configuration.
func (f *checkFlags) one(at tool.Target, over model.Config) (report.Job, error) {
	p := at.Protocol
	config, err := f.config.Configure(p, over)
	if err != nil {
		return report.Job{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	schedules, err := f.strategy.Sampled()
	if err != nil {
		return report.Job{}, err
	}
	note := ""
	reading, ok, err := f.config.Reading()
	switch {
	case err != nil:
		return report.Job{}, err
	case !ok && schedules > 0:
		reading = model.Dense
	case !ok:
		reading, note = checker.UsualReading(p, model.Check{Variant: at.Variant, Claims: f.config.Claims, AssumeAnyway: f.config.Anyway})
	case reading == model.Grid && schedules > 0:
		return report.Job{}, fmt.Errorf("--time is grid, but schedules are sampled with --time untimed or dense")
	}
	c := model.Check{Variant: at.Variant, Config: config, Reading: reading, Schedules: schedules, Claims: f.config.Claims, AssumeAnyway: f.config.Anyway}
	return report.Job{Protocol: p, Check: c, Note: note}, nil
}

// sameAsListed returns the checks that a protocol lists, if each has the configuration and the claims of the check that flags
// give, and the flags choose no reading. Flags that give what is so without them then change nothing.
func (f *checkFlags) sameAsListed(at tool.Target, j report.Job) []report.Job {
	if f.strategy.Given() || f.config.Anyway || f.config.Flags.Changed("time") {
		return nil
	}
	is, ok := configOf(j)
	jobs := listed(at, f.config.Claims)
	if !ok || slices.ContainsFunc(jobs, func(l report.Job) bool {
		other, ok := configOf(l)
		return !ok || other != is || l.Check.Schedules > 0 || !slices.Equal(l.Check.Claims, f.config.Claims)
	}) {
		return nil
	}
	return jobs
}

// configOf returns the configuration of a check, with the defaults filled in.
func configOf(j report.Job) (model.Config, bool) {
	s, err := j.Protocol.System(j.Check.Variant, j.Check.Config)
	if err != nil {
		return model.Config{}, false
	}
	return s.Config, true
}

// listed returns the checks that a protocol lists, of the whole or of a variant.
func listed(at tool.Target, claims []string) []report.Job {
	jobs := chosenOf(at, at.Protocol.Checks, claims)
	if len(jobs) > 0 || at.Variant == "" && len(at.Protocol.Checks) > 0 {
		return jobs
	}
	return []report.Job{unlisted(at, claims)}
}

// chosenOf returns those of a protocol's checks that a target and claims ask for.
func chosenOf(at tool.Target, checks []model.Check, claims []string) []report.Job {
	var jobs []report.Job
	for _, c := range checks {
		names, ok := chosen(c, claims)
		if ok && (at.Variant == "" || at.Variant == c.Variant) {
			c.Claims = names
			if len(claims) > 0 && !checker.Claimed(at.Protocol, c) {
				continue // another one puts them to the test, if any does
			}
			jobs = append(jobs, report.Job{Protocol: at.Protocol, Check: c})
		}
	}
	return jobs
}

// unlisted returns the check of a variant for which none is listed: the smallest that
// shows a mutant, and the protocol's default configuration for an option.
func unlisted(at tool.Target, claims []string) report.Job {
	j := report.Job{Protocol: at.Protocol}
	if v, err := at.Protocol.Variant(at.Variant); err == nil && v.Mutant() {
		j.Check = v.Show
	} else {
		j.Check.Reading, j.Note = checker.UsualReading(at.Protocol, model.Check{Variant: at.Variant, Claims: claims})
	}
	j.Check.Variant, j.Check.Claims = at.Variant, claims
	return j
}
