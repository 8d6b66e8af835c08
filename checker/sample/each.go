package sample

import (
	"contend/model"
	"contend/model/world"
)

// A Schedule is a completed schedule with its result.
type Schedule struct {
	Number int
	Outcome
	World  *world.World
	Parts  int64
	Broken []world.Violation
}

// Each runs schedules as [Sample] does, but evaluates every claim in every schedule. It calls tell after each
// schedule, in order of numbers, from the caller's goroutine. It returns the number of calls, and why it
// stopped.
func Each(s *model.System, claims []model.Claim, opt Options, tell func(Schedule)) (calls int, stop Stop, err error) {
	sm, err := newSampler(s, claims, opt)
	if err != nil {
		return 0, "", err
	}
	for calls < opt.Schedules {
		if stop := sm.stops(); stop != "" {
			return calls, stop, nil
		}
		runs, err := sm.sideBySide(calls, min(calls+each*sm.opt.workers(), opt.Schedules), sm.opt.workers())
		if err != nil {
			return calls, "", err
		}
		for _, r := range runs {
			if !r.done {
				break // stopped
			}
			if r.err != nil {
				return calls, "", r.err
			}
			tell(Schedule{calls, r.out, r.world, r.parts, r.broken})
			calls++
		}
		if opt.Progress != nil {
			opt.Progress(int64(calls), 0)
		}
	}
	return calls, Budget, nil
}
