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

// searchAll searches for the claims of a planned row. Claims that need different graphs are first searched
// together, which is the fastest for most systems.
//
// A claim under fairness allows no reduction, and needs the graph of all states in memory. The monitors of all
// claims multiply the states. So if the search does not end within a million states, a quarter of the time, or the
// memory, the claims are searched apart, the cheapest first. Each of these searches has the limits of the check,
// and none is larger than the search for all. So no claim loses its verdict to another claim.
func searchAll(planned *plan.Row, opt verdict.Options) ([]*verdict.Row, error) {
	apart := planned.ByGraph()
	if len(apart) == 1 || opt.Dot != nil {
		row, err := searchOrSample(planned, opt)
		return []*verdict.Row{row}, err
	}
	opt.Violated = reportOnce(opt.Violated)
	trial := opt
	trial.Timeout = (opt.Timeout + 3) / 4
	if most := cmp.Or(opt.Together, together); opt.MaxStates == 0 || opt.MaxStates > most {
		trial.MaxStates = most
	}
	row, err := exhaustive.Search(planned, trial)
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

// reportOnce returns a function that reports the first violation of each claim.
func reportOnce(violated func(*verdict.Row, verdict.ClaimResult)) func(*verdict.Row, verdict.ClaimResult) {
	if violated == nil {
		return nil
	}
	reported := map[string]bool{}
	return func(row *verdict.Row, c verdict.ClaimResult) {
		if !reported[c.Name] {
			reported[c.Name] = true
			violated(row, c)
		}
	}
}
