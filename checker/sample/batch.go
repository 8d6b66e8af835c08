package sample

import (
	"runtime"
	"sync"

	"contend/checker/sample/strategy"
	"contend/model"
	"contend/model/guard"
)

// each is how many schedules a worker runs between two times that results are put
// together.
const each = 8

// A strategy learns from its schedules in rounds, which do not depend on the number of workers: of 8, 8, 16 and
// 32 schedules, so that it soon knows something, and then of 64.
const firstRound, laterRounds = 8, 64

// workers is how many run side by side.
func (o *Options) workers() int {
	if o.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
}

// batch runs the schedules from one on side by side and adds them up in order. It
// returns the number of the next one. When a claim comes to be ignored, the schedules
// behind are run again by the next batch: they go on further now.
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
		if r.strays {
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
		if len(sm.ignore) > ignored || sm.spent() {
			return from + k + 1, nil
		}
	}
	return to, nil
}

// addBroken adds, of the schedules behind one that was stopped from outside, those that violate a claim: what was found is told.
func (sm *sampler) addBroken(from int, runs []ran) {
	for k, r := range runs {
		if r.done && !r.strays && r.err == nil && len(r.broken) > 0 {
			sm.add(from+k, r)
		}
	}
}

// sideBySide runs schedules, up to the first that has an error. A panic goes on here.
func (sm *sampler) sideBySide(from, to, workers int) (_ []ran, err error) {
	defer guard.Caught(&err)
	runs := make([]ran, to-from)
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
			for k := worker; k < len(runs) && sm.halted() == ""; k += workers {
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
