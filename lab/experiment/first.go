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

// A first is the result of sampling until the first violation.
type first struct {
	// schedules is the number of the first violating schedule, from 1, or the number of sampled schedules.
	schedules int64
	found     bool
	stop      sample.Stop // reason for the end of the sampling
	seconds   float64     // wall time
}

// planned returns the row of a mutant's one claim.
func planned(m Mutant) (*plan.Row, error) {
	claims, err := plan.Claims(m.Protocol, m.Check.Claims)
	if err != nil {
		return nil, err
	}
	return plan.Whole(m.Protocol, m.Check, claims[:1])
}

// firstViolation samples schedules with one seed until one violates the claim. Without a timeout or interrupt
// the result does not depend on the number of workers. The error is about invalid input, a [watch.Endless],
// or a handler that is not deterministic.
func firstViolation(m Mutant, by string, seed uint64, workers int, opt Options) (first, error) {
	row, err := planned(m)
	if err != nil {
		return first{}, err
	}
	kind, err := strategy.Find(by)
	if err != nil {
		return first{}, err
	}
	claims := judge.Watched(row.Met())
	start := time.Now()
	w := &watch.Watch{Interrupt: opt.Interrupt}
	if opt.Timeout > 0 {
		w.Deadline = start.Add(opt.Timeout)
	}
	var res sample.Result
	err = w.Run(func() (err error) {
		res, err = sample.Sample(row.System, claims, sample.Options{
			Workers: workers, Schedules: opt.Schedules, Seed: seed, Timed: m.Check.Reading != model.Untimed, Timeout: opt.Timeout, Interrupt: opt.Interrupt,
			Running: w.Cells(), Strategy: kind.New(), Judges: judges(claims, start, opt.Timeout),
		})
		return err
	})
	out := first{schedules: res.Schedules, stop: res.Stop, seconds: time.Since(start).Seconds()}
	for _, f := range res.Violations {
		if f.Claim == row.Claims[0].Name {
			out.schedules, out.found = int64(f.Schedule)+1, true
		}
	}
	return out, err
}

// judges returns judges for linearizable claims.
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

// ExclusionReason returns the reason why no sampled schedule can violate the mutant's claim, or "". The error
// is about invalid input.
func ExclusionReason(m Mutant) (string, error) {
	row, err := planned(m)
	switch {
	case err != nil:
		return "", err
	case row.Claims[0].Unclaimed != "":
		return row.Claims[0].Unclaimed, nil
	case !row.Claims[0].Safety():
		return "it is no claim of safety", nil
	}
	return "", nil
}
