package check

import (
	"cmp"
	"fmt"

	"contend/checker/exhaustive"
	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/verdict"
)

// together is the default of [verdict.Options.Together].
const together = 1_000_000

// searchRows searches for the claims of a row that is planned. Claims that need different graphs are searched together first:
// most systems are so small that this is the fastest. But a claim under fairness allows no reduction, a
// graph of all states has to stay in memory, and states are as many as what all monitors remember makes of
// them. So a search that is not over after a million states, a quarter of the time, or within the memory, is given
// up, and the claims are searched apart, the cheapest first. Each of these searches has the limits of the
// check for itself, and none is harder than the one for all, so that no claim loses its verdict to another.
func searchAll(of *plan.Row, opt verdict.Options) ([]*verdict.Row, error) {
	apart := of.ByGraph()
	if len(apart) == 1 || opt.Dot != nil {
		row, err := searchOrSample(of, opt)
		return []*verdict.Row{row}, err
	}
	opt.Violated = toldOnce(opt.Violated)
	trial := opt
	trial.Timeout = (opt.Timeout + 3) / 4
	if most := cmp.Or(opt.Together, together); opt.MaxStates == 0 || opt.MaxStates > most {
		trial.MaxStates = most
	}
	row, err := exhaustive.Search(of, trial)
	if err != nil || !exhaustive.GivenUp(row) {
		return []*verdict.Row{row}, err
	}
	var rows []*verdict.Row
	for _, one := range apart {
		search.Collect(opt.MaxMemory)
		alone, err := searchOrSample(one, opt)
		if err != nil {
			return nil, err
		}
		alone.Notes = append(alone.Notes, fmt.Sprintf("searched apart from %s: together the search did not end within its share (%s)", one.Beside(apart), row.Limit))
		rows = append(rows, alone)
	}
	return rows, nil
}

// toldOnce tells of each claim's violation once, although it is found again.
func toldOnce(tell func(*verdict.Row, verdict.ClaimResult)) func(*verdict.Row, verdict.ClaimResult) {
	if tell == nil {
		return nil
	}
	told := map[string]bool{}
	return func(row *verdict.Row, c verdict.ClaimResult) {
		if !told[c.Name] {
			told[c.Name] = true
			tell(row, c)
		}
	}
}
