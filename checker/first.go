package checker

import (
	"time"

	"contend/checker/plan"
	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/model"
)

// First is how soon sampled schedules violated a claim.
type First struct {
	// Schedules is the number of the first schedule that violates the claim, from 1; or, if none was found, how many
	// schedules were sampled.
	Schedules int64
	Found     bool
	Stop      sample.Stop // why the sampling ended
	Seconds   float64     // by the clock
}

// FirstViolation samples schedules until one violates the claim of a check, which has exactly one. Of the check, Schedules is
// the most that are sampled; of the options, Strategy, Adversaries, Seed, Workers, Timeout, Interrupt and Stuck count. Schedules is the
// same with any number of workers, unless a timeout or an interrupt ended the sampling. The error is bad input, an [watch.Endless], or
// a handler's that is not a function of what it is given.
func FirstViolation(p *model.Protocol, c model.Check, opt Options) (First, error) {
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		return First{}, err
	}
	claims, err := plan.Claims(p, c.Claims)
	if err != nil {
		return First{}, err
	}
	kind, err := strategy.Find(opt.Strategy)
	if err != nil {
		return First{}, err
	}
	row := newRow(p, c, s)
	met := split(row, p, s, claims, c)
	start := time.Now()
	x := &sampling{protocol: p, system: s, check: c, row: row, opt: opt, claims: met, undecided: map[string]string{}}
	w := opt.watch(start)
	var res sample.Result
	err = w.Run(func() (err error) {
		options := x.options(start, w)
		options.Strategy = kind.New()
		res, err = sample.Sample(s, met, options)
		return err
	})
	first := First{Schedules: res.Schedules, Stop: res.Stop, Seconds: clock(start)}
	for _, f := range res.Violations {
		if f.Claim == claims[0].Name {
			first.Schedules, first.Found = int64(f.Schedule)+1, true
		}
	}
	return first, err
}

// Unsampled says why no sampled schedule can violate the claim of a check, which has exactly one; "" if one may. The error is bad
// input.
func Unsampled(p *model.Protocol, c model.Check) (string, error) {
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		return "", err
	}
	claims, err := plan.Claims(p, c.Claims)
	if err != nil {
		return "", err
	}
	row := newRow(p, c, s)
	if len(split(row, p, s, claims, c)) == 0 {
		return row.Claims[0].Text, nil
	}
	if !claims[0].Safety() {
		return "no finite run can refute it", nil
	}
	return "", nil
}
