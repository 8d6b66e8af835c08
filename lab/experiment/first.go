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

// A target is a check's system and claim. If why is not "", it is the reason why the claim is not made.
type target struct {
	system *model.System
	claim  model.Claim
	why    string
}

func targetOf(m Mutant) (t target, err error) {
	if t.system, err = m.Protocol.System(m.Check.Variant, m.Check.Config); err != nil {
		return t, err
	}
	claims, err := plan.Claims(m.Protocol, m.Check.Claims)
	if err != nil {
		return t, err
	}
	t.claim = claims[0]
	variant, _ := m.Protocol.Variant(m.Check.Variant)
	t.why = plan.Unclaimed(variant, t.claim, t.system, m.Check)
	return t, nil
}

// firstViolation samples schedules with one seed until one violates the claim. Without a timeout or interrupt
// the result does not depend on the number of workers. The error is about invalid input, a [watch.Endless],
// or a handler that is not deterministic.
func firstViolation(m Mutant, by string, seed uint64, workers int, opt Options) (first, error) {
	t, err := targetOf(m)
	if err != nil {
		return first{}, err
	}
	kind, err := strategy.Find(by)
	if err != nil {
		return first{}, err
	}
	var claims []model.Claim
	if t.why == "" {
		claims = judge.Watched([]model.Claim{t.claim})
	}
	start := time.Now()
	w := &watch.Watch{Interrupt: opt.Interrupt}
	if opt.Timeout > 0 {
		w.Deadline = start.Add(opt.Timeout)
	}
	var res sample.Result
	err = w.Run(func() (err error) {
		res, err = sample.Sample(t.system, claims, sample.Options{
			Workers: workers, Schedules: opt.Schedules, Seed: seed, Timed: m.Check.Reading != model.Untimed, Timeout: opt.Timeout, Interrupt: opt.Interrupt,
			Running: w.Cells(), Strategy: kind.New(), Judges: judges(claims, start, opt.Timeout),
		})
		return err
	})
	out := first{schedules: res.Schedules, stop: res.Stop, seconds: time.Since(start).Seconds()}
	for _, f := range res.Violations {
		if f.Claim == t.claim.Name {
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
	t, err := targetOf(m)
	switch {
	case err != nil:
		return "", err
	case t.why != "":
		return t.why, nil
	case !t.claim.Safety():
		return "it is no claim of safety", nil
	}
	return "", nil
}
