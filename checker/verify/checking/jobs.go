package checking

import (
	"fmt"
	"slices"

	"contend/checker/plan"
	"contend/checker/verify/tool"
	"contend/model"
)

// jobs returns the checks that the flags ask for.
func (f *checkFlags) jobs(targets []tool.Target) ([]*plan.Plan, error) {
	targets, err := withClaims(targets, f.config.Claims)
	if err != nil {
		return nil, err
	}
	if err := f.refuseDeep(); err != nil {
		return nil, err
	}
	var jobs []*plan.Plan
	for _, at := range targets {
		some, err := f.asked(at)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, some...)
	}
	if len(jobs) == 0 && f.deep {
		return nil, fmt.Errorf("--deep is set, but the protocols and claims asked for have no deep checks")
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("no listed check includes the claims asked for; give a configuration, such as -n")
	}
	return jobs, f.effective(jobs)
}

// checks returns the checks of a target for the flags.
func (f *checkFlags) asked(at tool.Target) ([]*plan.Plan, error) {
	switch {
	case f.all:
		jobs, err := listed(at, f.config.Claims)
		if err != nil {
			return nil, err
		}
		deep, err := chosenOf(at, at.Protocol.Deep, f.config.Claims)
		return append(jobs, deep...), err
	case f.deep:
		return chosenOf(at, at.Protocol.Deep, f.config.Claims)
	case !f.config.Changed() && !f.strategy.Changed():
		return listed(at, f.config.Claims)
	}
	j, err := f.one(at)
	if err != nil {
		return nil, err
	}
	if same := f.sameAsListed(at, j); len(same) > 0 {
		return same, nil
	}
	return []*plan.Plan{j}, nil
}

// refuseDeep refuses --deep and --all together, or with flags that define a check.
func (f *checkFlags) refuseDeep() error {
	if f.deep && f.all {
		return fmt.Errorf("--deep is set, but --all already includes the deep checks")
	}
	if f.all && (f.config.Changed() || f.strategy.Changed()) {
		return fmt.Errorf("--all is set, but so is a configuration or a strategy, and then only that is checked")
	}
	if f.deep && (f.config.Changed() || f.strategy.Changed()) {
		return fmt.Errorf("--deep is set, but so is a configuration or a strategy, and then only that is checked")
	}
	return nil
}

// effective refuses flags that can change nothing about any of the jobs.
func (f *checkFlags) effective(jobs []*plan.Plan) error {
	if err := f.limits.Effective(jobs); err != nil {
		return err
	}
	if f.output.JSON && f.output.Findings {
		return fmt.Errorf("--findings is set, but has no effect: --json prints no runs")
	}
	if f.output.JSON && f.output.Rows {
		return fmt.Errorf("--rows is set, but has no effect: --json prints every row")
	}
	if f.config.Anyway && !slices.ContainsFunc(jobs, func(j *plan.Plan) bool { return plan.PassesOver(j.Protocol, j.Check, j.System) }) {
		return fmt.Errorf("--assume-anyway is set, but has no effect: no claim asked for has an unmet assumption that can be ignored")
	}
	return nil
}

// one returns the check that the flags define.
func (f *checkFlags) one(at tool.Target) (*plan.Plan, error) {
	c, note, err := f.given(at, model.Config{})
	if err != nil {
		return nil, err
	}
	return tool.Plan(at.Protocol, c, note)
}

// given returns the check that the flags give, over a configuration, with a remark for its rows.
func (f *checkFlags) given(at tool.Target, over model.Config) (c model.Check, note string, err error) {
	p := at.Protocol
	config, err := f.config.Configure(p, over)
	if err != nil {
		return c, "", fmt.Errorf("%s: %w", p.Name, err)
	}
	schedules, err := f.strategy.Sampled()
	if err != nil {
		return c, "", err
	}
	reading, ok, err := f.config.Reading()
	switch {
	case err != nil:
		return c, "", err
	case !ok && schedules > 0:
		reading = model.Dense
	case !ok:
		reading, note = plan.UsualReading(p, model.Check{Variant: at.Variant, Claims: f.config.Claims, AssumeAnyway: f.config.Anyway})
	case reading == model.Grid && schedules > 0:
		return c, "", fmt.Errorf("--time is grid, but schedules are sampled with --time untimed or dense")
	}
	return model.Check{Variant: at.Variant, Config: config, Reading: reading, Schedules: schedules, Claims: f.config.Claims, AssumeAnyway: f.config.Anyway}, note, nil
}

// sameAsListed returns the listed checks of a protocol if each has the configuration and claims of the flags'
// check, and the flags choose no reading. The flags then change nothing.
func (f *checkFlags) sameAsListed(at tool.Target, j *plan.Plan) []*plan.Plan {
	if f.strategy.Changed() || f.config.Anyway || f.config.Flags.Changed("time") {
		return nil
	}
	jobs, err := listed(at, f.config.Claims)
	if err != nil || slices.ContainsFunc(jobs, func(l *plan.Plan) bool {
		return l.System.Config != j.System.Config || l.Check.Schedules > 0 || !slices.Equal(l.Check.Claims, f.config.Claims)
	}) {
		return nil
	}
	return jobs
}

// listed returns the checks that a protocol lists, of the whole or of a variant.
func listed(at tool.Target, claims []string) ([]*plan.Plan, error) {
	jobs, err := chosenOf(at, at.Protocol.Checks, claims)
	if err != nil || len(jobs) > 0 || at.Variant == "" && len(at.Protocol.Checks) > 0 {
		return jobs, err
	}
	j, err := unlisted(at, claims)
	return []*plan.Plan{j}, err
}

// chosenOf returns the checks of a protocol that match a target and claims.
func chosenOf(at tool.Target, checks []model.Check, claims []string) ([]*plan.Plan, error) {
	var jobs []*plan.Plan
	for _, c := range checks {
		names, ok := chosen(c, claims)
		if !ok || at.Variant != "" && at.Variant != c.Variant {
			continue
		}
		c.Claims = names
		j, err := tool.Plan(at.Protocol, c, "")
		if err != nil {
			return nil, err
		}
		if len(claims) == 0 || j.Claimed() { // else another one puts them to the test, if any does
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// unlisted returns the check of a variant for which none is listed: the smallest that
// shows a mutant, and the protocol's default configuration for an option.
func unlisted(at tool.Target, claims []string) (*plan.Plan, error) {
	var c model.Check
	note := ""
	if v, err := at.Protocol.Variant(at.Variant); err == nil && v.Mutant() {
		c = v.Show
	} else {
		c.Reading, note = plan.UsualReading(at.Protocol, model.Check{Variant: at.Variant, Claims: claims})
	}
	c.Variant, c.Claims = at.Variant, claims
	return tool.Plan(at.Protocol, c, note)
}
