package exhaustive

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"contend/checker/confirm"
	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
	"contend/traces"
)

// RefuseCosts returns the reason why a check cannot find the costs of a protocol, or nil.
func RefuseCosts(p *model.Protocol, c model.Check, opt verdict.Options) error {
	switch {
	case len(p.Costs) == 0:
		return fmt.Errorf("costs: protocol %s declares none", p.Name)
	case len(c.Claims) > 0:
		return fmt.Errorf("claim: with --costs no claims are checked")
	case c.Schedules > 0:
		return fmt.Errorf("schedules: the least and the most of a cost are found by a search, not by sampling")
	case opt.Checkpoints != "":
		return fmt.Errorf("checkpoint: of the search for a cost no checkpoints are kept")
	case opt.From != nil:
		return fmt.Errorf("from: a cost is that of whole runs, and its search begins at the beginning")
	case opt.Profile:
		return fmt.Errorf("profile: the search for a cost makes none")
	}
	if c.Reading != model.Dense {
		return nil
	}
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		return err
	}
	return search.RefuseUndense(s)
}

// FindCost finds the minimum and the maximum of a cost by a search. The error is bad input: a sentence that names
// field and rule.
func FindCost(p *model.Protocol, cost *model.Cost, c model.Check, opt verdict.Options) (*CostRow, error) {
	if most := cost.Largest(); most < 1 || most > 30_000 {
		return nil, fmt.Errorf("cost %s: most is %d, but must be 1 to 30000", cost.Name, most)
	}
	c.Claims = nil
	if err := RefuseCosts(p, c, opt); err != nil {
		return nil, err
	}
	planned, err := plan.Whole(p, c, []model.Claim{cost.Claim()})
	if err != nil {
		return nil, err
	}
	row := costRow(cost, planned)
	if unmet := planned.Claims[0].Unmet; len(unmet) > 0 {
		row.Limit, row.Text = decide.Limited(string(verdict.NotClaimed)), plan.Assumes(unmet)
		return row, nil
	}
	x, err := newExhaustive(planned, verdict.New(planned), opt)
	if err != nil {
		return nil, err
	}
	x.readings = map[int]*traces.Trace{}
	return row, x.findCost(row, cost)
}

// findCost searches, and fills the row of a cost.
func (x *exhaustive) findCost(row *CostRow, cost *model.Cost) error {
	res, err := x.search()
	row.Merged = x.row.Merged
	row.Seconds = time.Since(x.began).Seconds()
	switch stuck, ok := err.(watch.Endless); {
	case ok:
		row.Limit, row.Text = decide.Limited(verdict.Stuck), stuck.Error()
	case err != nil:
		return err
	default:
		x.fillCost(row, cost, res)
	}
	return nil
}

// storeReading stores the trace of a run with a number of the cost.
func (x *exhaustive) storeReading(cost *model.Cost, n int, run *confirm.Run) error {
	h := verdict.NewTrace(x.plan, nil, "", "")
	h.Cost = &traces.Cost{Name: cost.Name, Number: n}
	t, err := traces.FromRun(h, run.World, run.Parts, run.Records)
	x.readings[n] = t
	return err
}

// fillCost fills the row of a cost with the result of the search.
func (x *exhaustive) fillCost(row *CostRow, cost *model.Cost, r *search.Result) {
	row.States, row.Transitions, row.Depth, row.Cut, row.Omission = r.States, r.Transitions, r.Depth, r.Cut, r.Omission
	row.Reductions = append(row.Reductions, r.Reductions...)
	row.Notes = r.Notes
	if row.Merged != nil {
		row.Notes = append(row.Notes, row.Merged.String())
	}
	is, limit := r.Claims[0], r.Claims[0].Limit
	if found := is.Cost; found != nil {
		row.Least, row.Most = x.reading(cost, found.Least), x.reading(cost, found.Most)
	}
	cuts := cutNames(r.Cut)
	unsure := row.Least != nil && !(row.Least.Confirmed && row.Most.Confirmed)
	switch {
	case is.Disputed != "":
		row.Limit = decide.Limit{Code: verdict.Internal, Detail: is.Disputed}
	case limit.Code == search.Failure:
		row.Limit, row.Text = limit, "a handler fails: "+r.Claims[1].Violated.Text
	case !r.Complete:
		row.Limit = r.Limit
	case unsure:
		row.Limit, row.Text = decide.Limited(decide.StrictBound), "the grid closes strict bounds, and no run in exact time comes to a number without trace"
	case cuts != "":
		row.Limit, row.Text = decide.Limited(decide.Cut), "one that goes on beyond "+cuts+" may come to less or to more"
	default:
		row.Complete = true
	}
}

// reading returns the minimum or maximum of a cost.
func (x *exhaustive) reading(cost *model.Cost, e search.Extreme) *Reading {
	r := &Reading{Number: e.Number, Confirmed: e.Is == search.Real, Steps: e.Steps, Run: x.readings[e.Number]}
	if r.Number > cost.Largest() {
		r.Number, r.More = cost.Largest(), true
	}
	return r
}

// cutNames returns the names of the cuts that withheld a step; "" if there are none.
func cutNames(cuts map[string]int64) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(cuts)) {
		if cuts[name] > 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
