package sample

import (
	"runtime"
	"sync"

	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/guard"
)

// each is the number of schedules that a worker runs between two merges of the results.
const each = 8

// Sizes of a strategy's rounds: 8, 8, 16, 32, and then 64 schedules. The sizes do not depend on the number of
// workers. The first rounds are short, so that the strategy learns soon.
const firstRound, laterRounds = 8, 64

// workers returns the number of concurrent workers.
func (o *Options) workers() int {
	if o.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
}

// batch runs the schedules from a number on concurrently, and adds their results in order. It returns the
// number of the next schedule. After a violation it returns early: the later schedules must run again, since
// runs do not end at an ignored claim.
func (sm *sampler) batch(from int) (next int, err error) {
	workers := sm.opt.workers()
	size := each * workers
	if sm.opt.Strategy != nil {
		size = max(firstRound, min(from, laterRounds))
	}
	to := min(from+size, sm.opt.Schedules)
	runs, err := sm.sideBySide(from, to, workers)
	if err != nil {
		return 0, err
	}
	for k, r := range runs {
		if !r.done {
			sm.addBroken(from+k, runs[k:])
			return from + k, nil // stopped
		}
		if r.diverges {
			sm.setting = nil
			return from + k, nil
		}
		if r.err != nil {
			return 0, r.err
		}
		ignored := len(sm.ignore)
		sm.add(from+k, r)
		if sm.opt.Strategy != nil {
			sm.opt.Strategy.Learn(from+k, r.scheduler, strategy.Outcome{Steps: r.steps, Violated: len(r.broken) > 0})
		}
		if len(sm.ignore) > ignored || sm.limitReached() {
			return from + k + 1, nil
		}
	}
	return to, nil
}

// addBroken adds the violations of schedules that ended after a stopped schedule, so that none is lost.
func (sm *sampler) addBroken(from int, runs []runResult) {
	for k, r := range runs {
		if r.done && !r.diverges && r.err == nil && len(r.broken) > 0 {
			sm.add(from+k, r)
		}
	}
}

// sideBySide runs schedules concurrently. It panics with the first panic of a worker.
func (sm *sampler) sideBySide(from, to, workers int) (_ []runResult, err error) {
	defer guard.Caught(&err)
	runs := make([]runResult, to-from)
	panics := make([]any, workers)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			returned := false
			defer func() {
				if panics[worker] = recover(); panics[worker] == nil && !returned {
					panics[worker] = model.Refused{Text: "a handler leaves its goroutine, by runtime.Goexit"}
				}
			}()
			for k := worker; k < len(runs) && sm.externalStop() == ""; k += workers {
				runs[k] = sm.run(from+k, worker)
				runs[k].done = runs[k].end != Halted
			}
			returned = true
		})
	}
	all.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
	return runs, nil
}
