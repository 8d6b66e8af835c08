package check

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker/exhaustive"
	"contend/checker/plan"
	"contend/checker/sampled"
	"contend/checker/verdict"
	"contend/model"
)

// Run decides the claims of a check and returns its rows, one for each search or sampling. The error is bad input:
// a sentence that names field and rule.
func Run(p *model.Protocol, c model.Check, opt verdict.Options) ([]*verdict.Row, error) {
	planned := plan.New
	if opt.From != nil {
		planned = plan.Continued
	}
	pl, err := planned(p, c)
	if err != nil {
		return nil, err
	}
	return Decide(pl, opt)
}

// Decide is [Run] for a planned check. With From in the options, [plan.Continued] must have planned it.
func Decide(pl *plan.Plan, opt verdict.Options) ([]*verdict.Row, error) {
	if err := exhaustive.Refuse(pl, opt); err != nil {
		return nil, err
	}
	for _, r := range opt.Reduce {
		if !slices.Contains(exhaustive.Reductions, r) {
			return nil, fmt.Errorf("reduce: %q is not one of %s, none", r, strings.Join(exhaustive.Reductions, ", "))
		}
	}
	var rows []*verdict.Row
	for _, one := range pl.Rows {
		some, err := decideRow(one, opt)
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	rows = joinUnclaimed(rows)
	for _, row := range rows {
		verdict.Recognize(pl.Protocol, row)
		if pl.Note != "" {
			row.Notes = append(row.Notes, pl.Note)
		}
	}
	return rows, nil
}

// decideRow searches or samples a planned row.
func decideRow(planned *plan.Row, opt verdict.Options) ([]*verdict.Row, error) {
	if planned.Check.Schedules == 0 {
		return searchAll(planned, opt)
	}
	row, err := sampled.Sample(planned, opt)
	return []*verdict.Row{row}, err
}

// joinUnclaimed moves the results of a first row without tested claims to the next row, if there is one. Its search
// may have called handlers: these are moved, too.
func joinUnclaimed(rows []*verdict.Row) []*verdict.Row {
	if len(rows) < 2 || rows[0].Limit.Code != verdict.NothingClaimed {
		return rows
	}
	rows[1].Claims = append(rows[0].Claims, rows[1].Claims...)
	for name, ran := range rows[0].Handlers {
		if rows[1].Handlers == nil {
			rows[1].Handlers = map[string]bool{}
		}
		rows[1].Handlers[name] = rows[1].Handlers[name] || ran
	}
	return rows[1:]
}
