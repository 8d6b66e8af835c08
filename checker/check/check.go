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

// Check decides the claims of one check and returns its rows, one for each search: see searchRows.
// The error is bad input: a sentence that names field and rule.
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

// Decide is [Check] for a check that is planned. With [Options.From] it is planned by [plan.Continued].
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
	rows = gathered(rows)
	for _, row := range rows {
		verdict.Recognize(pl.Protocol, row)
		if pl.Note != "" {
			row.Notes = append(row.Notes, pl.Note)
		}
	}
	return rows, nil
}

// decideRow samples a row, or searches for its claims.
func decideRow(of *plan.Row, opt verdict.Options) ([]*verdict.Row, error) {
	if of.Check.Schedules == 0 {
		return searchAll(of, opt)
	}
	row, err := sampled.Sample(of, opt)
	return []*verdict.Row{row}, err
}

// gathered puts claims that are not claimed, when nothing else is in their row, into the first row
// that there is beside it: a row of its own stands only where nothing at all was put to the test. They may have been searched for,
// as goals that no run can reach are: what that search called stays known.
func gathered(rows []*verdict.Row) []*verdict.Row {
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
