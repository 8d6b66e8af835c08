package shrink

import (
	"time"

	"contend/checker/exhaustive"
	"contend/checker/judge"
	"contend/checker/minimize"
	"contend/checker/plan"
	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/checker/sampling"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
	"contend/traces"
)

// smallStates is the maximum number of states of the search in a smaller configuration. Systems with one or two
// servers often have fewer states.
const smallStates = 5_000

// anywhere looks for any run that breaks the claim of a trace in its configuration. It searches, and finds a
// shortest run if the system is small. Otherwise it samples. Numbers limit both, so the result is the same on all
// machines.
func anywhere(p *model.Protocol, t *traces.Trace, opt verdict.Options, schedules int, began time.Time, w *watch.Watch) (minimize.Search, error) {
	if opt.MaxStates >= 0 {
		few := opt
		if few.MaxStates = smallStates; opt.MaxStates > 0 {
			few.MaxStates = min(opt.MaxStates, smallStates)
		}
		found, err := exhaustive.Shortest(p, t, few, began)
		if err != nil || found.Trace != nil || found.Limit == "" {
			return found, err
		}
		sampled, err := sampleFor(p, t, opt, schedules, began, w)
		sampled.States = found.States
		return sampled, err
	}
	return sampleFor(p, t, opt, schedules, began, w)
}

// sampleFor samples schedules until one breaks the claim of a trace.
func sampleFor(p *model.Protocol, t *traces.Trace, opt verdict.Options, schedules int, began time.Time, w *watch.Watch) (minimize.Search, error) {
	check := model.Check{Variant: t.Variant, Config: t.Config.Model(), Reading: t.Reading(), Schedules: schedules}
	var claims []model.Claim
	for _, c := range judge.Watched(p.Statements()) {
		if c.Name == t.Claim || t.Claim == model.NoHandlerFails {
			claims = append(claims, c)
		}
	}
	if t.Claim != model.NoHandlerFails && (len(claims) == 0 || claims[0].HasGoal()) {
		return minimize.Search{Limit: exhaustive.Goal}, nil // no finite run breaks it
	}
	planned, err := plan.Whole(p, check, claims)
	if err != nil {
		return minimize.Search{}, err
	}
	options := sampling.New(planned, planned.System, claims, opt, nil).Options(began, w)
	kind, err := strategy.Find(strategy.Default)
	if err != nil {
		return minimize.Search{}, err
	}
	options.Strategy = kind.New()
	res, err := sample.Sample(planned.System, claims, options)
	found := minimize.Search{By: "sampling", Schedules: res.Schedules, Steps: res.Steps, Limit: "schedules"}
	if err != nil {
		return found, err
	}
	for _, f := range res.Violations {
		if f.Claim == t.Claim {
			found.Trace, err = traces.FromRun(verdict.NewTrace(planned, claims, f.Claim, f.Text), f.World, f.Parts, f.Records)
		}
	}
	return found, err
}
