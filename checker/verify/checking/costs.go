package checking

import (
	"cmp"
	"fmt"

	"contend/checker"
	"contend/checker/exhaustive"
	"contend/checker/verify/console"
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
	"contend/model"
)

// A costJob is a cost to be found at a check.
type costJob struct {
	protocol *model.Protocol
	cost     *model.Cost
	check    model.Check
}

// costs finds the least and the most of the costs of protocols.
func findCosts(t *tool.Tool, targets []tool.Target, f *checkFlags) (int, error) {
	opt, err := f.limits.Options()
	if err != nil {
		return 0, err
	}
	jobs, err := f.costJobs(targets, opt)
	if err != nil {
		return 0, err
	}
	code := console.ExitHolds
	opt.Interrupt, opt.Progress = t.Interrupt, t.Status.Update
	for i, j := range jobs {
		if t.Interrupted() {
			console.Say(t.Err, "interrupted; %s not computed", console.Counted(len(jobs)-i, "cost was", "costs were"))
			return max(code, console.ExitLimit), nil
		}
		row, err := checker.FindCost(j.protocol, j.cost, j.check, opt)
		t.Status.Clear()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", j.protocol.Name, err)
		}
		row.Seconds = t.PrintedSeconds(row.Seconds)
		if err := report.Cost(t.Out, j.protocol, row, f.output.Dir, f.output.JSON); err != nil {
			return 0, err
		}
		code = max(code, report.CostExit(row))
	}
	return code, nil
}

// costJobs returns the requested costs: of the named protocols, else of all that declare costs. Without a
// configuration, each cost has its declared one.
func (f *checkFlags) costJobs(targets []tool.Target, opt checker.Options) ([]costJob, error) {
	var jobs []costJob
	for _, at := range targets {
		if len(at.Protocol.Costs) == 0 && !at.Named {
			continue
		}
		given := model.Check{Claims: f.config.Claims}
		p := at.Protocol
		if f.config.Changed() || f.strategy.Changed() {
			c, _, err := f.given(at, model.Config{})
			if err != nil {
				return nil, err
			}
			given = c
		}
		if err := exhaustive.RefuseCosts(p, given, opt); err != nil {
			return nil, err
		}
		for _, cost := range p.Costs {
			jobs = append(jobs, costJob{p, cost, f.costCheck(at, cost, given)})
		}
	}
	return jobs, nil
}

// costCheck is the check at which a cost is found: of the option that it is declared for, where no
// other is named.
func (f *checkFlags) costCheck(at tool.Target, cost *model.Cost, given model.Check) model.Check {
	c := cost.Check
	if f.config.Changed() {
		c = given
		if _, read, _ := f.config.Reading(); !read {
			c.Reading = cost.Check.Reading
		}
	}
	c.Variant = cmp.Or(at.Variant, cost.Check.Variant)
	return c
}
