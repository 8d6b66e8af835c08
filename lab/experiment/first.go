package experiment

import (
	"time"

	"contend/checker/judge"
	"contend/checker/plan"
	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/checker/watch"
	"contend/model"
)

// first is how soon sampled schedules violated a claim.
type first struct {
	// schedules is the number of the first schedule that violates the claim, from 1; or, if none was found, how many
	// schedules were sampled.
	schedules int64
	found     bool
	stop      sample.Stop // why the sampling ended
	seconds   float64     // by the clock
}

// planned returns the row of a mutant's one claim.
func planned(m Mutant) (*plan.Row, error) {
	claims, err := plan.Claims(m.Protocol, m.Check.Claims)
	if err != nil {
		return nil, err
	}
	return plan.Whole(m.Protocol, m.Check, claims[:1])
}

// firstOf samples schedules of a mutant with one seed until one violates the claim of its check. The number of schedules is the same with
// any number of workers, unless a timeout or an interrupt ended the sampling. The error is bad input, a [watch.Endless], or a
// handler's that is not a function of what it is given.
func firstOf(m Mutant, by string, seed uint64, workers int, opt Options) (first, error) {
	is, err := planned(m)
	if err != nil {
		return first{}, err
	}
	kind, err := strategy.Find(by)
	if err != nil {
		return first{}, err
	}
	claims := judge.Watched(is.Met())
	start := time.Now()
	w := &watch.Watch{Interrupt: opt.Interrupt}
	if opt.Timeout > 0 {
		w.Deadline = start.Add(opt.Timeout)
	}
	var res sample.Result
	err = w.Run(func() (err error) {
		res, err = sample.Sample(is.System, claims, sample.Options{
			Workers: workers, Schedules: opt.Schedules, Seed: seed, Timed: m.Check.Reading != model.Untimed, Timeout: opt.Timeout, Interrupt: opt.Interrupt,
			Running: w.Cells(), Strategy: kind.New(), Judges: judges(claims, start, opt.Timeout),
		})
		return err
	})
	out := first{schedules: res.Schedules, stop: res.Stop, seconds: time.Since(start).Seconds()}
	for _, f := range res.Violations {
		if f.Claim == is.Claims[0].Name {
			out.schedules, out.found = int64(f.Schedule)+1, true
		}
	}
	return out, err
}

// judges judge each history of a linearizable claim once more.
func judges(claims []model.Claim, start time.Time, timeout time.Duration) (all []sample.Judge) {
	for _, c := range claims {
		if c.Kind == model.Linearizable {
			memory := &judge.Memory{Object: c.Object}
			all = append(all, sample.Judge{Claim: c.Name, Check: func(history []model.Observation, _ bool) error {
				return memory.Again(history, judge.Patience(start, timeout), func() {})
			}})
		}
	}
	return all
}

// Unsampled says why no sampled schedule can violate the claim of a mutant's check; "" if one may. The error is bad
// input.
func Unsampled(m Mutant) (string, error) {
	is, err := planned(m)
	switch {
	case err != nil:
		return "", err
	case is.Claims[0].Unclaimed != "":
		return is.Claims[0].Unclaimed, nil
	case !is.Claims[0].Safety():
		return "it is no claim of safety", nil
	}
	return "", nil
}
